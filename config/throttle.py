"""Throttled routes, and how long to wait after a refusal."""

import re

from django.conf import settings
from django.http import HttpRequest

# Routes that django-allauth does not limit itself -> the name of their limit in the settings.
ROUTES = {
    "exam-start": "exam",
    "staff-invite": "invite",
    "staff-invite-vendor": "invite",
    "staff-invitation": "invite",
    "referral": "invite",
    "settings-mail-test": "mail_test",
}
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
# A limit as django-allauth writes it: tries, a time such as 5m, and for whom they count.
_LIMIT = re.compile(r"\d+/(?P<number>\d*)(?P<unit>[smhd])/(?P<per>ip|user|key)")
FALLBACK = 60  # seconds; for pages without a limit in the settings


def retry_after(request: HttpRequest) -> int:
    """Return the seconds after which the page answers this visitor again at the latest.

    The library does not say which limit was reached, so this is the longest window of the page's
    limits. Limits by key (a typed e-mail address) are left out: they do not close a page.
    """
    route = request.resolver_match.view_name if request.resolver_match else ""
    limits = settings.ACCOUNT_RATE_LIMITS.get(ROUTES.get(route, route.removeprefix("account_")), "")
    windows = [
        int(found["number"] or 1) * SECONDS[found["unit"]]
        for found in _LIMIT.finditer(limits)
        if found["per"] != "key"
    ]
    return max(windows, default=FALLBACK)
