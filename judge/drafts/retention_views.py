"""Staff: how much of the drafts survives."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render

from curation.domains.models import Domain
from curation.web import csv_export
from curation.web.refusals import NotFound
from judge.drafts.retention_queries import ENOUGH_LINES, ENOUGH_TASKS, survival

PER_PAGE = 50
HEAD = (
    "task",
    "title",
    "domain",
    "model",
    "draft_version",
    "sent_version",
    "drafted",
    "kept",
    "edited",
    "mean_change_of_edited_percent",
    "dropped",
    "added",
    "surviving_percent",
)


def staff_drafts(request: HttpRequest) -> HttpResponse:
    """Per model and per task what experts kept, edited, dropped and added."""
    domain = _domain(request)
    report = survival(domain)
    return render(
        request,
        "drafts/retention.html",
        {
            "report": report,
            "page": Paginator(report.tasks, PER_PAGE).get_page(request.GET.get("page")),
            "query": f"domain={domain}&" if domain else "",
            "domain": domain,
            "domains": [(one.key, str(one)) for one in Domain.objects.filter(external=False)],
            "enough_lines": ENOUGH_LINES,
            "enough_tasks": ENOUGH_TASKS,
        },
    )


def staff_drafts_csv(request: HttpRequest) -> StreamingHttpResponse:
    """The rows per task for a spreadsheet."""
    rows = (
        (
            row.key,
            row.title,
            row.domain,
            row.model,
            row.draft,
            row.version,
            row.fate.drafted,
            row.fate.kept,
            row.fate.edited,
            _percent(row.fate.mean_change),
            row.fate.dropped,
            row.fate.added,
            _percent(row.fate.surviving),
        )
        for row in survival(_domain(request)).tasks
    )
    return csv_export.download("drafts.csv", HEAD, rows)


def _domain(request: HttpRequest) -> str:
    """The key of the domain asked for; empty for all of them.

    Raises:
        NotFound: there is no such domain.
    """
    key = request.GET.get("domain", "")
    if key and key not in set(Domain.objects.values_list("key", flat=True)):
        raise NotFound()
    return key


def _percent(share: float | None) -> Any:
    return "" if share is None else round(100 * share, 1)
