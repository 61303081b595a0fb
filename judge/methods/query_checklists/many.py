"""Compose the checklists of many tasks, and put them in use if that is asked for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from curation.tasks.skills.models import LabelOnTask
from curation.tasks.skills.queries import NOT_LABELLED
from curation.tasks.task.models import ANSWERABLE, Task
from judge.methods.query_checklists.actions import propose_checklist, put_in_use
from judge.methods.query_checklists.compose import compose, standing_overrules
from judge.methods.query_checklists.models import QueryChecklist
from judge.methods.query_checklists.queries import newest

State = QueryChecklist.State


class Outcome(StrEnum):
    """What became of a task."""

    PROPOSED = "proposed"  # a checklist waits for a person, made now
    WAITING = "waiting"  # one waited already
    IN_USE = "in_use"  # put in use now
    UNCHANGED = "unchanged"  # the one in use has the same lines
    NOTHING_ACTIVE = "nothing_active"  # no label of the task has an approved skill
    NOTHING_TO_EARN = "nothing_to_earn"  # there is no line with a positive weight


@dataclass(frozen=True)
class Done:
    """A task and what became of it.

    Attributes:
        number: of the checklist; None without one.
        lines: how many it has.
        sha256: of the lines; "" without a checklist.
    """

    task: str
    outcome: Outcome
    number: int | None = None
    lines: int = 0
    sha256: str = ""


def tasks_to_compose(keys: Iterable[str] | None = None) -> list[Task]:
    """Return the tasks with labels, or those with these keys, by key.

    Raises:
        BadInput: a key is unknown, or belongs to a draft or a skill, which have no labels.
    """
    rows = Task.objects.filter(origin__in=ANSWERABLE).exclude(stage__in=NOT_LABELLED)
    if keys is None:
        labelled = LabelOnTask.objects.filter(removed_at__isnull=True).values("task")
        return list(rows.filter(pk__in=labelled).order_by("key"))
    wanted = list(keys)
    found = list(rows.filter(key__in=wanted).order_by("key"))
    missing = sorted(set(wanted) - {task.key for task in found})
    if missing:
        raise BadInput(
            _("There is no task that can have labels by this key: %(keys)s.")
            % {"keys": ", ".join(missing)}
        )
    return found


def compose_tasks(tasks: Iterable[Task], *, approve: bool) -> Iterator[Done]:
    """Propose a checklist for each task, unless the one in use has the same lines.

    Args:
        approve: whether to put each in use at once, the proposals of people included.
    """
    for task in tasks:
        yield _compose_one(task, approve)


def _compose_one(task: Task, approve: bool) -> Done:
    used, waiting = newest(task.pk, State.IN_USE), newest(task.pk, State.PROPOSED)
    overrules = standing_overrules(waiting or used)
    now = compose(task, overrules)

    def done(outcome: Outcome, checklist: QueryChecklist | None) -> Done:
        number = checklist.number if checklist is not None else None
        return Done(task.key, outcome, number, len(now.lines), now.sha256 if number else "")

    if not now.skills and waiting is None:
        return Done(task.key, Outcome.NOTHING_ACTIVE)
    if used is not None and used.sha256 == now.sha256:
        return done(Outcome.UNCHANGED, used)
    earns = any(not line.point.flaw for line in now.lines)
    if approve and not earns:
        return Done(task.key, Outcome.NOTHING_TO_EARN, lines=len(now.lines))
    found = waiting or propose_checklist(actor=None, task=task)
    if not approve:
        return done(Outcome.WAITING if waiting else Outcome.PROPOSED, found)
    put_in_use(actor=None, checklist=found, sha256=now.sha256)
    return done(Outcome.IN_USE, found)
