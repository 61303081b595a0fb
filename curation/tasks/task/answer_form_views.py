"""The author's page of the form of the answer."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.lifecycle import Stage
from curation.base.web.fields import set_numbers
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.task.answer_form_actions import set_answer_form
from curation.tasks.task.demands import FIELDS, demand_of, names_of, pools
from curation.tasks.task.fields import Field, Kind
from curation.tasks.task.models import AnswerForm, Task
from curation.tasks.task.queries import access_task

# What each form asks of its author, and how answers are judged.
EXPLAINED = {
    AnswerForm.TEXT: gettext_lazy("Its rubric has many lines, each TRUE or FALSE."),
    AnswerForm.EXACT: gettext_lazy(
        "Its answer has steps with sources, and two colleagues solve the task before it is kept."
    ),
    AnswerForm.LIST: gettext_lazy(
        "Its rubric is the gold list: one right item on each line, other names after “|”."
    ),
    AnswerForm.PROFILE: gettext_lazy(
        "Its rubric is a list of questions about the subject, each with its right answer after “|”."
    ),
    AnswerForm.SELECTION: gettext_lazy(
        "Its rubric is a list of conditions: Essential lines are necessary, others flexible."
    ),
}
NO_POOL = ("", gettext_lazy("Not chosen yet"))


def form_choices() -> list[tuple[str, Any]]:
    """Return the forms of answers with their names."""
    return [(form.value, form.label) for form in AnswerForm]


class AnswerFormForm(forms.Form):
    """What an answer looks like, and what its form demands; a form has some of the fields only."""

    answer_form = forms.ChoiceField(
        label=gettext_lazy("What an answer looks like"),
        choices=form_choices,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields |= {field.name: _form_field(field) for field in FIELDS}
        set_numbers(self.fields.values())

    @classmethod
    def of(cls, task: Task) -> "AnswerFormForm":
        """Return the form with what is saved."""
        return cls(initial={"answer_form": task.answer_form, **(demand_of(task) or {})})

    def values(self) -> dict[str, Any]:
        """Return the arguments of `set_answer_form`; boxes of other forms are ignored."""
        form = self.cleaned_data["answer_form"]
        demand = {name: self.cleaned_data[name] for name in names_of(form)}
        return {"answer_form": form, "demand": demand}


def _form_field(field: Field) -> forms.Field:
    given = {"required": False, "label": field.label, "help_text": field.help_text}
    if field.name == "pool":
        return forms.ChoiceField(choices=lambda: [NO_POOL, *pools()], **given)
    if field.kind is Kind.NUMBER:
        return forms.IntegerField(min_value=1, max_value=field.limit, **given)
    return forms.CharField(max_length=field.limit, **given)


def task_form(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what an answer to a draft looks like and what it demands; a POST changes both."""
    task = access_task(request.user, pk, "task.write")
    if request.method != "POST" and task.stage != Stage.DRAFT:
        return redirect("task", task.pk)
    form = AnswerFormForm(request.POST) if request.method == "POST" else AnswerFormForm.of(task)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            set_answer_form(actor=request.user, task=task, **form.values())
            to = "task-answer" if task.answer_form == AnswerForm.EXACT else "task-edit"
            return go(request, _("Saved."), to, task.pk)
    context = {
        "task": task,
        "form": form,
        "explained": [(option.label, EXPLAINED[option]) for option in AnswerForm],
        "demand": [form[name] for name in ("number", "what")],
        "pool": form["pool"] if pools() else None,
        "fixed": task.screening_round > 0,
    }
    return render(request, "tasks/answer_forms/form.html", context, status=status_of(form))
