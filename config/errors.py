"""Refusals become responses here, and nowhere else: a page for people, JSON for programs."""

import logging
from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    JsonResponse,
    QueryDict,
)
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import exceptions as drf
from rest_framework.response import Response

from config import throttle
from curation.web.refusals import BadInput, Conflict, Denied, NotFound, TooMany, WorkbenchError

log = logging.getLogger(__name__)
_NOT_SIGNED_IN = gettext_lazy(
    "Sign in, or send a token with the request (Authorization: Token …). Tokens are made under "
    "Preferences, API tokens."
)


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
    if isinstance(error, Conflict):
        return _moved_on(request, error)
    template = {
        403: "errors/403.html",
        404: "errors/404.html",
        410: "errors/410.html",
        429: "errors/429.html",
    }.get(error.status, "errors/400.html")
    return render(request, template, {"error": error, "back": back}, status=error.status)


def _moved_on(request: HttpRequest, error: Conflict) -> HttpResponse:
    """Show the thing as it is now, with the refusal's sentence on top.

    A page of its own, with status 409, is for what cannot be shown there: words somebody typed,
    a sentence with a link of its own; and for requests that no page of ours made.
    """
    kept = _typed(request, error)
    before = _page_before(request)
    now = error.page or ("" if request.method == "GET" else before)
    plain = not kept and "url" not in error.data and "HX-Request" not in request.headers
    if now and before and plain:
        if not _has_notes(request):  # the first sentence says it; a page that is gone adds none
            messages.warning(request, str(error.detail))
        return HttpResponseRedirect(now, status=303)
    page = {"error": error, "now": now, "kept": kept, "heading": _heading(error, kept)}
    return render(request, "errors/409.html", page, status=error.status)


def _heading(error: Conflict, kept: list[str]) -> str:
    if kept and error.data.get("theirs") is not None:
        return _("This text changed while you were writing")
    if error.code == "too_early":
        return _("Not yet")
    if error.code == "training":
        return _("First the training")
    return _("Things moved on in the meantime")


# The boxes people write in. What else holds a space or a letter beyond ASCII was written, too.
WRITTEN = frozenset(
    {
        "affiliation", "answer", "comment", "credentials", "degree", "display_name", "email",
        "experts", "family", "guide", "issuer", "limits_reason", "materials", "model", "name",
        "note", "options", "price", "rationale", "reason", "reasons", "reference_answer", "remark",
        "remarks", "requirements", "scenario", "sources", "study", "suggest_text", "task", "tasks",
        "text", "title", "title_zh", "tolerance", "topic", "unit", "username", "value", "vendor",
        "why", "words",
    }
)  # fmt: skip
WRITTEN_FOR = ("because-", "remark-", "remark_")  # boxes that name what they are about
SECRET = ("password", "password1", "password2", "oldpassword", "code", "credential")


def _typed(request: HttpRequest, error: WorkbenchError) -> list[str]:
    """The words a refused form held, so that nobody has to write them again."""
    if error.data.get("theirs") is not None and isinstance(error.data.get("yours"), str):
        return [error.data["yours"]]
    own = error.data.get("yours") or error.data.get("kept")
    if own:
        texts = own.values() if isinstance(own, dict) else [own]
        return [text for text in texts if isinstance(text, str) and text.strip()]
    return list(_written(request.POST)) if request.method == "POST" else []


def _written(sent: QueryDict) -> Iterator[str]:
    for name, values in sent.lists():
        if name in SECRET:
            continue
        named = name in WRITTEN or name.startswith(WRITTEN_FOR)
        for value in values:
            text = value.strip()
            if text and (named or not text.isascii() or len(text.split()) > 1):
                yield text


def _has_notes(request: HttpRequest) -> bool:
    waiting: Any = messages.get_messages(request)
    found = any(message.level >= messages.WARNING for message in waiting)
    waiting.used = False  # they were looked at, not shown
    return found


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
        elif isinstance(error, drf.NotAuthenticated):
            answer = {"code": error.default_code, "detail": str(_NOT_SIGNED_IN)}
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
