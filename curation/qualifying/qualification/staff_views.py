"""Staff's page of applications."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from curation.base.lists.page import list_response
from curation.qualifying.qualification.application_list import APPLICATIONS


def staff_applications(request: HttpRequest) -> HttpResponseBase:
    """Show all applications, those that wait for staff first; also as a file."""
    return list_response(request, APPLICATIONS, "qualifying/qualification/staff_applications.html")
