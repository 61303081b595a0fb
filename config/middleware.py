"""Deny by default, and refusals turned into pages."""

from collections.abc import Callable
from typing import Any

from allauth.core import ratelimit
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import redirect
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from config import errors, health, throttle
from curation.access import permissions as access
from curation.access import second_factor
from curation.attachments.content import FILES_PER_THING, size_limit
from curation.web.refusals import Denied, NotFound, TooLarge


class Errors:
    """Maps every WorkbenchError that a view raises to its response."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        refusal = errors.translate(exception)
        return errors.to_response(request, refusal) if refusal else None


class QuietRefusals:
    """Sends a refusal to our own scripts with status 200 and its real status in `X-Status`.

    Browsers write every failed background request to the console, also one that is expected. Only
    requests that carry `X-Quiet` are answered so: no other site can send the header without asking
    first, and forms and the API keep their statuses. Faults of ours (5xx) stay faults.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        quiet = "X-Quiet" in request.headers and not request.path.startswith(errors.API)
        if quiet and 400 <= response.status_code < 500:
            response["X-Status"] = str(response.status_code)
            response["Cache-Control"] = "no-store"
            response.status_code = 200
        return response


class Probes:
    """Answers whether the process lives and can work, before anything reads the session.

    These two must speak while the database is away, whatever cookies the visitor brings.
    """

    ADDRESSES = {"/healthz": health.healthz, "/readyz": health.readyz}

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        probe = self.ADDRESSES.get(request.path_info) if request.method in ("GET", "HEAD") else None
        if probe is None:
            return self.get_response(request)
        response = probe(request)
        response["Cache-Control"] = "no-store"
        return response


class KeptByNobody:
    """Tells browsers and proxies to keep nothing that somebody who is signed in was sent.

    Otherwise "back" shows the last page after signing out, to whoever sits at the computer next.
    Static files are answered before; downloads say the same themselves.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.user.is_authenticated:
            patch_cache_control(response, private=True, no_store=True)
        return response


class BodyLimit:
    """Refuses what is larger than any form of ours, before a byte of it is stored.

    Django bounds the fields of a form, but writes files of any size to disk while it reads them.
    """

    ROOM = 5 * 1024 * 1024  # for the other fields

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        most = size_limit() * FILES_PER_THING + self.ROOM
        if length.isdecimal() and int(length) > most:
            return errors.to_response(request, TooLarge())
        return self.get_response(request)


class DenyByDefault:
    """A route or verb without a row in a permission table is refused, whoever asks."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        match = request.resolver_match
        route = match.view_name if match else ""
        verbs = [v for v in ("GET", "POST", "PUT", "PATCH", "DELETE") if self._row(route, v)]
        if not verbs:
            return errors.to_response(request, NotFound())
        permission = self._row(route, request.method or "")
        if permission is None:
            if errors.wants_json(request):
                return JsonResponse(
                    {"code": "method_not_allowed", "detail": _("This address does not do that.")},
                    status=405,
                    headers={"Allow": ", ".join(verbs)},
                )
            return HttpResponseNotAllowed(verbs)
        request.permission = permission  # type: ignore[attr-defined]
        if request.path.startswith(errors.API):
            return None  # tokens are read by DRF; config.api.RoutePermission asks the same table
        if access.allows(request.user, permission):
            return None
        if not request.user.is_authenticated:
            if errors.wants_json(request):
                return JsonResponse(
                    {"code": "not_authenticated", "detail": _("Sign in again to go on.")},
                    status=401,
                )
            return redirect_to_login(request.get_full_path())
        return errors.to_response(request, Denied())

    @staticmethod
    def _row(route: str, verb: str) -> str | None:
        return access.permission_of(route, verb)


class SecondFactor:
    """Until a second factor is set up, whoever must have one reaches account pages only."""

    OPEN = frozenset({"sessions", "set_language", "favicon", "healthz", "readyz"})

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if request.path.startswith(errors.API):
            return None  # the token is not read yet; config.api.RoutePermission asks
        route = request.resolver_match.view_name if request.resolver_match else ""
        if route in self.OPEN or route.startswith(("account_", "mfa_")):
            return None
        if not second_factor.is_missing(request.user):
            return None
        if errors.wants_json(request):
            return errors.to_response(request, second_factor.refusal())
        return redirect("mfa_index")


class Throttle:
    """Asks the rates of `ACCOUNT_RATE_LIMITS` for routes that the library does not guard itself.

    A rate counts what is sent, never what is read.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        route = request.resolver_match.view_name if request.resolver_match else ""
        action = throttle.ROUTES.get(route)
        if action is None or request.method != "POST":
            return None
        return ratelimit.consume_or_429(request, action=action)
