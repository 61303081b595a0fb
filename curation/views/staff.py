"""The staff's pages about tasks: the pipeline, the list, one task, the audit."""

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from curation import checks, spreadsheet
from curation.access import access_task
from curation.forms.tasks import (
    AuditFilter,
    PipelineFilter,
    TaskFilter,
    language_name,
    query_of,
    read_filter,
)
from curation.holding import held_on
from curation.lifecycle import Stage
from curation.models.tasks import TEXT_PARTS
from curation.places import place
from curation.queries import audit as history
from curation.queries import pipeline as flow
from curation.queries import staff as queries
from curation.queries.story import story_of
from curation.queries.tasks import last_moves, standing
from curation.text import word_count

TASKS_ON_A_PAGE = 100
EVENTS_ON_A_PAGE = 50


def staff_pipeline(request: HttpRequest) -> HttpResponse:
    """Where tasks wait and what holds them up."""
    form = read_filter(PipelineFilter, request.GET)
    return render(
        request,
        "staff/pipeline.html",
        {"form": form, "now": timezone.now(), "p": flow.pipeline(**form.cleaned_data)},
    )


def staff_tasks(request: HttpRequest) -> HttpResponse:
    """Every task, narrowed by stage, domain, origin, title or key."""
    form = read_filter(TaskFilter, request.GET)
    wanted = form.cleaned_data
    page = Paginator(
        queries.tasks_like(wanted["stage"], wanted["domain"], wanted["origin"], wanted["q"]),
        TASKS_ON_A_PAGE,
    ).get_page(wanted["page"])
    rows = queries.rows_of(page.object_list)  # type: ignore[arg-type]
    return render(
        request,
        "staff/tasks.html",
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
    task = access_task(request.user, pk, "task.administer", rows=queries.tasks_with_people())
    row = {
        "stage": task.stage,
        "screening_round": task.screening_round,
        "domain": str(task.domain),
    }
    bodies = [(part, getattr(task, part)) for part in TEXT_PARTS]
    return render(
        request,
        "staff/task.html",
        {
            "task": task,
            "parts": [(checks.part_label(p), body, word_count(body)) for p, body in bodies],
            "standing": standing(row, last_moves([task.pk]).get(task.pk)),
            "seats": queries.seats_on(task),
            "votes": queries.votes_on(task),
            "language": language_name(task.language),
            "story": list(
                zip(story_of(task, everything=True), queries.history_of(task), strict=False)
            ),
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
    filters = history.Filters(
        reader=request.user.pk or 0,
        person=wanted["person"],
        task=wanted["task"].strip(),
        kind=wanted["kind"],
        after=wanted["after"],
        before=wanted["before"],
    )
    if wanted["format"] == "csv":
        return _as_file(filters)
    page = Paginator(history.events(filters), EVENTS_ON_A_PAGE).get_page(wanted["page"])
    page.object_list = history.entries(list(page.object_list))
    return render(
        request,
        "staff/audit.html",
        {"form": form, "page": page, "query": query_of(request.GET.dict())},
    )


def _as_file(filters: history.Filters) -> HttpResponseBase:
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
        for entry in history.all_entries(filters)
    )
    return spreadsheet.download(f"audit-{timezone.localdate():%Y-%m-%d}.csv", head, rows)
