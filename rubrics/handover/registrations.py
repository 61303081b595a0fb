"""What passes of rubrics to another person give to the nouns below: notices, rows of data."""

from django.utils.translation import gettext_lazy as _

from curation.base.process.events import Notice
from curation.base.web.optional_urls import url_or_empty
from curation.joining.notices import notify
from curation.joining.notices.notify import Kind, Topic, send_notices
from curation.joining.people import User
from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.tasks.task import notices, text_basis
from curation.tasks.task.models import TaskEvent
from curation.tasks.task.notices import Sender
from curation.tasks.task.text_basis import independent
from rubrics.handover.models import HelpRequest, RubricHandover

notify.register(
    Kind(
        "rubric_taken_over",
        Topic.TASKS,
        _("You have the rubric of “%(task)s” now"),
        _("Read the task, go through the lines, and answer the review if there is one."),
        _("Open the rubric"),
    ),
    Kind(
        "skill_begun",
        Topic.TASKS,
        _("You write the skill “%(task)s”"),
        _("Add its checkpoints: what you look for in every answer that this label is about."),
        _("Open the checkpoints"),
    ),
    Kind(
        "rubric_given_away",
        Topic.TASKS,
        _("Another expert finishes the rubric of “%(task)s”"),
        _("What you wrote stays on record. There is nothing more you need to do."),
        _("Open the task"),
    ),
)


def _notify(side: str) -> Sender:
    """Return the sender of notices to the person whom the event names on this side."""

    def tell(row: TaskEvent, notice: Notice, kind: str) -> None:
        send_notices(
            User.objects.filter(pk=row.data.get(side)),
            kind,
            once=f"task-event-{row.pk}-{side}",
            url=url_or_empty(notice.page, row.task_id),
            task=str(row.task),
        )

    return tell


notices.register("rubric_taker", _notify("taker"))
notices.register("rubric_giver", _notify("giver"))
text_basis.register(
    *independent(
        _("It says who writes the rubric."), "rubrics.RubricHandover", "rubrics.HelpRequest"
    )
)
parts.register(
    Part("help_requests", HelpRequest, "person", ("task__key", "reason", "state", "at")),
    Part("rubrics_given", RubricHandover, "giver", ("task__key", "at")),
    Part("rubrics_taken", RubricHandover, "taker", ("task__key", "at")),
)
