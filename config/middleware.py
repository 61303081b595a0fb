"""Access control, limits and error responses for every request."""

from collections.abc import Callable
from typing import Any

from allauth.core import ratelimit
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from config import errors, health, throttle
from curation.base.access import permissions, second_factor
from curation.base.web.refusals import NoRoom, NotFound, TooLarge
from curation.base.web.room import has_room_for
from curation.tasks.attachments.content import FILES_PER_THING, size_limit


class Errors:
    """Turns every WorkbenchError that a view raises into its response."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        refusal = errors.refusal_for(exception)
        return errors.to_response(request, refusal) if refusal else None


class QuietRefusals:
    """Sends a refusal to our own scripts with status 200 and its real status in `X-Status`.

    Browsers log every failed background request to the console, even an expected one. Only requests
    with the header `X-Quiet` are answered this way: other sites cannot send it without a CORS
    preflight, and forms and the API keep their statuses. Server errors (5xx) keep theirs too.
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


class PermissionsPolicy:
    """Denies pages, and what could be embedded in them, the devices that no page uses.

    Only signing in with a passkey and copying to the clipboard are allowed, to our own pages.
    """

    OURS = ("publickey-credentials-get", "publickey-credentials-create", "clipboard-write")
    DENIED = (
        *("accelerometer", "autoplay", "camera", "display-capture", "geolocation", "gyroscope"),
        *("hid", "magnetometer", "microphone", "midi", "payment", "screen-wake-lock", "serial"),
        *("usb", "xr-spatial-tracking"),
    )
    POLICY = ", ".join([f"{name}=(self)" for name in OURS] + [f"{name}=()" for name in DENIED])

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response["Permissions-Policy"] = self.POLICY
        return response


class HealthProbes:
    """Answers the health probes before anything reads the session.

    They must work while the database is down, whatever cookies the request has.
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


class NoStore:
    """Sets `Cache-Control: private, no-store` on every response to a signed-in person.

    Otherwise the browser's back button shows the last page to the next person at the computer.
    Static files are answered before this middleware; downloads set the header themselves.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.user.is_authenticated:
            patch_cache_control(response, private=True, no_store=True)
        return response


class BodyLimit:
    """Refuses a request larger than any form, or than the disk, before a byte of it is stored.

    Django limits the fields of a form, but writes files of any size to disk while reading them.
    """

    ROOM = 5 * 1024 * 1024  # bytes for the other fields
    ALWAYS = 64 * 1024  # bytes that may use up the reserve of the disk: a form, not a file
    FILES_OF_AN_IMPORT = 3  # the file, its rubrics, and an archive

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        most = size_limit() * FILES_PER_THING + self.ROOM
        if length.isdecimal() and int(length) > most and int(length) > self._of_imports(request):
            return errors.to_response(request, TooLarge())
        files = request.content_type == "multipart/form-data" and length.isdecimal()
        if files and int(length) > self.ALWAYS and not has_room_for(int(length)):
            return errors.to_response(request, NoRoom(), unread=True)
        return self.get_response(request)

    def _of_imports(self, request: HttpRequest) -> int:
        """Return how much the page of imports takes of those who may import; 0 elsewhere."""
        if request.path != reverse("staff-import-new"):
            return 0
        if not permissions.allows(request.user, "import"):
            return 0
        return self.FILES_OF_AN_IMPORT * settings.IMPORT_MAX_MB * 1024 * 1024 + self.ROOM


class DenyByDefault:
    """Refuses every route or verb without a row in a permission table."""

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
                    {
                        "code": "method_not_allowed",
                        "detail": _("This address does not support that request."),
                    },
                    status=405,
                    headers={"Allow": ", ".join(verbs)},
                )
            return HttpResponseNotAllowed(verbs)
        request.permission = permission  # type: ignore[attr-defined]
        if request.path.startswith(errors.API):
            return None  # DRF reads tokens; config.api.RoutePermission checks the same table
        if permissions.allows(request.user, permission):
            return None
        if not request.user.is_authenticated:
            if errors.wants_json(request):
                return JsonResponse(
                    {"code": "not_authenticated", "detail": _("Sign in again to go on.")},
                    status=401,
                )
            return redirect_to_login(request.get_full_path())
        return errors.to_response(request, permissions.refusal_of(request.user, permission))

    @staticmethod
    def _row(route: str, verb: str) -> str | None:
        return permissions.permission_of(route, verb)


class SecondFactor:
    """Leads people who must set up a second factor to the account pages, and nowhere else."""

    OPEN = frozenset({"sessions", "set_language", "favicon", "healthz", "readyz"})

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if request.path.startswith(errors.API):
            return None  # the token is not read yet; config.api.RoutePermission checks
        route = request.resolver_match.view_name if request.resolver_match else ""
        if route in self.OPEN or route.startswith(("account_", "mfa_")):
            return None
        if not second_factor.is_missing(request.user):
            return None
        if errors.wants_json(request):
            return errors.to_response(request, second_factor.refusal())
        return redirect("mfa_index")


class Throttle:
    """Applies `ACCOUNT_RATE_LIMITS` to routes that django-allauth does not limit itself.

    Only POST requests count.
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
