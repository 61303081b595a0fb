"""What tasks give to the nouns below; they hold the materials of a prompt."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from curation.base.process.lifecycle import Stage
from curation.tasks.attachments import holders
from curation.tasks.attachments.holders import Holder
from curation.tasks.task import notices, text_basis
from curation.tasks.task.models import Task
from curation.tasks.task.queries import may_view_the_task, writes_it_for_its_owner
from curation.tasks.task.text_basis import independent, records

holders.register(
    Holder(
        kind="task",
        model=Task,
        related=("domain",),
        blind=True,
        owner_id=lambda thing: thing.author_id,
        is_open=lambda thing: thing.stage == Stage.DRAFT,
        page=lambda thing: reverse("task-edit", args=[thing.pk]),
        readers=[may_view_the_task],
        writers=(writes_it_for_its_owner,),
    )
)
notices.connect()
text_basis.register(
    *records(_("It is written when something happens, and never changed."), "curation.TaskEvent"),
    *records(_("It keeps the texts themselves."), "curation.TextVersion"),
    *independent(_("It says who holds a role or a slot."), "curation.Seat", "curation.Slot"),
    *independent(_("Files are no part of an amendment."), "curation.Attachment"),
    *independent(
        _("It is the text itself."),
        "curation.Task",
        "curation.ExactAnswer",
        "curation.SolutionStep",
    ),
)
