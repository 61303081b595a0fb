"""How long a throttle may stay closed, from the limits that the settings name."""

import re

from django.conf import settings
from django.http import HttpRequest

# The throttled routes that the library does not guard itself, with the name of their limit.
ROUTES = {
    "exam-start": "exam",
    "staff-invite": "invite",
    "staff-invite-vendor": "invite",
    "staff-invitation": "invite",
    "referral": "invite",
}
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
# One limit as django-allauth writes it: tries, a time such as 5m, and for whom they count.
_LIMIT = re.compile(r"\d+/(?P<number>\d*)(?P<unit>[smhd])/(?P<per>ip|user|key)")
FALLBACK = 60  # seconds; where the settings name no limit for the page


def seconds_closed(request: HttpRequest) -> int:
    """Seconds after which the address answers this visitor again at the latest.

    The library does not say which try filled a window, so this is the longest window of the
    page's limits. A limit by a typed address closes no page.
    """
    route = request.resolver_match.view_name if request.resolver_match else ""
    limits = settings.ACCOUNT_RATE_LIMITS.get(ROUTES.get(route, route.removeprefix("account_")), "")
    windows = [
        int(found["number"] or 1) * SECONDS[found["unit"]]
        for found in _LIMIT.finditer(limits)
        if found["per"] != "key"
    ]
    return max(windows, default=FALLBACK)
