"""Refusals become responses here, and nowhere else: a page for people, JSON for programs."""

import logging
from typing import Any

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from rest_framework import exceptions as drf
from rest_framework.response import Response

from config import throttle
from curation.errors import BadInput, Denied, NotFound, TooMany, WorkbenchError

log = logging.getLogger(__name__)


# Where programs ask, with a token; the page that documents it is opened by people.
API = ("/api/v1/", "/api/schema/")


def wants_json(request: HttpRequest) -> bool:
    """True for the API and for the page's own background saves."""
    return request.path.startswith(API) or "application/json" in request.headers.get("Accept", "")


def body(error: WorkbenchError) -> dict[str, Any]:
    """The JSON of a refusal: code, detail, fields where there are any, and its facts."""
    answer: dict[str, Any] = {"code": error.code, "detail": str(error.detail)}
    if error.fields:
        answer["fields"] = {k: [str(m) for m in v] for k, v in error.fields.items()}
    for name, value in error.data.items():
        answer.setdefault(name, value)
    return answer


def to_response(request: HttpRequest, error: WorkbenchError, back: str = "") -> HttpResponse:
    """Answer with the refusal, in the form the client asked for.

    Args:
        back: address of the page to be loaded again, where that helps.
    """
    if wants_json(request):
        return JsonResponse(body(error), status=error.status)
    template = {
        403: "errors/403.html",
        404: "errors/404.html",
        409: "errors/409.html",
        410: "errors/410.html",
        429: "errors/429.html",
    }.get(error.status, "errors/400.html")
    return render(request, template, {"error": error, "back": back}, status=error.status)


def translate(error: Exception) -> WorkbenchError | None:
    """The refusal behind one of Django's own exceptions; None for a real bug."""
    if isinstance(error, WorkbenchError):
        return error
    if isinstance(error, Http404):
        return NotFound()
    if isinstance(error, PermissionDenied):
        return Denied()
    if isinstance(error, SuspiciousOperation):
        return BadInput(_("The request cannot be read. Load the page again and repeat the step."))
    return None


def _told_to_programs(error: WorkbenchError) -> dict[str, Any]:
    """The same JSON; a program has typed nothing that could be kept for it."""
    answer = body(error)
    if isinstance(error, BadInput) and answer["detail"] == str(BadInput.default_detail):
        answer["detail"] = _("Some fields need a change. Nothing was stored.")
    return answer


def api_exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's hook: the same refusals, the same JSON."""
    from rest_framework.views import set_rollback

    refusal = translate(error)
    if refusal is not None:
        set_rollback()
        return Response(_told_to_programs(refusal), status=refusal.status)
    if isinstance(error, drf.APIException):
        set_rollback()
        headers = {}
        if getattr(error, "auth_header", None):
            headers["WWW-Authenticate"] = error.auth_header  # type: ignore[attr-defined]
        if getattr(error, "wait", None):
            headers["Retry-After"] = str(int(error.wait))  # type: ignore[attr-defined]
        detail = error.detail
        if isinstance(error, drf.ValidationError):
            fields = detail if isinstance(detail, dict) else {"non_field_errors": detail}
            answer = _told_to_programs(BadInput(fields=fields))  # type: ignore[arg-type]
        else:
            answer = {"code": error.default_code, "detail": str(detail)}
        return Response(answer, status=error.status_code, headers=headers)
    return None


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return to_response(request, NotFound())


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return to_response(request, Denied())


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return to_response(request, BadInput(_("The request cannot be read.")))


def too_many(request: HttpRequest) -> HttpResponse:
    """A throttle said no."""
    response = to_response(request, TooMany())
    response["Retry-After"] = str(throttle.seconds_closed(request))
    return response


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form was not sent from our page, or its cookie is gone."""
    return to_response(
        request,
        Denied(
            _(
                "The page was opened before you last signed in, or cookies are blocked for this "
                "site. Nothing was changed: load the page again and repeat the step."
            ),
            code="csrf",
        ),
        back=_page_before(request),
    )


def _page_before(request: HttpRequest) -> str:
    """The page the form stood on, if it is one of ours: another site may have sent the form, and
    must not get a link to itself on our page."""
    before = request.headers.get("Referer", "")
    ours = url_has_allowed_host_and_scheme(
        before, {request.get_host()}, require_https=request.is_secure()
    )
    return before if ours else ""


def server_error(request: HttpRequest) -> HttpResponse:
    """The page or the JSON of an accident; Django has logged it by then."""
    if wants_json(request):
        return JsonResponse(
            {"code": "server_error", "detail": _("Something broke on our side. It is logged.")},
            status=500,
        )
    # Without the request: a context processor may be the very thing that broke.
    return HttpResponse(render_to_string("errors/500.html"), status=500)
