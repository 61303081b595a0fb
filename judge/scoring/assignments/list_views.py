"""Staff's lists of the experts' sheets: who scores what, since when, until when."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from curation.base.lists.page import list_response
from judge.scoring.assignments.sheet_list import GRADED_SHEETS, SHEETS

TEMPLATE = "scoring/assignments/sheet_list.html"


def sheet_list(request: HttpRequest) -> HttpResponseBase:
    """List the sheets of lines, filtered and sorted; also as a file."""
    return list_response(request, SHEETS, TEMPLATE, title=_("Sheets of experts"))


def graded_sheet_list(request: HttpRequest) -> HttpResponseBase:
    """List the sheets with one grade, filtered and sorted; also as a file."""
    title = _("Sheets of experts with one grade")
    return list_response(request, GRADED_SHEETS, TEMPLATE, title=title)
