"""The set of tasks that a run was planned on, as its page shows it."""

from dataclasses import dataclass

from curation.web.refusals import BadInput
from judge.engine.held_out import Looks, looks_of_run
from judge.engine.models import HeldOutLook, JudgeRun
from judge.gold_sets import task_sets
from judge.gold_sets.task_sets import DRAW, RELEASE


@dataclass(frozen=True, slots=True)
class SetOfRun:
    """The set of a run, and the looks at its held-out tasks.

    Attributes:
        label: the set in words; "" for runs from before sets had names.
        draw, release: the number of the draw or release, 0 where it is none.
        look: why this run looks at held-out tasks; None where it holds none, or was planned before.
    """

    label: str
    draw: int
    release: int
    look: HeldOutLook | None
    looks: Looks


def set_of_run(run: JudgeRun) -> SetOfRun:
    """Return the set of a run. At most six queries."""
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
    return SetOfRun(label, draw, release, look, looks)
