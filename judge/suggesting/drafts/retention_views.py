"""Staff's pages on how much of the drafts is retained."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render

from curation.base.web import csv_export
from curation.base.web.refusals import NotFound
from curation.joining.domains.models import Domain
from judge.suggesting.drafts.retention_queries import ENOUGH_LINES, ENOUGH_TASKS, retention_report

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
    """Show by model and by task what experts kept, edited, dropped and added."""
    domain = _domain(request)
    report = retention_report(domain)
    return render(
        request,
        "suggesting/drafts/retention.html",
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
    """Download the rows by task as CSV."""
    rows = (
        (
            row.key,
            row.title,
            row.domain,
            row.model,
            row.draft,
            row.version,
            row.retention.drafted,
            row.retention.kept,
            row.retention.edited,
            _percent(row.retention.mean_change),
            row.retention.dropped,
            row.retention.added,
            _percent(row.retention.surviving),
        )
        for row in retention_report(_domain(request)).tasks
    )
    return csv_export.download("drafts.csv", HEAD, rows)


def _domain(request: HttpRequest) -> str:
    """Return the key of the requested domain; "" for all.

    Raises:
        NotFound: there is no such domain.
    """
    key = request.GET.get("domain", "")
    if key and key not in set(Domain.objects.values_list("key", flat=True)):
        raise NotFound()
    return key


def _percent(share: float | None) -> Any:
    return "" if share is None else round(100 * share, 1)
