"""Remind the people who have work on a task in hand, and give them more time."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.access.action import action
from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.joining.notices.notify import Kind, Topic, not_yet_notified, send_notice
from curation.staff.pipeline.deadline_in_hand import InHand, people_with
from curation.tasks.task.models import Task

MOST_DAYS = 60


@action("task.remind", about="task")
@transaction.atomic
def remind_of(*, actor: Any, task: Task, work: Sequence[InHand]) -> int:
    """Remind everybody who has work on a task in hand, once a day for each piece of work.

    Args:
        work: the work in hand on the task, or the part of it that counts.

    Returns:
        how many people were reminded.

    Raises:
        Conflict: `nobody`, nobody has work on it; `reminded`, all were reminded today.
    """
    waiting = [row for row in _on(task, work) if row.person_id != actor.pk]
    if not waiting:
        raise Conflict(_nobody(task), code="nobody")
    now, today = timezone.now(), f"{timezone.localdate():%Y-%m-%d}"
    reminded, people = set(), people_with(waiting)
    for row in waiting:
        person, once = people[row.person_id], f"reminded-{row.key}-{today}"
        if not not_yet_notified([person], once):
            continue
        facts = {"due": row.due_at.isoformat()} if row.due_at else {}
        kind = "reminded_with_date" if row.due_at else "reminded"
        kind = "reminded_late" if row.is_late(now) else kind
        send_notice(person, kind, once=once, url=row.url, task=row.title, **facts)
        reminded.add(person.pk)
    if not reminded:
        raise Conflict(_("The person who has it was already reminded today."), code="reminded")
    task.note("reminded", actor=actor, n=len(reminded))
    return len(reminded)


@action("task.remind", about="task")
@transaction.atomic
def extend_deadlines(*, actor: Any, task: Task, days: int, work: Sequence[InHand]) -> int:
    """Give everybody who has work on a task in hand more time, and tell them.

    A deadline that has passed is counted from now.

    Args:
        days: 1 to `MOST_DAYS`.
        work: as in `remind_of`.

    Returns:
        how many deadlines were moved.

    Raises:
        BadInput: a number of days out of range.
        Conflict: `nobody`, no work on it has a deadline.
        Denied: the only deadlines are the actor's own.
    """
    if not 1 <= days <= MOST_DAYS:
        said = _("Choose from 1 to %(most)s days.") % {"most": MOST_DAYS}
        raise BadInput(fields={"days": [said]})
    rows = [row for row in _on(task, work) if row.due_at is not None]
    others = [row for row in rows if row.person_id != actor.pk]
    if rows and not others:
        raise Denied(_("The deadline is your own. Somebody else of the staff has to move it."))
    moved = _extend_each(others, days)
    if not moved:
        raise Conflict(_("Nobody has work with a deadline on it now."), code="nobody")
    task.note("deadline_extended", actor=actor, n=moved, days=days)
    return moved


def _on(task: Task, work: Sequence[InHand]) -> list[InHand]:
    return [row for row in work if row.task_id == task.pk]


def _extend_each(rows: Sequence[InHand], days: int) -> int:
    now, moved, people = timezone.now(), 0, people_with(rows)
    for row in rows:
        assert row.due_at is not None
        assert row.extend is not None
        due = max(row.due_at, now) + timedelta(days=days)
        if row.extend(due):
            once = f"extended-{row.key}-{due.isoformat()}"
            facts = {"task": row.title, "due": due.isoformat()}
            person = people[row.person_id]
            send_notice(person, "deadline_extended", once=once, url=row.url, **facts)
            moved += 1
    return moved


def _nobody(task: Task) -> str:
    label = Task.process.stage_label(task.stage)
    return _("Nobody has work on it in hand. Its stage: %(stage)s.") % {"stage": label}


KINDS = (
    Kind(
        "reminded",
        Topic.TASKS,
        gettext_lazy("The staff remind you of “%(task)s”"),
        gettext_lazy("It is waiting for you. If you cannot go on with it, tell the staff."),
        gettext_lazy("Go on with it"),
    ),
    Kind(
        "reminded_with_date",
        Topic.TASKS,
        gettext_lazy("The staff remind you of “%(task)s”, due on %(due)s"),
        gettext_lazy("It is waiting for you. You can also hand it back, with a reason."),
        gettext_lazy("Go on with it"),
    ),
    Kind(
        "reminded_late",
        Topic.TASKS,
        gettext_lazy("The staff remind you of “%(task)s”, which was due on %(due)s"),
        gettext_lazy("Your date has passed. If you cannot finish it soon, tell the staff."),
        gettext_lazy("Go on with it"),
    ),
    Kind(
        "deadline_extended",
        Topic.TASKS,
        gettext_lazy("You have more time for “%(task)s”: until %(due)s"),
        gettext_lazy("The staff moved the deadline. Nothing else has changed."),
        gettext_lazy("Go on with it"),
    ),
)
