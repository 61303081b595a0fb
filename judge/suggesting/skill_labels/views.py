"""The step that asks a model to propose labels for a task."""

from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.refusals import Conflict
from curation.base.web.step import go
from curation.tasks.skills.access import access_labelled
from curation.tasks.skills.labelling import refuse_unlabelled
from curation.tasks.skills.models import SkillLabel
from curation.tasks.task.models import Task
from judge.base.queue.send import send
from judge.suggesting.skill_labels.models import LabelRequest


@action("task.label", about="task")
@transaction.atomic
def ask_for_labels(*, actor: Any, task: Task) -> LabelRequest:
    """Queue a reading of a task by the programme's model for labels, or by the offline rules.

    Raises:
        Conflict: `no_labels`, the task can have none; `being_read`, a reading is queued already.
    """
    refuse_unlabelled(task)
    if not SkillLabel.objects.filter(domain=task.domain_id, retired_at__isnull=True).exists():
        raise Conflict(_("The domain has no label yet."), code="no_labels")
    try:
        with transaction.atomic():
            request = LabelRequest.objects.create(task=task, asked_by=actor)
    except IntegrityError:
        raise Conflict(
            _("A model is reading this task already. Load the page again in a minute."),
            code="being_read",
        ) from None
    transaction.on_commit(partial(send, "propose_labels", request.pk))
    return request


def labels_ask(request: HttpRequest, pk: int) -> HttpResponse:
    """Have a model propose labels for a task, in the background."""
    task = access_labelled(request.user, pk)
    ask_for_labels(actor=request.user, task=task)
    said = _("Asked. What the model proposes appears here in a minute; load the page again.")
    return go(request, said, "task-labels", task.pk)
