"""The page on which staff retire a task from draws, and put it back."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.base.web.forms import ReasonForm
from curation.base.web.once import once
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.task.queries import access_task
from judge.base.gold_sets import retirements as actions
from judge.base.gold_sets import retirements as queries


@once
def retirement(request: HttpRequest, pk: int) -> HttpResponse:
    """Show whether a task is retired from draws; retire it, or put it back, with a reason."""
    task = access_task(request.user, pk, "task.oversee")
    wanted = request.POST.get("step", "")
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        reason = form.cleaned_data["reason"]
        with refused_at(form):
            if wanted == "put_back":
                actions.put_back(actor=request.user, task=task, reason=reason)
                said = _("Back in draws. New draws can take the task again.")
            else:
                actions.retire_task(actor=request.user, task=task, reason=reason)
                said = _("Retired. No new draw takes the task; no score has changed.")
            return go(request, said, "task-retirement", task.pk)
    history = queries.retirements_of(task)
    return render(
        request,
        "base/retirements/retirement.html",
        {
            "task": task,
            "form": form,
            "history": history,
            "now": next((row for row in history if row.ended_at is None), None),
            "possible": task.stage == Stage.APPROVED and not task.external and not task.is_skill,
        },
        status=status_of(form),
    )
