"""Staff's pages about tasks: the pipeline, the list, one task, the audit."""

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.lists.page import list_response
from curation.base.process.lifecycle import Stage
from curation.base.text.storable import word_count
from curation.base.web import csv_export
from curation.base.web.forms import query_of, read_filter
from curation.base.web.optional_urls import url_or_empty
from curation.screening.panels.queries import votes_on
from curation.staff.pipeline import queries
from curation.staff.pipeline.forms import AuditFilter, PipelineFilter
from curation.staff.pipeline.task_list import TASKS
from curation.tasks.amendments.queries import amendments_of
from curation.tasks.authoring.forms import language_name
from curation.tasks.business.reverification_queries import is_asked
from curation.tasks.skills.activation import activated
from curation.tasks.task.demands import in_words
from curation.tasks.task.exact_queries import exact_page
from curation.tasks.task.fields import answers_exactly, facts_of, shown_parts
from curation.tasks.task.history import history_entries
from curation.tasks.task.holding import held_on
from curation.tasks.task.models import Change, Seat, Task
from curation.tasks.task.queries import access_task, last_moves, task_status
from curation.tasks.task.text_basis import AMENDABLE
from curation.telling.activity import audit
from curation.telling.activity.audit import AuditEntry, AuditFilters, entries, events


def tasks_with_people() -> QuerySet[Task]:
    """Return tasks with the related rows that the staff's page shows."""
    return Task.objects.select_related("domain", "category", "author", "rubric_author", "slot")


def seats_on(task: Task) -> list[Seat]:
    """Return the seats on a task in the order they were taken. One query."""
    return list(task.seats.select_related("user").order_by("taken_at", "id"))


def history_of(task: Task) -> list[AuditEntry]:
    """Return who moved the task, when and why, oldest first. Three queries."""
    rows = list(events(AuditFilters(task=str(task.pk), kind="task")))
    return entries(rows[::-1])


EVENTS_ON_A_PAGE = 50
# Where the rubric of a collected task, which has no author, is given to an expert already.
BEFORE_REFINING = (Stage.SUBMITTED, Stage.SCREENING, Stage.DRAFTING)


def staff_pipeline(request: HttpRequest) -> HttpResponse:
    """Show where tasks wait, and the bottlenecks."""
    form = read_filter(PipelineFilter, request.GET)
    return render(
        request,
        "staff/pipeline/pipeline.html",
        {"form": form, "now": timezone.now(), "p": queries.pipeline(**form.cleaned_data)},
    )


def staff_tasks(request: HttpRequest) -> HttpResponseBase:
    """Show all tasks, filtered and sorted; also as a file."""
    return list_response(request, TASKS, "staff/pipeline/tasks.html")


def staff_task(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a task with its people, its whole history and the steps open to staff."""
    task = access_task(request.user, pk, "task.oversee", rows=tasks_with_people())
    row = {
        "stage": task.stage,
        "screening_round": task.screening_round,
        "domain": str(task.domain),
        "rubric_author_id": task.rubric_author_id,
    }
    return render(
        request,
        "staff/pipeline/task.html",
        {
            "task": task,
            "parts": [(label, body, word_count(body)) for _p, label, body in shown_parts(task)],
            "status": task_status(row, last_moves([task.pk]).get(task.pk)),
            "seats": seats_on(task),
            "votes": votes_on(task),
            "language": language_name(task.language),
            "story": list(
                zip(
                    history_entries(task, everything=True),
                    history_of(task),
                    strict=False,
                )
            ),
            "facts": [*in_words(task), *facts_of(task)],
            "exact": exact_page(task),
            "held": held_on(task),
            "amendments": amendments_of(task),
            "steps": _steps(task),
            "activation": activated(task) if not task.is_skill else None,
        },
    )


def _steps(task: Any) -> list[dict[str, Any]]:
    """Return the steps open to staff at the task's stage, each with its own page."""
    exact = answers_exactly(task)  # its rubric is one line, which nobody refines
    wanted = [
        (
            task.stage == Stage.IN_REVIEW,
            _("Assign a reviewer …"),
            url_or_empty("staff-review-assign", task.pk),
        ),
        (
            task.stage == Stage.DECIDING,
            _("Give one more round …"),
            url_or_empty("staff-one-more-round", task.pk),
        ),
        (task.stage == Stage.SCREENING, _("Open its panel"), url_or_empty("staff-panel", task.pk)),
        (
            task.stage == Stage.APPROVED and not task.is_skill,
            _("Have responses scored …"),
            _sheets_of(task),
        ),
        (task.stage_spec.stopped, _("Take back …"), url_or_empty("staff-task-take-back", task.pk)),
        (
            task.stage in AMENDABLE and task.stage != Stage.APPROVED and not exact,
            _("Hand the rubric over …"),
            url_or_empty("staff-rubric-author", task.pk),
        ),
        (
            task.collected and task.stage in BEFORE_REFINING,
            _("Give the rubric to an expert …"),
            url_or_empty("staff-rubric-author", task.pk),
        ),
        (task.collected, _("Owner and permission"), url_or_empty("business-task", task.pk)),
        (
            task.change == Change.DYNAMIC and task.stage in AMENDABLE and not is_asked(task),
            _("Verify the answer again …"),
            url_or_empty("task-reverify", task.pk),
        ),
        (not task.is_skill, _("Set the work type …"), url_or_empty("task-work-type", task.pk)),
        (
            task.stage in AMENDABLE and not task.is_skill,
            _("Amend the text …"),
            url_or_empty("task-amend", task.pk),
        ),
        (
            not task.is_skill and task.stage != Stage.DRAFT,
            _("Label it …"),
            url_or_empty("task-labels", task.pk),
        ),
        (
            not task.is_skill and task.stage != Stage.DRAFT,
            _("Its checklist …"),
            url_or_empty("query-checklist", task.pk),
        ),
        (
            task.stage == Stage.APPROVED and not exact,
            _("Reopen …"),
            url_or_empty("staff-task-reopen", task.pk),
        ),
        (
            task.stage == Stage.APPROVED and not task.is_skill,
            _("Retire from draws …"),
            url_or_empty("task-retirement", task.pk),
        ),
        (
            task.stage == Stage.APPROVED,
            _("Discard …"),
            url_or_empty("staff-task-discard", task.pk),
        ),
    ]
    return [
        {"label": label, "url": url, "danger": url.endswith("discard/")}
        for possible, label, url in wanted
        if possible and url and not task.external
    ]


def _sheets_of(task: Any) -> str:
    """Return the address where staff choose who scores the responses to a task."""
    url = url_or_empty("staff-sheets")
    return f"{url}?{urlencode({'task': task.key})}" if url else ""


def staff_audit(request: HttpRequest) -> HttpResponseBase:
    """Show who did what to tasks, people, runs, prices and releases; also as a file."""
    form = read_filter(AuditFilter, request.GET)
    wanted = form.cleaned_data
    filters = audit.AuditFilters(
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
        "telling/activity/audit.html",
        {"form": form, "page": page, "query": query_of(request.GET.dict())},
    )


def _as_file(filters: audit.AuditFilters) -> HttpResponseBase:
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
            entry.thing_id or "",
            entry.thing,
            entry.from_stage,
            entry.to_stage,
            entry.event,
            entry.reason,
        )
        for entry in audit.all_entries(filters)
    )
    return csv_export.download(f"audit-{timezone.localdate():%Y-%m-%d}.csv", head, rows)
