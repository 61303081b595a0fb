"""How long a throttle stays closed."""

import math
import time

from allauth.account import app_settings
from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.http import HttpRequest

# The throttled routes that the library does not guard itself, with the name of their rate.
ROUTES = {
    "exam-start": "exam",
    "staff-invite": "invite",
    "staff-invite-vendor": "invite",
    "staff-invitation": "invite",
    "referral": "invite",
}
FALLBACK = 60  # seconds; where the limit that refused cannot be found again


def seconds_closed(request: HttpRequest) -> int:
    """Seconds until the address answers this visitor again, rounded up; at least 1.

    A rate is a sliding window: it opens when the oldest try in it has become too old. Rates by a
    typed address close no page, so only those by person and by network are looked at. The library
    does not say which of its rates refused; its rates are named as its routes.
    """
    route = request.resolver_match.view_name if request.resolver_match else ""
    action = ROUTES.get(route, route.removeprefix("account_"))
    known = app_settings.RATE_LIMITS
    waits = [
        wait
        for name in ([action] if action in known else known)
        for rate in ratelimit.get_rates(app="allauth.account", action=name)
        if (wait := _wait(request, name, rate)) > 0
    ]
    return math.ceil(max(waits, default=FALLBACK))


def _wait(request: HttpRequest, action: str, rate: ratelimit.Rate) -> float:
    if rate.per == "key" or (rate.per == "user" and not request.user.is_authenticated):
        return 0
    key = ratelimit.get_cache_key(request, app="allauth.account", action=action, rate=rate)
    tries = cache.get(key, [])  # times, the newest first
    if len(tries) < rate.amount:
        return 0
    return float(tries[rate.amount - 1]) + rate.duration - time.time()
