"""A judge's selections against real outcomes: the part of a report on what really happened.

A real outcome is a rater of the kind "outcome" (`judge.methods.profiles.models.RealOutcome`): it
says who was chosen, and nothing of lines or scores. So it is measured by itself, beside the
experts.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from judge.asking.candidates.earlier_text import rests_on_earlier_text
from judge.base.gold_sets.task_sets import TaskSet
from judge.base.stats.selections import Rates, SelectionReport, selections
from judge.methods.base import registry
from judge.methods.profiles.models import OUTCOME_KIND
from judge.methods.profiles.queries import newest_outcomes, raters
from judge.results.alignment.raters import Rater, check_experts
from judge.results.alignment.rows import asked_items
from judge.runs.engine.models import Finding, JudgeRun, Judgment


@dataclass(frozen=True, slots=True)
class OutcomePart:
    """A judge against a real outcome.

    Attributes:
        rater: whose; None for the newest statement of anybody on each task.
        without: judged responses whose task has no real outcome.
        open: responses asked about that have no complete judgment.
    """

    rater: str | None
    report: SelectionReport
    without: int
    open: int

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON."""
        return {
            "rater": self.rater or "all",
            "kind": OUTCOME_KIND,
            **self.report.as_dict(),
            "responses_without_outcome": self.without,
            "responses_without_judgment": self.open,
        }


def find_experts(name: str) -> tuple[str, str | None]:
    """Return the name of a rater to measure against, and the same name if it is of an outcome.

    Raises:
        BadInput: there is no such rater.
    """
    wanted = str(name).strip()
    known = raters()
    return (wanted, wanted) if wanted in known else (check_experts(name), None)


def measure_outcomes(
    judge: Rater,
    rater: str | None,
    *,
    domain: str | None = None,
    tasks: TaskSet | None = None,
    resamples: int,
    seed: int,
) -> OutcomePart | None:
    """Measure a run against real outcomes; None where it selects nothing, or nothing is known.

    Responses to an amended task are left out, as everywhere in a report. Six queries.

    Args:
        rater: as in `OutcomePart`.
        domain: key of the only domain to look at.
        tasks: the only tasks to look at.
    """
    run = judge.run
    if run is None or not registry.get(run.method).has_findings:
        return None
    items = asked_items(run).filter(~rests_on_earlier_text(score="judgment__"))
    if domain:
        items = items.filter(response__task__domain__key=domain)
    if tasks is not None:
        items = tasks.within(items, "response__task")
    rows = list(
        items.values_list(
            "response__task_id", "judgment_id", "judgment__state", "judgment__score_denominator"
        )
    )
    done = [row for row in rows if row[2] == Judgment.State.COMPLETE]
    truth = newest_outcomes({row[0] for row in done}, rater)
    said = _said(run, [row[1] for row in done if row[0] in truth])
    cases = []
    for task, judgment, _state, demanded in done:
        if task not in truth:
            continue
        selected, chosen = said.get(judgment, {}), truth[task]
        both = sum(yes and profile in chosen for profile, yes in selected.items())
        yes = sum(selected.values())
        real = sum(profile in chosen for profile in selected)
        neither = len(selected) - yes - real + both
        cases.append(Rates(task, both, yes - both, real - both, neither, demanded or 1))
    if not cases or not any(said.values()):
        return None
    return OutcomePart(
        rater,
        selections(cases, seed=seed, resamples=resamples),
        without=len(done) - len(cases),
        open=len(rows) - len(done),
    )


def _said(run: JudgeRun, judgments: list[int]) -> dict[int, dict[int, bool]]:
    """Return which profiles each judgment selected. One query for 500 judgments."""
    method = registry.get(run.method)
    findings: dict[int, dict[str, Any]] = defaultdict(dict)
    for start in range(0, len(judgments), 500):
        part = Finding.objects.filter(judgment__in=judgments[start : start + 500])
        for judgment, name, data in part.values_list("judgment_id", "name", "data"):
            findings[judgment][name] = data
    return {pk: dict(method.selections(found)) for pk, found in findings.items()}
