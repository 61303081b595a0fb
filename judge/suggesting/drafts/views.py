"""The author's page of drafts: the earlier ones, the one being written, a form for another."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.permissions import allows
from curation.base.process.lifecycle import Stage
from curation.base.web.parts import to_reload
from curation.base.web.refusals import BadInput
from curation.base.web.step import go
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task
from judge.asking.calls.models import Call
from judge.base.queue.models import MachineWork, is_awake, last_heartbeat
from judge.base.queue.send import DRAFT, FURTHER
from judge.suggesting.drafts.actions import (
    REMARKS_LIMIT,
    ask_for_draft,
    begin_without_model,
    mark_seen,
)
from judge.suggesting.drafts.models import DraftRequest
from rubrics.versions.models import RubricVersion
from rubrics.versions.task_text import task_text


@dataclass(frozen=True)
class Progress:
    """The progress of the draft that is being written.

    Attributes:
        first: whether it is the first draft, for which the rubric waits.
        since: when it was asked for.
        begun: when a worker claimed it; None while it waits for a worker.
        failed_calls: number of calls that failed so far.
        awake: whether a worker is running.
    """

    first: bool
    since: datetime
    begun: datetime | None
    failed_calls: int
    awake: bool

    @property
    def step(self) -> str:
        """Return a name that changes when there is something new to show."""
        begun = "working" if self.begun else "waiting"
        return f"{begun}-{self.failed_calls}-{int(self.awake)}"


@dataclass(frozen=True)
class Drafting:
    """The drafts of a rubric as its author sees them.

    Attributes:
        last: the newest request in any state; None without one.
        progress: None if nothing is being written.
        drafted: the drafts with lines, oldest first, each with `line_count`.
    """

    last: DraftRequest | None
    progress: Progress | None
    drafted: list[RubricVersion]

    @property
    def most(self) -> int:
        return settings.DRAFTS_PER_TASK

    @property
    def left(self) -> int:
        """Return how many more drafts the author may ask for."""
        return max(0, self.most - len(self.drafted))

    @property
    def news(self) -> DraftRequest | None:
        """Return the last request if it ended and the author has not seen that, else None."""
        last = self.last
        return last if last is not None and last.ended_at and not last.seen_at else None

    @property
    def token(self) -> str:
        """Return a token that changes when the page has something new to show."""
        if self.progress is not None:
            return self.progress.step
        return f"{self.last.state}-{self.last.pk}" if self.news and self.last else "none"


def drafting_of(task: Task) -> Drafting:
    """Return the drafts of a task and the one being written. Five queries at most."""
    last = DraftRequest.objects.filter(task=task).select_related("version").order_by("-id").first()
    drafted = (
        task.rubric_versions.filter(origin=RubricVersion.Origin.DRAFT)
        .select_related("request")
        .annotate(line_count=Count("criteria"))
        .filter(line_count__gt=0)
        .order_by("number")
    )
    return Drafting(last, _progress(task, last), list(drafted))


def _progress(task: Task, last: DraftRequest | None) -> Progress | None:
    if task.stage == Stage.DRAFTING:
        return _of(task, DRAFT, task.pk, task.stage_since)
    if last is not None and last.state == DraftRequest.State.WAITING:
        return _of(task, FURTHER, last.pk, last.asked_at)
    return None


def _of(task: Task, kind: str, object_id: int, since: datetime) -> Progress:
    work = MachineWork.objects.filter(
        kind=kind, object_id=object_id, lease_until__gt=timezone.now()
    ).first()
    return Progress(
        first=kind == DRAFT,
        since=since,
        begun=work.updated_at if work is not None and work.lease else None,
        failed_calls=Call.objects.filter(task=task, purpose=Call.Purpose.DRAFT, at__gte=since)
        .exclude(error="")
        .count(),
        awake=is_awake(last_heartbeat()),
    )


def drafts(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the drafts of a rubric with the form for another one, and take that form."""
    if request.method == "POST":
        return _ask(request, access_task(request.user, pk, "draft.ask"))
    task = access_task(request.user, pk, "draft.view")
    reply = _page(request, task)
    if allows(request.user, "draft.ask", task):
        mark_seen(task)
    return reply


def _ask(request: HttpRequest, task: Task) -> HttpResponse:
    way = request.POST.get("way", "")
    if way in ("rule", "nothing") and task.stage == Stage.DRAFTING:
        begin_without_model(actor=request.user, task=task, by_rule=way == "rule")
        return go(
            request,
            _("Your rubric is open. What the model still writes is kept beside it."),
            "rubric",
            task.pk,
        )
    try:
        ask_for_draft(
            actor=request.user,
            task=task,
            remarks=request.POST.get("remarks", ""),
            by_rule=way == "rule",
        )
    except BadInput as refusal:
        return _page(
            request,
            task,
            remarks=request.POST.get("remarks", ""),
            errors=[str(words) for words in refusal.fields.get("remarks", [refusal.detail])],
        )
    return go(
        request,
        _("Requested. You can go on working; your own lines stay as they are."),
        "rubric-drafts",
        task.pk,
    )


def _page(
    request: HttpRequest, task: Task, *, remarks: str = "", errors: list[str] | None = None
) -> HttpResponse:
    found = drafting_of(task)
    failed = found.last if found.last is not None and found.last.failure else None
    return render(
        request,
        "suggesting/drafts/drafts.html",
        {
            "task": task_text(task.pk),
            "stage": task.stage,
            "stage_label": Stage(task.stage).label,
            "is_author": allows(request.user, "draft.ask", task),
            "is_open": task.stage == Stage.REFINING,
            "found": found,
            "failed": failed,
            "at": "page",
            "remarks": remarks or (failed.remarks if failed else ""),
            "errors": errors or [],
            "limit": REMARKS_LIMIT,
        },
        status=400 if errors else 200,
    )


def drafts_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the fragment that shows the progress of a draft; 204 while nothing has changed.

    It is part of the page of drafts (`at=page`), of the workbench (`at=bench`) and of the page
    that waits for the first draft (`at=read`).
    """
    task = access_task(request.user, pk, "draft.ask")
    at = request.GET.get("at", "page")
    found = drafting_of(task)
    seen = request.GET.get("seen")
    if seen == found.token:
        return HttpResponse(status=204)
    context: dict[str, Any] = {
        "task": task_text(task.pk),
        "found": found,
        # Show the end to a page that followed the draft, even if another tab has shown it.
        "news": found.news or (seen is not None and found.progress is None and found.last),
        "failed": found.last if found.last is not None and found.last.failure else None,
        "at": at if at in ("page", "bench", "read") else "page",
    }
    reply = render(request, "rubrics/parts/drafting.html", context)
    if seen is not None and found.progress is None and context["at"] != "bench":
        return to_reload(reply)  # other parts of the page have changed too
    return reply
