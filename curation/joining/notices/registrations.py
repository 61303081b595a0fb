"""The sending of e-mails with every sweep, and a check at every start."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Warning, register

from curation.base.process import periodic_jobs
from curation.base.process.periodic_jobs import Phase
from curation.joining.notices import email_digest


@register()
def public_url_is_set(**_: Any) -> list[CheckMessage]:
    """Warn if PUBLIC_URL is not set: links in e-mails cannot be derived from a request."""
    if settings.PUBLIC_URL_GIVEN or settings.ON_OWN_MACHINE:
        return []
    where = (
        f"Links in e-mails lead to {settings.PUBLIC_URL}, guessed from ALLOWED_HOSTS."
        if settings.PUBLIC_URL
        else "No notice goes out by e-mail; all of them wait."
    )
    return [
        Warning(
            f"PUBLIC_URL is not set. {where}",
            hint="Set it to the address people open, such as https://assay.example.org.",
            id="assay.W001",
        )
    ]


periodic_jobs.register(email_digest.send_due, phase=Phase.SEND)
