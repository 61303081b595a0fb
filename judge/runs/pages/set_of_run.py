"""The tasks and candidates that a run was planned on, as its page shows them."""

from dataclasses import dataclass

from django.db.models import Count

from curation.base.web.refusals import BadInput
from curation.joining.domains.models import Domain
from judge.base.gold_sets import task_sets
from judge.base.gold_sets.task_sets import DRAW, RELEASE
from judge.runs.engine.held_out import Looks, looks_of_run
from judge.runs.engine.models import HeldOutLook, JudgeRun, RunItem


@dataclass(frozen=True, slots=True)
class SetOfRun:
    """What a run judges, and the looks at its held-out tasks.

    Attributes:
        label: the set in words; "" for runs from before sets had names.
        tasks: the number of tasks.
        domains: names of their domains.
        candidates: names of the candidates.
        draw, release: the number of the draw or release, 0 where it is none.
        look: why this run looks at held-out tasks; None where it holds none, or was planned before.
    """

    label: str
    tasks: int
    domains: tuple[str, ...]
    candidates: tuple[str, ...]
    draw: int
    release: int
    look: HeldOutLook | None
    looks: Looks


def set_of_run(run: JudgeRun) -> SetOfRun:
    """Return what a run judges. At most nine queries."""
    label, draw, release = "", 0, 0
    if run.task_set:
        try:
            tasks = task_sets.parse(run.task_set)
        except BadInput:  # no longer in this database, as in a copy without its draws
            label = run.task_set
        else:
            label = tasks.label
            draw = tasks.number if tasks.kind == DRAW else 0
            release = tasks.number if tasks.kind == RELEASE else 0
    looks = looks_of_run(run)
    look = None
    if looks.tasks:
        look = HeldOutLook.objects.filter(run=run).first()
    items = RunItem.objects.filter(run=run, response__baseline=False).order_by()
    domains = Domain.objects.filter(pk__in=items.values("response__task__domain"))
    candidates = items.order_by("response__candidate__name").distinct()
    return SetOfRun(
        label=label,
        tasks=items.aggregate(n=Count("response__task", distinct=True))["n"],
        domains=tuple(map(str, domains.order_by("key"))),
        candidates=tuple(candidates.values_list("response__candidate__name", flat=True)),
        draw=draw,
        release=release,
        look=look,
        looks=looks,
    )
