"""Staff's pages of item statistics: a table and a CSV file."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render

from curation.base.web import csv_export
from curation.qualifying.exams import bank_queries as bank
from curation.qualifying.exams import item_queries as queries
from curation.qualifying.exams.bank_views import PER_PAGE


def staff_items(request: HttpRequest, domain: str) -> HttpResponse:
    """Show the statistics of each question, the most urgent first."""
    exam = bank.access_exam(request.user, domain)
    rows = queries.statistics(exam)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "qualifying/item_analysis/items.html",
        {"exam": exam, "page": page, "headline": queries.headline(rows)},
    )


def staff_items_csv(request: HttpRequest, domain: str) -> StreamingHttpResponse:
    """Return the same figures as a CSV file."""
    exam = bank.access_exam(request.user, domain)
    rows = queries.table(queries.statistics(exam))
    return csv_export.download(f"items-{domain}.csv", queries.HEAD, rows)
