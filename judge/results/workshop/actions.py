"""Plan and start the comparison of two variants on the responses of an alignment set."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from judge.asking.candidates.earlier_text import rests_on_earlier_text
from judge.base.gold_sets.task_sets import held_out
from judge.methods.variants.models import JudgeVariant
from judge.results.alignment_sets.models import AlignmentItem, AlignmentSet
from judge.results.workshop.models import JudgeExperiment
from judge.runs.engine.models import JudgeRun
from judge.runs.pages.actions import plan_run, start_run
from judge.scoring.sheets.queries import submitted_sheets

State = JudgeRun.State
QUESTION_LIMIT = 2000  # characters
_STARTABLE = (State.PAUSED, State.STOPPED)


@dataclass(frozen=True, slots=True)
class Usable:
    """The responses of a set that an experiment may use, and how many it may not, by reason."""

    responses: tuple[int, ...]
    held_out: int
    unscored: int
    flagged: int


def usable_responses(alignment_set: AlignmentSet) -> Usable:
    """Sort the responses of a set. Three queries.

    Left out: tasks that a split holds out, responses that no expert has scored by the present text
    of their task, and those that are in the set for a flagged verdict alone, since they were not
    drawn at random.
    """
    kept_out = set(held_out().values_list("task", flat=True))
    scored = set(
        submitted_sheets()
        .filter(~rests_on_earlier_text(), flagged_item__isnull=True)
        .filter(response__drawn_in__set=alignment_set)
        .values_list("response_id", flat=True)
    )
    found: list[int] = []
    counts = {"held_out": 0, "unscored": 0, "flagged": 0}
    items = AlignmentItem.objects.filter(set=alignment_set).order_by("pk")
    for response, task, flagged in items.values_list("response_id", "response__task_id", "flagged"):
        if task in kept_out:
            counts["held_out"] += 1
        elif flagged:
            counts["flagged"] += 1
        elif response not in scored:
            counts["unscored"] += 1
        else:
            found.append(response)
    return Usable(tuple(found), **counts)


@action("staff.scoring")
@transaction.atomic
def plan_experiment(
    *,
    actor: Any,
    alignment_set: AlignmentSet,
    first: JudgeVariant,
    second: JudgeVariant,
    measure: str,
    question: str,
    concurrency: int = 8,
    budget_micro: int | None = None,
    max_calls: int | None = None,
    batch: bool = False,
) -> JudgeExperiment:
    """Plan one run of each variant on the same responses. Nothing is asked yet.

    Args:
        first: what is in use; the second is compared with it.
        measure: one of `JudgeExperiment.Measure`; it decides which is better.
        budget_micro, max_calls: limits of each of the two runs.

    Raises:
        BadInput: the variants are the same, the set has no response to use (its tasks are held
            out, or nobody has scored them), or a run cannot be planned.
    """
    question = required_reason(
        question, _("Say what you want to find out."), limit=QUESTION_LIMIT, field="question"
    )
    if measure not in JudgeExperiment.Measure.values:
        raise BadInput(fields={"measure": [_("Choose what decides.")]})
    if first.pk == second.pk:
        raise BadInput(fields={"second": [_("Choose another variant than the first one.")]})
    usable = usable_responses(alignment_set)
    if not usable.responses:
        sentence = _why_unusable(usable)
        raise BadInput(sentence, code="nothing_to_compare", fields={"set": [sentence]})
    # Two runs on the same responses; those judged before in the same way are not asked again.
    runs = [
        plan_run(
            actor=actor,
            **variant.settings(),
            responses=frozenset(usable.responses),
            for_experiment=True,
            concurrency=concurrency,
            budget_micro=budget_micro,
            max_calls=max_calls,
            batch=batch,
        )
        for variant in (first, second)
    ]
    return JudgeExperiment.objects.create(
        set=alignment_set,
        first=first,
        second=second,
        first_run=runs[0],
        second_run=runs[1],
        measure=measure,
        question=question,
        held_out=usable.held_out,
        unscored=usable.unscored,
        flagged=usable.flagged,
        by=actor,
    )


def _why_unusable(usable: Usable) -> str:
    if usable.held_out and not (usable.unscored or usable.flagged):
        return _(
            "All responses of this set are to tasks of a held-out half. Judges are tuned on the "
            "development half alone: draw a set of its tasks."
        )
    if usable.unscored:
        return _(
            "No expert has handed in a sheet, by the present text of the task, on a response that "
            "could be used. Wait for the sheets, or choose another set."
        )
    return _("This set has no response that could be used. Choose another set.")


@action("staff.scoring")
@transaction.atomic
def start_experiment(*, actor: Any, experiment: JudgeExperiment) -> list[JudgeRun]:
    """Put both runs into the queue; those that are over or under way stay as they are.

    Returns:
        the runs that were started.

    Raises:
        Conflict: `wrong_stage`, there is nothing to start.
        BadInput: as `start_run`.
    """
    pks = (experiment.first_run_id, experiment.second_run_id)
    waiting = list(
        JudgeRun.objects.select_for_update().filter(pk__in=pks, state__in=_STARTABLE).order_by("pk")
    )
    if not waiting:
        raise Conflict(
            _("Both runs are under way or over. Their own pages say more."), code="wrong_stage"
        )
    return [start_run(actor=actor, run=run) for run in waiting]
