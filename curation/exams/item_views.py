"""How the questions of an exam do their work, as a page and as CSV, for staff."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render

from curation.exams import item_queries
from curation.question_bank import queries
from curation.question_bank.views import PER_PAGE
from curation.web import csv_export


# --- statistics -----------------------------------------------------------------------------------
def staff_items(request: HttpRequest, domain: str) -> HttpResponse:
    """How each question works, the one to look at first on top."""
    exam = queries.access_exam(request.user, domain)
    rows = item_queries.statistics(exam)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "exams/items.html",
        {"exam": exam, "page": page, "headline": item_queries.headline(rows)},
    )


def staff_items_csv(request: HttpRequest, domain: str) -> StreamingHttpResponse:
    """The same figures as a file."""
    exam = queries.access_exam(request.user, domain)
    rows = item_queries.table(item_queries.statistics(exam))
    return csv_export.download(f"items-{domain}.csv", item_queries.HEAD, rows)
