"""Deny by default, and refusals turned into pages."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.utils.translation import gettext as _

from config import errors
from curation import access
from curation.errors import Denied, NotFound


class Errors:
    """Maps every WorkbenchError that a view raises to its response."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        refusal = errors.translate(exception)
        return errors.to_response(request, refusal) if refusal else None


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
        if request.path.startswith("/api/v1/"):
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
