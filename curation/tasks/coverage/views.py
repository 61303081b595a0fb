"""Staff's pages of the work maps: what they say, and how tasks cover them."""

from typing import Any

from django import forms
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.access.action import action
from curation.base.web.optional_urls import url_or_empty
from curation.base.web.refusals import BadInput
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.coverage.chart import coverage_chart, histogram
from curation.tasks.coverage.queries import coverage_of, domain_rows
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task
from curation.tasks.work_map.forms import WorkTypeChoice
from curation.tasks.work_map.models import WorkType
from curation.tasks.work_map.queries import domain_of, history_of


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


def work_maps(request: HttpRequest) -> HttpResponse:
    """List the domains with the numbers of their maps."""
    return render(request, "tasks/coverage/list.html", {"rows": domain_rows()})


def work_map(request: HttpRequest, key: str) -> HttpResponse:
    """Show the map of a domain, how tasks cover it, and what is missing."""
    domain = domain_of(key)
    found = coverage_of(domain)
    pictures = {}
    for name, narrow in (("wide", False), ("narrow", True)):
        pictures[name] = {
            "coverage": coverage_chart(found.rows, title=found.sentence, narrow=narrow),
            "category": histogram(found.by_category, title=_("Tasks by category"), narrow=narrow),
            "type": histogram(found.by_type, title=_("Tasks by work type"), narrow=narrow),
            "minutes": histogram(
                found.by_minutes, title=_("Tasks by the time a person needs"), narrow=narrow
            ),
        }
    context = {
        "domain": domain,
        "coverage": found,
        "pictures": pictures,
        "first_step": found.first_step,
        "history": history_of(domain),
        "can_export": bool(found.rows or found.retired),
    }
    return render(request, "tasks/coverage/map.html", context)


class TaskWorkTypeForm(forms.Form):
    work_type = WorkTypeChoice(required=False, label=gettext_lazy("Work type"))


def task_work_type(request: HttpRequest, pk: int) -> HttpResponse:
    """Set the work type of a task."""
    task = access_task(request.user, pk, "task.oversee")
    initial = {"work_type": task.work_type.key if task.work_type else ""}
    form = TaskWorkTypeForm(request.POST or None, initial=initial)
    choice = form.fields["work_type"]
    assert isinstance(choice, WorkTypeChoice)
    choice.offer_types([task.domain_id], first=task.domain_id, every=True, held=task.work_type_id)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            key = form.cleaned_data["work_type"]
            rows = WorkType.objects.filter(domain=task.domain_id, key=key)
            chosen = rows.first() if key else None
            if key and chosen is None:
                form.add_error("work_type", _("The domain has no work type with this key."))
            else:
                set_work_type(actor=request.user, task=task, work_type=chosen)
                back = url_or_empty("staff-task", task.pk)
                return go(request, _("Saved."), back)
    context = {"task": task, "form": form}
    return render(request, "tasks/coverage/task.html", context, status=status_of(form))
