"""Registration of tasks as holders of files: the materials of a prompt."""

from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.tasks.attachments.holders import Holder
from curation.tasks.task.models import Task
from curation.tasks.task.queries import may_view_the_task, writes_it_for_its_owner

HOLDER = Holder(
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
