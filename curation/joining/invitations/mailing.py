"""The e-mails with invitation links: one is sent at once, those of a table by the sweep.

`Invitation.mail_due_at` is the queue: it is set in the transaction that makes the invitations, and
cleared after the mail server took the e-mail. Until then it is also the lease of the worker that
sends it, and the end of the pause after a failure.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import get_connection, send_mail
from django.db.models import F
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from curation.joining.invitations.links import path_of
from curation.joining.invitations.models import Invitation
from curation.joining.invitations.queries import mails_waiting

log = logging.getLogger(__name__)

MOST_PER_RUN = 100  # e-mails; there is a sweep every 30 seconds
MOST_FAILURES = 3  # in a row, after which the server counts as down until the next sweep
LEASE = timedelta(minutes=15)
_PAUSES = (1, 5, 30, 120, 360)  # minutes before the next try after 1, 2, … failures


def send(invitation: Invitation, origin: str, connection: Any = None) -> bool:
    """Mail the link; return whether a mail server took it. The invitation stays either way.

    Args:
        origin: where people open the product, such as "https://bench.example.org".
    """
    with translation.override(invitation.language):
        facts = {
            "invitation": invitation,
            "link": f"{origin}{path_of(invitation, mailed=True)}",
            "until": date_format(invitation.expires_at, _("l j F Y")),
        }
        name = "vendor_invitation" if invitation.kind == Invitation.Kind.VENDOR else "invitation"
        subject = render_to_string("joining/invitations/invitation_subject.txt", facts).strip()
        body = render_to_string(f"joining/invitations/{name}.txt", facts)
    try:
        to = [invitation.email]
        send_mail(subject, body, settings.DEFAULT_FROM_EMAIL, to, connection=connection)
    except (OSError, SMTPException):
        log.exception("Invitation %s could not be sent.", invitation.pk)
        return False
    Invitation.objects.filter(pk=invitation.pk).update(mail_due_at=None, mail_failures=0)
    return True


def send_waiting(now: datetime | None = None) -> int:
    """Send the e-mails that are due. A periodic job; nothing here runs inside a transaction.

    Args:
        now: the current time; None for the clock's.

    Returns:
        how many e-mails were sent.
    """
    if not settings.PUBLIC_URL:
        return 0  # links would not work; the list of invitations says so
    now = now or timezone.now()
    due = mails_waiting().filter(mail_due_at__lte=now).order_by("mail_due_at", "pk")
    rows = list(due[:MOST_PER_RUN])
    return _send_each(rows, now) if rows else 0


def _send_each(rows: Sequence[Invitation], now: datetime) -> int:
    sent = failures = 0
    connection = get_connection()
    try:
        for row in rows:
            if failures >= MOST_FAILURES:
                break
            if not _claim(row, now):
                continue
            if send(row, settings.PUBLIC_URL, connection):
                sent, failures = sent + 1, 0
            else:
                failures += 1
                _pause(row, now)
    finally:
        try:
            connection.close()
        except (OSError, SMTPException) as problem:
            log.warning("The mail server broke off (%s)", type(problem).__name__)
    return sent


def _claim(row: Invitation, now: datetime) -> bool:
    """Claim an e-mail by one conditional update; return False if another worker has it."""
    same = mails_waiting().filter(pk=row.pk, mail_due_at=row.mail_due_at)
    return bool(same.update(mail_due_at=now + LEASE))


def _pause(row: Invitation, now: datetime) -> None:
    minutes = _PAUSES[min(row.mail_failures, len(_PAUSES) - 1)]
    Invitation.objects.filter(pk=row.pk).update(
        mail_due_at=now + timedelta(minutes=minutes), mail_failures=F("mail_failures") + 1
    )
