"""Staff say which work a task is about, at any stage."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Task
from curation.tasks.work_map.models import WorkType


@action("task.administer", about="task")
@transaction.atomic
def set_work_type(*, actor: Any, task: Task, work_type: WorkType | None) -> Task:
    """Set the work type of a task, any of its domain; None for none. The text stays as it is.

    Raises:
        BadInput: the work type belongs to another domain.
    """
    if work_type is not None and work_type.domain_id != task.domain_id:
        raise BadInput(fields={"work_type": [_("This work type belongs to another domain.")]})
    task.refresh_from_db(from_queryset=Task.objects.select_for_update())  # one after the other
    if task.work_type_id == (work_type.pk if work_type else None):
        return task
    Task.objects.filter(pk=task.pk).update(work_type=work_type)
    task.work_type = work_type
    task.note("work_type_set", actor=actor, work_type=work_type.key if work_type else "")
    return task
