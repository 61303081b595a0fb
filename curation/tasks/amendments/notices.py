"""The notices of amendments, and the one to the member of staff who proposed one."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from curation.base.process.events import Notice
from curation.joining.notices.notify import Kind, Topic, send_notice
from curation.tasks.amendments.models import Amendment
from curation.tasks.task.models import TaskEvent
from curation.tasks.task.notices import register

_TASK = _("Open the task")

KINDS = (
    Kind(
        "amendment_waiting",
        Topic.REVIEWS,
        _("An amendment in %(domain)s is waiting for a senior"),
        _(
            "“%(task)s”: its text is to be corrected. Any senior with no other role on the task "
            "may decide."
        ),
        _("See the amendments"),
    ),
    Kind(
        "amendment_by_staff",
        Topic.TASKS,
        _("Staff propose to amend the text of “%(task)s”"),
        _("A senior of the domain decides. You need not do anything until then."),
        _TASK,
    ),
    Kind(
        "amendment_refused",
        Topic.TASKS,
        _("The amendment of “%(task)s” was refused"),
        _("The text stays as it is. The senior's reason is in the history."),
        _TASK,
    ),
    Kind(
        "amendment_agreed",
        Topic.TASKS,
        _("The text of “%(task)s” is amended"),
        _("A senior agreed, and the rubric stays as it is. There is nothing you need to do."),
        _TASK,
    ),
    Kind(
        "amendment_rubric",
        Topic.TASKS,
        _("The text of “%(task)s” is amended: go through its rubric"),
        _("The senior wrote what to look at. Compare the lines with the new text, then send it."),
        _("Open the rubric"),
    ),
    Kind(
        "amendment_in_force",
        Topic.PROGRAMME,
        _("The amendment of “%(task)s” is in force"),
        _("What rested on the earlier text is left out of results. See the page of the amendment."),
        _("Open the amendment"),
    ),
)


def connect() -> None:
    """Register who is told of a decision besides the author."""
    register("proposer", notify_proposer)


def notify_proposer(row: TaskEvent, notice: Notice, kind: str) -> None:
    """Notify the member of staff who proposed the amendment; the author is told as its author."""
    amendment = Amendment.objects.select_related("proposed_by").get(pk=row.data["amendment"])
    if amendment.by_staff:
        send_notice(
            amendment.proposed_by,
            kind,
            once=f"task-event-{row.pk}-proposer",
            url=reverse("amendment", args=[amendment.pk]),
            task=str(row.task),
        )
