"""The author's page of the form of the answer."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.task.access import access_task
from curation.tasks.task.answer_form_actions import set_answer_form
from curation.tasks.task.answer_form_forms import EXPLAINED, AnswerFormForm
from curation.tasks.task.demands import pools
from curation.tasks.task.models import AnswerForm


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
