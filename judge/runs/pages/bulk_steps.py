"""Steps on many tasks or candidates: plan one run that judges them as an earlier run did."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.bulk import BulkStep
from curation.base.web.dates import day
from curation.base.web.fields import set_numbers
from curation.base.web.refusals import Conflict
from curation.tasks.task.models import Task
from judge.asking.calls.cost import in_micro_dollars
from judge.asking.candidates.models import Candidate, Response
from judge.base.gold_sets import task_sets
from judge.methods.base import registry
from judge.runs.engine.models import JudgeRun
from judge.runs.pages.actions import plan_again
from judge.runs.pages.forms import (
    RUNS_TO_COMPARE,
    budget_field,
    held_out_reason_field,
    judged_runs,
    max_calls_field,
)
from rubrics.versions.queries import version_ids_that_count


class JudgeAgainForm(forms.Form):
    """As in which run, what it may cost, and why held-out tasks are judged."""

    like = forms.TypedChoiceField(
        label=gettext_lazy("As in"),
        coerce=lambda pk: JudgeRun.objects.get(pk=pk),
        help_text=gettext_lazy("Its judge, method and settings."),
        error_messages={
            "required": gettext_lazy("Choose a run. If there is none, plan the first under Runs.")
        },
    )
    budget_usd = budget_field()
    max_calls = max_calls_field()
    held_out_reason = held_out_reason_field(
        gettext_lazy(
            "Empty: held-out tasks are not judged. Each run on them is counted, and the reports "
            "say so."
        )
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        # A repeat has the judge of the run that it repeats.
        runs = judged_runs().filter(repeat=0).order_by("for_experiment", "-pk")[:RUNS_TO_COMPARE]
        self.fields["like"].choices = [  # type: ignore[attr-defined]
            (run.pk, f"{run} · {day(run.created_at)}") for run in runs
        ]
        if not task_sets.split_exists():
            del self.fields["held_out_reason"]


@dataclass(frozen=True, slots=True)
class _Judged:
    """A task or candidate with what decides whether it can be judged."""

    row: Any
    answered: bool
    held_out: bool  # all that was answered
    has_rubric: bool = True

    def __str__(self) -> str:
        return str(self.row)


def _load_tasks(keys: Collection[int]) -> Mapping[int, _Judged]:
    answered = set(_responses().filter(task__in=keys).values_list("task_id", flat=True))
    with_rubric = version_ids_that_count(keys)
    held_out = set(task_sets.held_out().filter(task__in=keys).values_list("task_id", flat=True))
    return {
        pk: _Judged(task, pk in answered, pk in held_out, pk in with_rubric)
        for pk, task in Task.objects.in_bulk(list(keys)).items()
    }


def _load_candidates(keys: Collection[int]) -> Mapping[int, _Judged]:
    rows = _responses().filter(candidate__in=keys).values_list("candidate_id", flat=True)
    answered, in_the_open = set(rows), set(task_sets.EVERY_OPEN_TASK.within(rows))
    found = Candidate.objects.in_bulk(list(keys))
    return {
        pk: _Judged(candidate, pk in answered, pk not in in_the_open)
        for pk, candidate in found.items()
    }


def _responses() -> Any:
    return Response.objects.filter(baseline=False).order_by().distinct()


def _check_task(
    *, actor: Any, thing: _Judged, like: JudgeRun, held_out_reason: str = "", **_values: Any
) -> str:
    """Return the key of a task that can be judged. Raises Conflict with the reason."""
    if not thing.answered:
        raise Conflict(_("No candidate has answered this task."), code="no_responses")
    method = registry.get(like.method)
    if thing.row.answer_form not in method.forms:
        raise Conflict(
            _("The method of this run does not judge this form of answer."), code="wrong_form"
        )
    if method.needs_rubric and not thing.has_rubric:
        raise Conflict(_("This task has no rubric to judge by."), code="no_rubric")
    if thing.held_out and not held_out_reason.strip():
        raise Conflict(_("Held out: leave it out, or say why it is judged."), code="held_out")
    return str(thing.row.key)


def _check_candidate(
    *, actor: Any, thing: _Judged, held_out_reason: str = "", **_values: Any
) -> str:
    """Return the name of a candidate that can be judged. Raises Conflict with the reason."""
    if not thing.answered:
        raise Conflict(_("It has no responses."), code="no_responses")
    if thing.held_out and not held_out_reason.strip():
        raise Conflict(
            _("It has answered held-out tasks only: leave it out, or say why they are judged."),
            code="held_out",
        )
    return str(thing.row.name)


def _plan_tasks(*, actor: Any, returned: Sequence[str], **values: Any) -> str:
    return _plan(actor, values, task_keys=returned)


def _plan_candidates(*, actor: Any, returned: Sequence[str], **values: Any) -> str:
    return _plan(actor, values, candidates=returned)


def _plan(actor: Any, values: Mapping[str, Any], **chosen: Sequence[str]) -> str:
    """Plan the run and return the address of its page."""
    run = plan_again(
        actor=actor,
        run=values["like"],
        budget_micro=in_micro_dollars(values["budget_usd"]),
        max_calls=values["max_calls"],
        held_out_reason=values.get("held_out_reason", ""),
        **chosen,
    )
    return reverse("staff-run", args=[run.pk])


def _step(**words: Any) -> BulkStep:
    return BulkStep(
        key="judge",
        label=gettext_lazy("Judge …"),
        permission="staff.scoring",
        named=str,
        form=JudgeAgainForm,
        asks_first=True,
        place=3,
        **words,
    )


TASK_STEPS = (
    _step(
        text=gettext_lazy(
            "One run over all responses to these tasks, with the judge of an earlier run. What "
            "that judge has judged and nobody has changed since is not asked again. You "
            "read its estimate before you start it."
        ),
        load=_load_tasks,
        run=_check_task,
        finish=_plan_tasks,
        button=lambda n: (
            ngettext("Plan a run over %(n)s task", "Plan a run over %(n)s tasks", n) % {"n": n}
        ),
        done=lambda n: (
            ngettext(
                "A run over %(n)s task is planned. Read the estimate, then start it.",
                "A run over %(n)s tasks is planned. Read the estimate, then start it.",
                n,
            )
            % {"n": n}
        ),
    ),
)
CANDIDATE_STEPS = (
    _step(
        text=gettext_lazy(
            "One run over all responses of these candidates, with the judge of an earlier run. "
            "What that judge has judged and nobody has changed since is not asked again. You "
            "read its estimate before you start it."
        ),
        load=_load_candidates,
        run=_check_candidate,
        finish=_plan_candidates,
        button=lambda n: (
            ngettext("Plan a run over %(n)s candidate", "Plan a run over %(n)s candidates", n)
            % {"n": n}
        ),
        done=lambda n: (
            ngettext(
                "A run over %(n)s candidate is planned. Read the estimate, then start it.",
                "A run over %(n)s candidates is planned. Read the estimate, then start it.",
                n,
            )
            % {"n": n}
        ),
    ),
)
