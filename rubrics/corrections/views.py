"""The page on which an author compares the rubric with the amended text."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from curation.base.web.step import go, refused_at, status_of
from curation.tasks.task.access import access_task
from curation.tasks.task.models import Task
from rubrics.corrections.actions import confirm_rubric
from rubrics.corrections.forms import ConfirmForm
from rubrics.corrections.queries import amended_text
from rubrics.lines import history
from rubrics.versions.actions import open_version_of
from rubrics.versions.queries import is_behind_the_text, working_version


def amended(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what changed in the text and the lines it touches; a POST confirms the rubric."""
    task = access_task(request.user, pk, "rubric.refine")
    if request.method == "GET" and not _behind(task):
        return redirect("rubric", task.pk)
    version = open_version_of(task)
    found = amended_text(task, version, history.in_order(version))
    form = ConfirmForm(
        request.POST if request.method == "POST" else None,
        touched=found.touched,
        initial={"text_version": task.version},
    )
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            confirm_rubric(actor=request.user, task=task, **form.cleaned_data)
            return go(
                request,
                _("Confirmed. Send the rubric to review when it is ready."),
                "rubric",
                task.pk,
            )
    return render(
        request,
        "rubric_corrections/amended.html",
        {"task": task, "version": version, "found": found, "form": form},
        status=status_of(form),
    )


def _behind(task: Task) -> bool:
    """Return whether the rubric is open, and not compared with the present text yet."""
    version = working_version(task)
    return version is not None and is_behind_the_text(version, task)
