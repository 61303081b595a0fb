"""Staff's pages of the work maps: what they say, and how tasks cover them."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.web.optional_urls import url_or_empty
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.coverage.actions import set_work_type
from curation.tasks.coverage.chart import coverage_chart, histogram
from curation.tasks.coverage.queries import coverage_of, domain_rows
from curation.tasks.task.access import access_task
from curation.tasks.work_map.forms import WorkTypeChoice
from curation.tasks.work_map.models import WorkType
from curation.tasks.work_map.queries import domain_of, history_of


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
    """The work type of a task."""

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
