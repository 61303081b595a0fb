"""Pages on which staff and seniors label tasks, and decide on what a model proposes."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.text import storable
from curation.base.web.forms import read_filter
from curation.base.web.optional_urls import url_or_empty
from curation.base.web.slices import slice_of
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.skills import labelling, queries
from curation.tasks.skills.access import access_labelled
from curation.tasks.skills.activation import activated
from curation.tasks.skills.forms import LabelsFilter
from curation.tasks.skills.models import LabelProposal, Level, SkillLabel
from curation.tasks.skills.readings import unfinished_reading
from curation.tasks.task.fields import PARTS, label_of
from curation.tasks.task.models import Task

ON_A_PAGE = 50
SHOWN = tuple(name for name in PARTS if name != "reference_answer")


class TaskLabelsForm(forms.Form):
    """The labels that stand on a task, by level; `seen` has those that stood when it was read."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, labels: list[SkillLabel], there: set[int]) -> None:
        super().__init__(data, initial={"seen": ",".join(str(pk) for pk in sorted(there))})
        for level in Level:
            here = [label for label in labels if label.level == level]
            if here:
                self.fields[f"level_{level.value}"] = forms.TypedMultipleChoiceField(
                    choices=[(label.pk, _named(label)) for label in here],
                    coerce=int,
                    required=False,
                    label=level.label,
                    initial=[label.pk for label in here if label.pk in there],
                    widget=forms.CheckboxSelectMultiple,
                )

    def chosen(self) -> set[int]:
        """Return the ids of the labels that were ticked."""
        return {
            pk
            for name, values in self.cleaned_data.items()
            if name.startswith("level_")
            for pk in values
        }

    def clean_seen(self) -> set[int]:
        """Return the ids of the labels that stood when the page was read."""
        typed = self.cleaned_data["seen"].split(",") if self.cleaned_data["seen"] else []
        found = [storable.whole_number(pk, digits=9) for pk in typed]
        if any(pk is None for pk in found):
            raise forms.ValidationError(gettext_lazy("Load this page again."))
        return {pk for pk in found if pk is not None}


def _named(label: SkillLabel) -> str:
    text = f"{label} – {label.described}" if label.described else str(label)
    return f"{text} ({_('retired')})" if label.retired_at else text


def labels(request: HttpRequest) -> HttpResponse:
    """List the tasks that a senior or staff can label, newest first."""
    wanted = read_filter(LabelsFilter, request.GET).cleaned_data
    rows = queries.tasks_to_label(request.user)
    page = slice_of(rows, size=ON_A_PAGE, before=wanted["before"], after=wanted["after"])
    shown = list(rows.filter(pk__in=page.rows))
    return render(request, "tasks/skills/labels.html", {"rows": shown, "page": page, "query": ""})


def task_labels(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the labels of a task and what a model proposes; a POST sets them."""
    task = access_labelled(request.user, pk)
    there = set(labelling.standing(task.pk))
    form = TaskLabelsForm(request.POST or None, labels=queries.offered_labels(task), there=there)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            labelling.set_labels(
                actor=request.user,
                task=task,
                labels=form.chosen(),
                seen=form.cleaned_data["seen"],
            )
            return go(request, _("The labels are saved."), "task-labels", task.pk)
    return _page(request, task, form)


def _page(request: HttpRequest, task: Task, form: TaskLabelsForm) -> HttpResponse:
    reading = unfinished_reading(task)
    context = {
        "task": task,
        "form": form,
        "reading": reading,
        "is_read": reading is not None and not reading.failed,
        "can_label": not task.is_skill and len(form.fields) > 1,
        "activation": activated(task),
        "proposals": queries.open_proposals(task),
        "readings": list(task.proposal_rounds.order_by("-pk")[:5]),
        "ask": url_or_empty("labels-ask", task.pk),
        "parts": [
            (label_of(name, task), getattr(task, name))
            for name in SHOWN
            if not storable.is_blank(getattr(task, name))
        ],
    }
    return render(request, "tasks/skills/task_labels.html", context, status=status_of(form))


def proposal(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm or reject a label that a model proposes."""
    found = get_object_or_404(LabelProposal.objects.select_related("label", "round"), pk=pk)
    task = access_labelled(request.user, found.round.task_id)
    confirm = request.POST.get("decision") == "confirm"
    labelling.decide_proposal(actor=request.user, task=task, proposal=found, confirm=confirm)
    said = _("Confirmed: the label counts now.") if confirm else _("Rejected: it counts nowhere.")
    return go(request, said, "task-labels", task.pk)
