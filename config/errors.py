"""The only place where refusals become responses: a page for people, JSON for programs."""

import logging
from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import DatabaseError
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
from curation.base.web.parts import wants_parts
from curation.base.web.refusals import (
    BadInput,
    Conflict,
    Denied,
    NoRoom,
    NotFound,
    TooMany,
    WorkbenchError,
)
from curation.base.web.room import is_no_room
from curation.tasks.task.fields import FIELDS

log = logging.getLogger(__name__)
_NOT_SIGNED_IN = gettext_lazy(
    "Sign in, or send a token with the request (Authorization: Token …). Tokens are made under "
    "Preferences, API tokens."
)


# Addresses for programs. The page with the documentation is for people, so it is not here.
API = ("/api/v1/", "/api/schema/")


def wants_json(request: HttpRequest) -> bool:
    """Return whether to answer with JSON: for the API and for background saves of our pages."""
    return request.path.startswith(API) or "application/json" in request.headers.get("Accept", "")


def refusal_body(error: WorkbenchError) -> dict[str, Any]:
    """Return the JSON of a refusal: code, detail, fields where there are any, and its data."""
    answer: dict[str, Any] = {"code": error.code, "detail": str(error.detail)}
    if error.fields:
        answer["fields"] = {k: [str(m) for m in v] for k, v in error.fields.items()}
    for name, value in error.data.items():
        answer.setdefault(name, value)
    return answer


def to_response(
    request: HttpRequest, error: WorkbenchError, back: str = "", *, unread: bool = False
) -> HttpResponse:
    """Turn a refusal into a page or JSON, whichever the client asked for.

    Args:
        back: address of a page to offer for loading again; "" for none.
        unread: the body must not be read, as that would store its files.
    """
    if wants_json(request):
        return JsonResponse(refusal_body(error), status=error.status)
    if isinstance(error, Conflict):
        return _conflict_response(request, error)
    template = {
        403: "errors/403.html",
        404: "errors/404.html",
        410: "errors/410.html",
        429: "errors/429.html",
        507: "errors/507.html",
    }.get(error.status, "errors/400.html")
    kept = _typed_texts(request, error) if isinstance(error, NoRoom) and not unread else []
    page = {"error": error, "back": back, "kept": kept}
    return render(request, template, page, status=error.status)


def _conflict_response(request: HttpRequest, error: Conflict) -> HttpResponse:
    """Redirect to the thing as it is now, with the refusal's sentence as a message.

    A page with status 409 is rendered instead where the message cannot hold everything (typed
    text, a link), for background requests, and for requests from elsewhere than our pages.
    """
    kept = _typed_texts(request, error)
    before = _referring_page(request)
    now = error.page or ("" if request.method == "GET" else before)
    plain = not kept and "url" not in error.data and not wants_parts(request)
    if now and before and plain:
        if not _has_warnings(request):  # after several redirects the first warning is enough
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
        return _("Training comes first")
    return _("This has moved on in the meantime")


# Fields in which people write text. A value of another field counts as text if it has a space or a
# character beyond ASCII.
TEXT_FIELDS = frozenset(field.name for field in FIELDS if field.is_text) | {
    "account",
    "address",
    "affiliation",
    "analysis",
    "alternatives",
    "answer",
    "answered",
    "asked",
    "chosen",
    "comment",
    "contact",
    "credentials",
    "currency",
    "definition",
    "definition_zh",
    "degree",
    "demand-what",
    "description",
    "description_zh",
    "display_name",
    "email",
    "example",
    "experts",
    "family",
    "finding",
    "for_all",
    "guide",
    "held_out_reason",
    "keep_as",
    "house",
    "how",
    "instructions",
    "interview_source",
    "issuer",
    "key_variable",
    "label",
    "limits_reason",
    "market_currency",
    "market_source",
    "links",
    "model",
    "name",
    "name_zh",
    "note",
    "options",
    "others",
    "owner",
    "people",
    "permission_document",
    "permission_scope",
    "permission_text",
    "permitted_by",
    "points",
    *("outcome-chosen", "outcome-rater", "outcome-reason"),
    "price",
    "question",
    "rater",
    "rationale",
    "reason",
    "reasons",
    "remark",
    "reference",
    "remarks",
    "simulation",
    "source",
    "study",
    "suffix",
    "suggest_text",
    "system",
    "task",
    "tasks",
    "text",
    "tools",
    "time_bins",
    "title_zh",
    "tolerance",
    "tools_off",
    "topic",
    "unit",
    "username",
    "value",
    "vendor",
    "why",
    "what",
    "what_changed",
    "why_stable",
    "why_unique",
    "words",
    *(f"grade_{n}" for n in range(1, 6)),
    *(f"tier_{n}" for n in range(1, 5)),
}
TEXT_FIELD_PREFIXES = (
    "answer-",
    "because-",
    "check-",
    "code-",
    "correct-",
    "follow-",
    "line-",
    "state-",
    "remark-",
    "remark_",
    "step-",
)  # followed by what the text is about
SECRET_FIELDS = ("password", "password1", "password2", "oldpassword", "code", "credential")


def _typed_texts(request: HttpRequest, error: WorkbenchError) -> list[str]:
    """Return the texts of a refused form, so that nobody has to write them again."""
    if error.data.get("theirs") is not None and isinstance(error.data.get("yours"), str):
        return [error.data["yours"]]
    own = error.data.get("yours") or error.data.get("kept")
    if own:
        texts = own.values() if isinstance(own, dict) else [own]
        return [text for text in texts if isinstance(text, str) and text.strip()]
    return list(_texts_in(request.POST)) if request.method == "POST" else []


def _texts_in(sent: QueryDict) -> Iterator[str]:
    for name, values in sent.lists():
        if name in SECRET_FIELDS:
            continue
        named = name in TEXT_FIELDS or name.startswith(TEXT_FIELD_PREFIXES)
        for value in values:
            text = value.strip()
            if text and (named or not text.isascii() or len(text.split()) > 1):
                yield text


def _has_warnings(request: HttpRequest) -> bool:
    waiting: Any = messages.get_messages(request)
    found = any(message.level >= messages.WARNING for message in waiting)
    waiting.used = False  # reading marks them as shown, and they were not
    return found


def refusal_for(error: Exception) -> WorkbenchError | None:
    """Return the refusal for an exception, Django's own included; None for a bug."""
    if isinstance(error, WorkbenchError):
        return error
    if isinstance(error, Http404):
        return NotFound()
    if isinstance(error, PermissionDenied):
        return Denied()
    if isinstance(error, SuspiciousOperation):
        return BadInput(_("The request cannot be read. Load the page again and repeat the step."))
    if isinstance(error, DatabaseError | OSError) and is_no_room(error):
        log.error("No room to store anything: %s", error)
        return NoRoom()
    return None


def _api_body(error: WorkbenchError) -> dict[str, Any]:
    """Return the JSON of a refusal without the words about kept input: a program typed nothing."""
    answer = refusal_body(error)
    if isinstance(error, BadInput) and answer["detail"] == str(BadInput.default_detail):
        answer["detail"] = _("Some fields need a change. Nothing was stored.")
    return answer


def api_exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer exceptions in API views with the same JSON as everywhere (a hook of DRF)."""
    from rest_framework.views import set_rollback

    refusal = refusal_for(error)
    if refusal is not None:
        set_rollback()
        return Response(_api_body(refusal), status=refusal.status)
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
            answer = _api_body(BadInput(fields=dict(_flat(fields))))
        elif isinstance(error, drf.NotAuthenticated):
            answer = {"code": error.default_code, "detail": str(_NOT_SIGNED_IN)}
        else:
            answer = {"code": error.default_code, "detail": str(detail)}
        return Response(answer, status=error.status_code, headers=headers)
    return None


def _flat(detail: Any, name: str = "") -> Iterator[tuple[str, list[str]]]:
    """Yield the path of each refused field, such as `demand.number`, with its sentences."""
    if isinstance(detail, dict):
        for inner, said in detail.items():
            yield from _flat(said, f"{name}.{inner}" if name else str(inner))
    elif any(isinstance(said, dict | list) for said in detail):
        for number, said in enumerate(detail, start=1):
            yield from _flat(said, f"{name}[{number}]") if said else ()
    else:
        yield name, detail


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return to_response(request, NotFound())


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return to_response(request, Denied())


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return to_response(request, BadInput(_("The request cannot be read.")))


def too_many(request: HttpRequest) -> HttpResponse:
    """Answer a request that a throttle refused."""
    response = to_response(request, TooMany())
    response["Retry-After"] = str(throttle.retry_after(request))
    return response


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a request without a valid CSRF token."""
    return to_response(
        request,
        Denied(
            _(
                "The page was opened before you last signed in, or cookies are blocked for this "
                "site. Nothing was changed: load the page again and repeat the step."
            ),
            code="csrf",
        ),
        back=_referring_page(request),
    )


def _referring_page(request: HttpRequest) -> str:
    """Return the address of the page the form was on; "" if it is on another site.

    Another site may have sent the form; our page must not link to it.
    """
    before = request.headers.get("Referer", "")
    ours = url_has_allowed_host_and_scheme(
        before, {request.get_host()}, require_https=request.is_secure()
    )
    return before if ours else ""


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an unexpected error, which Django has logged already."""
    if wants_json(request):
        return JsonResponse(
            {"code": "server_error", "detail": _("Something broke on our side. It is logged.")},
            status=500,
        )
    # Render without the request: a context processor may be what broke.
    return HttpResponse(render_to_string("errors/500.html"), status=500)
