"""Language and time zone of the person, current terms, and the record of sessions."""

import time
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.http import urlencode

from curation.base.web import dates
from curation.base.web.parts import wants_parts
from curation.base.web.room import best_effort
from curation.joining.accounts import adapter, terms


class UserLanguage:
    """Activates the language the signed-in person chose, unless the language cookie is set."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated and "django_language" not in request.COOKIES:
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)


class UserTimeZone:
    """Activates the reader's time zone, which the browser names in a cookie."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        zone = dates.zone_named(request.COOKIES.get(dates.COOKIE, ""))
        if zone is None:
            return self.get_response(request)
        with timezone.override(zone):
            return self.get_response(request)


class RequireCurrentTerms:
    """Redirects people who agreed to older terms to the current ones before a page of work.

    `terms.on_sign_in` has stored whether they are due. Only full GET requests are redirected, so
    that nothing typed is lost.
    """

    OPEN = frozenset({"home", "terms", "sessions", "preferences", "notices", "healthz", "readyz"})

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        route = request.resolver_match.view_name if request.resolver_match else ""
        if request.method != "GET" or wants_parts(request) or route in self.OPEN:
            return None
        if route.startswith(("account_", "mfa_", "staff-", "admin:", "api-")):
            return None
        if not request.user.is_authenticated or not request.session.get(terms.DUE):
            return None
        return redirect(reverse("terms") + "?" + urlencode({"next": request.get_full_path()}))


class LastSeen:
    """Records at most every five minutes that a session is in use, and from where.

    The library's own tracking writes a row with every request, which the list of sessions does not
    need and which is slow on SQLite.
    """

    EVERY = 300  # seconds

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated:
            now = int(time.time())
            seen = request.session.get(adapter.SEEN)
            if seen is None or now - seen >= self.EVERY:
                with best_effort("a visit"):
                    adapter.note_session(request)
                    request.session[adapter.SEEN] = now
        return self.get_response(request)
