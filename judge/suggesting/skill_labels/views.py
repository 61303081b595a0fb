"""The step that asks a model to propose labels for a task."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from curation.base.web.step import go
from curation.tasks.skills.access import access_labelled
from judge.suggesting.skill_labels.actions import ask_for_labels


def labels_ask(request: HttpRequest, pk: int) -> HttpResponse:
    """Have a model propose labels for a task, in the background."""
    task = access_labelled(request.user, pk)
    ask_for_labels(actor=request.user, task=task)
    said = _("Asked. What the model proposes appears here in a minute; load the page again.")
    return go(request, said, "task-labels", task.pk)
