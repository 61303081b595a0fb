"""The staff's pages about tasks: the pipeline, the list, one task, the audit."""

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.activity import audit
from curation.authoring.forms import language_name
from curation.panels.queries import votes_on
from curation.pipeline import queries as flow
from curation.pipeline import task_queries
from curation.pipeline.forms import AuditFilter, PipelineFilter, TaskFilter
from curation.process.lifecycle import Stage
from curation.tasks.access import access_task
from curation.tasks.fields import TEXT_PARTS, facts_of, label_of
from curation.tasks.held_work import held_on
from curation.tasks.history import story_of
from curation.tasks.queries import last_moves, standing
from curation.text.storable import word_count
from curation.web import csv_export
from curation.web.forms import query_of, read_filter
from curation.web.safe_redirects import place

TASKS_ON_A_PAGE = 100
EVENTS_ON_A_PAGE = 50


def staff_pipeline(request: HttpRequest) -> HttpResponse:
    """Where tasks wait and what holds them up."""
    form = read_filter(PipelineFilter, request.GET)
    return render(
        request,
        "pipeline/pipeline.html",
        {"form": form, "now": timezone.now(), "p": flow.pipeline(**form.cleaned_data)},
    )


def staff_tasks(request: HttpRequest) -> HttpResponse:
    """Every task, narrowed by stage, domain, origin, title or key."""
    form = read_filter(TaskFilter, request.GET)
    wanted = form.cleaned_data
    page = Paginator(
        task_queries.tasks_like(wanted["stage"], wanted["domain"], wanted["origin"], wanted["q"]),
        TASKS_ON_A_PAGE,
    ).get_page(wanted["page"])
    rows = task_queries.rows_of(page.object_list)  # type: ignore[arg-type]
    return render(
        request,
        "pipeline/tasks.html",
        {
            "form": form,
            "page": page,
            "rows": rows,
            "query": query_of(request.GET.dict()),
            "narrowed": any(v for k, v in wanted.items() if k != "page"),
        },
    )


def staff_task(request: HttpRequest, pk: int) -> HttpResponse:
    """One task with its people, its whole history and what staff may do with it."""
    task = access_task(request.user, pk, "task.administer", rows=task_queries.tasks_with_people())
    row = {
        "stage": task.stage,
        "screening_round": task.screening_round,
        "domain": str(task.domain),
    }
    bodies = [(part, getattr(task, part)) for part in TEXT_PARTS]
    return render(
        request,
        "pipeline/task.html",
        {
            "task": task,
            "parts": [(label_of(p), body, word_count(body)) for p, body in bodies],
            "standing": standing(row, last_moves([task.pk]).get(task.pk)),
            "seats": task_queries.seats_on(task),
            "votes": votes_on(task),
            "language": language_name(task.language),
            "story": list(
                zip(story_of(task, everything=True), task_queries.history_of(task), strict=False)
            ),
            "facts": facts_of(task),
            "held": held_on(task),
            "steps": _steps(task),
        },
    )


def _steps(task: Any) -> list[dict[str, Any]]:
    """What staff may do with the task at its stage; each has a page of its own that asks why."""
    wanted = [
        (
            task.stage == Stage.IN_REVIEW,
            _("Assign a reviewer …"),
            place("staff-review-assign", task.pk),
        ),
        (
            task.stage == Stage.DECIDING,
            _("Give one more round …"),
            place("staff-one-more-round", task.pk),
        ),
        (task.stage == Stage.SCREENING, _("Open its panel"), place("staff-panel", task.pk)),
        (task.stage == Stage.APPROVED, _("Have responses scored …"), _sheets_of(task)),
        (task.stage == Stage.APPROVED, _("Reopen …"), place("staff-task-reopen", task.pk)),
        (
            task.stage == Stage.APPROVED,
            _("Discard …"),
            place("staff-task-discard", task.pk),
        ),
    ]
    return [
        {"label": label, "url": url, "danger": url.endswith("discard/")}
        for possible, label, url in wanted
        if possible and url and not task.external
    ]


def _sheets_of(task: Any) -> str:
    """Where staff choose who scores the responses to a task."""
    url = place("staff-sheets")
    return f"{url}?{urlencode({'task': task.key})}" if url else ""


def staff_audit(request: HttpRequest) -> HttpResponseBase:
    """Everything that happened to tasks and applications; also as a file."""
    form = read_filter(AuditFilter, request.GET)
    wanted = form.cleaned_data
    filters = audit.Filters(
        reader=request.user.pk or 0,
        person=wanted["person"],
        task=wanted["task"].strip(),
        kind=wanted["kind"],
        after=wanted["after"],
        before=wanted["before"],
    )
    if wanted["format"] == "csv":
        return _as_file(filters)
    page = Paginator(audit.events(filters), EVENTS_ON_A_PAGE).get_page(wanted["page"])
    page.object_list = audit.entries(list(page.object_list))
    return render(
        request,
        "activity/audit.html",
        {"form": form, "page": page, "query": query_of(request.GET.dict())},
    )


def _as_file(filters: audit.Filters) -> HttpResponseBase:
    head = (
        _("Time (UTC)"),
        _("Person"),
        _("Kind"),
        _("Number"),
        _("Name"),
        _("From"),
        _("To"),
        _("Event"),
        _("Reason"),
    )
    rows = (
        (
            entry.at.isoformat(timespec="seconds"),
            entry.actor,
            entry.kind,
            entry.thing_id,
            entry.thing,
            entry.from_stage,
            entry.to_stage,
            entry.event,
            entry.reason,
        )
        for entry in audit.all_entries(filters)
    )
    return csv_export.download(f"audit-{timezone.localdate():%Y-%m-%d}.csv", head, rows)
