"""What staff see on Home: what waits on whom, runs with their money, failures, pace, forecast."""

from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.base.web.fields import set_numbers
from curation.base.web.forms import usable_values
from curation.joining.people import User
from curation.qualifying.qualification.staff_queries import funnel
from curation.staff.pipeline import queries as pipeline
from curation.staff.pipeline.deadline_in_hand import in_hand
from curation.staff.pipeline.deadline_load import load_by_person, longest_waiting
from curation.staff.pipeline.forecast import forecast, next_goal
from curation.staff.pipeline.throughput import weekly
from judge.base.queue.failing import failing_work
from judge.runs.pages.under_way import runs_under_way

SHOWN = 6  # rows of each list; the rest is one link away


class GoalForm(forms.Form):
    """How many approved tasks the forecast is for."""

    goal = forms.IntegerField(required=False, min_value=1, max_value=100_000)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())


def control_room(request: HttpRequest) -> dict[str, Any]:
    """Return what the staff's part of Home shows, in a fixed number of queries."""
    rows = in_hand()
    loads, first = load_by_person(rows), longest_waiting(rows)[:SHOWN]
    ids = {row.person_id for row in first} | {load.person_id for load in loads[:SHOWN]}
    people, now = User.objects.in_bulk(ids), timezone.now()
    stages = pipeline.summary()
    weeks = weekly()
    form = GoalForm(request.GET)
    ready = next(n for stage, _label, n, _late in stages if stage == Stage.APPROVED)
    failing = list(failing_work())
    steps = funnel()
    return {
        "summary": _summary(stages),
        "waiting": [(row, people[row.person_id]) for row in first],
        "in_hand": len(rows),
        "late": sum(row.is_late(now) for row in rows),
        "loads": [(load, people[load.person_id]) for load in loads[:SHOWN]],
        "people_at_work": len(loads),
        "runs": runs_under_way(SHOWN),
        "failing": failing[:SHOWN],
        "failing_count": len(failing),
        "weeks": weeks[::-1],
        "busiest": max((max(week.submitted, week.approved) for week in weeks), default=0) or 1,
        "goal_form": form,
        "forecast": forecast(
            goal=usable_values(form).get("goal") or next_goal(ready),
            ready=ready,
            weekly=[week.approved for week in weeks if week.whole],
            today=timezone.localdate(),
        ),
        "funnel": steps,
        "funnel_top": max((step.reached for step in steps), default=0) or 1,
    }


def _summary(rows: list[tuple[str, Any, int, int]]) -> list[dict[str, Any]]:
    widest = max(n for _stage, _label, n, _late in rows)
    return [
        {
            "stage": stage,
            "label": label,
            "count": n,
            "late": late if stage in pipeline.OPEN_STAGES else 0,
            "segments": [(n - late, "age-2", ""), (late, "wait", "")]
            if stage in pipeline.OPEN_STAGES
            else [(n, "yes", "")],
            "widest": widest,
        }
        for stage, label, n, late in rows
    ]
