"""Pages of a rubric that passes to another expert."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.web.forms import ReasonForm, reason_field
from curation.base.web.once import once
from curation.base.web.refusals import shown_at
from curation.base.web.step import go, refused_at, status_of
from curation.joining.people import User
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task
from rubrics.handover import actions, models
from rubrics.handover.models import RubricHandover


class HandoverForm(forms.Form):
    """Who takes the rubric over, and why."""

    taker = forms.TypedChoiceField(label=gettext_lazy("Who takes it over"), coerce=int)
    reason = reason_field(help_text=gettext_lazy("Only staff read it."))

    def __init__(self, *args: Any, people: Iterable[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["taker"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [
            ("", gettext_lazy("Choose an expert")),
            *((one.pk, f"{one.name_for_staff} · {one.pseudonym}") for one in people),
        ]


@once
def ask(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for another expert to finish one's rubric."""
    task = access_task(request.user, pk, "rubric.refine")
    with shown_at(reverse("rubric", args=[task.pk])):
        actions.refuse_unless_open(task)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            actions.ask_for_help(actor=request.user, task=task, reason=form.cleaned_data["reason"])
            return go(
                request,
                _("Staff look for another expert. Until then the rubric stays with you."),
                "rubric-help",
                task.pk,
            )
    return render(
        request,
        "rubric_handover/help.html",
        {"task": task, "form": form, "asked": models.open_request(task)},
        status=status_of(form),
    )


def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw the request for help."""
    task = access_task(request.user, pk, "rubric.refine")
    actions.withdraw_request(actor=request.user, task=task)
    return go(request, _("Withdrawn. The rubric stays with you."), "rubric", task.pk)


@once
def hand_over(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a rubric to another expert, by staff."""
    rows = Task.objects.select_related("domain", "category", "author", "rubric_author")
    task = access_task(request.user, pk, "task.oversee", rows=rows)
    with shown_at(reverse("staff-task", args=[task.pk])):
        actions.refuse_unless_open(task)
    people = list(models.eligible_takers(task))
    form = HandoverForm(request.POST if request.method == "POST" else None, people=people)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            actions.hand_over_rubric(
                actor=request.user,
                task=task,
                taker=User.objects.get(pk=form.cleaned_data["taker"]),
                reason=form.cleaned_data["reason"],
            )
            return go(
                request,
                _("Handed over. The new author has the rubric and was told."),
                "staff-task",
                task.pk,
            )
    return render(
        request,
        "rubric_handover/hand_over.html",
        {
            "task": task,
            "writer": task.rubric_author or task.author,
            "form": form,
            "nobody": not people,
            "asked": models.open_request(task),
            "earlier": RubricHandover.objects.filter(task=task).select_related(
                "giver", "taker", "by"
            ),
        },
        status=status_of(form),
    )
