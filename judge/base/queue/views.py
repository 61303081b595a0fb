"""The page of background work."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.web.step import go
from judge.base.queue import actions
from judge.base.queue.failing import failing_work, name_of
from judge.base.queue.models import MachineWork, is_awake, last_heartbeat


def staff_jobs(request: HttpRequest) -> HttpResponse:
    """Show what the worker does, and what failed."""
    heartbeat = last_heartbeat()
    at_work = MachineWork.objects.exclude(lease="").order_by("updated_at", "pk")
    return render(
        request,
        "jobs/jobs.html",
        {
            "heartbeat": heartbeat,
            "awake": is_awake(heartbeat),
            "failing": list(failing_work()),
            "at_work": [(name_of(row.kind), row) for row in at_work],
        },
    )


def staff_job_again(request: HttpRequest, pk: int) -> HttpResponse:
    """Try a piece of failed work again."""
    actions.try_again(actor=request.user, pk=pk)
    return go(request, _("It is tried again within half a minute."), "staff-jobs")
