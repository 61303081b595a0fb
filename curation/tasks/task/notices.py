"""The notices of a task's events, sent when its history row is saved."""

from collections.abc import Callable

from django.urls import reverse

from curation.base.process.events import Notice
from curation.base.web.optional_urls import url_or_empty
from curation.joining.notices.notify import domain_facts, send_notices, seniors_of
from curation.joining.notices.saved_rows import on_saved
from curation.joining.people import User
from curation.tasks.task.events import EVENTS
from curation.tasks.task.models import Seat, TaskEvent
from curation.tasks.task.queries import kept_off

Sender = Callable[[TaskEvent, Notice, str], None]
_senders: dict[str, Sender] = {}


def register(to: str, sender: Sender) -> None:
    """Register the sender for one kind of recipient of notices about tasks.

    Args:
        to: the kind of recipient, as `Notice.to` names it.
        sender: called with the history row, the notice of its event, and the notice's kind.
    """
    _senders[to] = sender


def task_moved(row: TaskEvent, created: bool) -> None:
    """Send the notices of the event of this history row."""
    event = EVENTS.of(row.from_stage, row.to_stage, row.data)
    if not created or event is None:
        return
    for notice in event.notices:
        if kind := notice.kind_for(row.data):
            _senders[notice.to](row, notice, kind)


def notify_author(row: TaskEvent, notice: Notice, kind: str) -> None:
    """Notify the author of what others did with the task.

    Whoever took the rubric over hears of it too, and of the work on the rubric in place of the
    author.
    """
    task = row.task
    work = notice.page.startswith("rubric")
    people = {task.author, task.rubric_author} if not work else {task.rubric_author or task.author}
    if task.collection is not None and not work:  # it has no author: who entered it is told
        people.add(task.collection.entered_by)
    told = [p for p in people if p is not None and p.pk != row.actor_id]
    url = url_or_empty(notice.page, task.pk) or reverse("task", args=[task.pk])
    facts = {"n": row.data.get(notice.count, 0)} if notice.count else {}
    send_notices(told, kind, once=f"task-event-{row.pk}", url=url, task=str(task), **facts)


def notify_seniors(row: TaskEvent, notice: Notice, kind: str) -> None:
    """Notify the seniors of the domain without a seat on the task or a conflict with its author."""
    task = row.task
    free = (
        seniors_of(task.domain_id)
        .exclude(pk__in=kept_off(task))
        .exclude(pk__in=Seat.objects.filter(task=task).values("user"))
    )
    send_notices(
        free,
        kind,
        once=f"task-event-{row.pk}",
        url=reverse(notice.page),
        task=str(task),
        **domain_facts(task.domain),
    )


def notify_staff(row: TaskEvent, notice: Notice, kind: str) -> None:
    """Notify the staff with the duty of editing who wrote neither the task nor its rubric."""
    task = row.task
    staff = User.objects.filter(is_staff=True, does_editing=True, is_active=True).exclude(
        pk__in=[pk for pk in (task.author_id, task.rubric_author_id) if pk is not None]
    )
    send_notices(
        staff,
        kind,
        once=f"task-event-{row.pk}-staff",
        url=reverse(notice.page, args=[task.pk]),
        task=str(task),
        **domain_facts(task.domain),
    )


def connect() -> None:
    """Connect the receiver of a task's events, and those whom every task can tell."""
    on_saved(TaskEvent, task_moved)
    register("author", notify_author)
    register("seniors", notify_seniors)
    register("staff", notify_staff)
