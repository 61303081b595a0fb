"""Notices by e-mail, at once or as a daily or weekly digest. A periodic job of the sweep.

`mailed_at` is written after the mail server accepted the e-mail, so nothing is lost while the
server is down: the next sweep tries again. A person's row in `Mailbox` is the lease of the worker
that writes to them; it ends by itself if the worker dies, and an e-mail sent but not recorded is
then sent again. Nothing here runs inside a transaction, because mail servers can be slow.

Notices that were read in the product are not mailed.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from curation.joining.notices import notify
from curation.joining.notices.models import Mailbox, Notice
from curation.joining.notices.queries import unsubscribe_token
from curation.joining.people import NoticeMode, User

log = logging.getLogger(__name__)

MOST_PER_RUN = 200  # e-mails; there is a sweep every 30 seconds
MOST_PER_PERSON = 20  # e-mails to one person in one run, so that they fit into the lease
MOST_IN_A_DIGEST = 100  # newest notices shown; older ones are only counted
MOST_FAILURES = 3  # in a row, after which the server counts as down until the next sweep
LEASE = timedelta(minutes=15)  # longer than MOST_PER_PERSON calls of EMAIL_TIMEOUT seconds
_PAUSES = (1, 5, 30, 120, 360)  # minutes before the next try after 1, 2, … failures in a row


class _ServerAwayError(Exception):
    """The mail server cannot be reached, or refuses everybody."""


def send_due(now: datetime | None = None) -> int:
    """Send the e-mails that are due.

    Args:
        now: the current time; None for the clock's.

    Returns:
        how many e-mails were sent.
    """
    now = now or timezone.now()
    if not settings.PUBLIC_URL:
        return 0  # links would not work; a system check warns about it
    people = list(_due(now)[:MOST_PER_RUN])
    if not people:
        return 0
    run = _Run(now)
    try:
        for person in people:
            if run.left <= 0:
                break
            run.write_to(person)
    except _ServerAwayError:
        log.error("The mail server does not take e-mails now; notices wait for the next sweep")
    finally:
        run.close()
    return run.sent


def last_slot(mode: str, now: datetime) -> datetime:
    """Return the latest time at or before `now` at which digests of a mode are due.

    Daily digests are due at DIGEST_HOUR in the server's time zone, weekly ones then on Mondays.
    """
    local = timezone.localtime(now)
    slot = local.replace(hour=settings.DIGEST_HOUR, minute=0, second=0, microsecond=0)
    if slot > local:
        slot -= timedelta(days=1)
    return slot - timedelta(days=slot.weekday()) if mode == NoticeMode.WEEKLY else slot


def _waiting(now: datetime) -> QuerySet[Notice]:
    return Notice.objects.filter(mailed_at__isnull=True, read_at__isnull=True, at__lte=now)


def _due(now: datetime) -> QuerySet[User]:
    """Return the people to whom something is due and whose mailbox is free. One query."""
    theirs = _waiting(now).filter(recipient=OuterRef("pk"))
    wanted = Q(Exists(theirs), notice_mode=NoticeMode.AT_ONCE)
    for mode in (NoticeMode.DAILY, NoticeMode.WEEKLY):
        slot = last_slot(mode, now)
        fresh = Q(digest_sent_at__isnull=True) | Q(digest_sent_at__lt=slot)
        wanted |= Q(fresh, Exists(theirs.filter(at__lt=slot)), notice_mode=mode)
    held = Mailbox.objects.filter(user=OuterRef("pk"), held_until__gt=now)
    return User.objects.filter(wanted, ~Exists(held), is_active=True).order_by("pk")


class _Run:
    """A run over the people to whom something is due, with one connection to the server."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.left = MOST_PER_RUN
        self.sent = 0
        self.failures = 0
        self.connection: Any = None

    def write_to(self, person: User) -> None:
        """Claim a person's mailbox and send what is due."""
        claim = max(self.now, timezone.now()) + LEASE
        if not _claim(person.pk, self.now, claim):
            return
        mine = Mailbox.objects.filter(user=person, held_until=claim)
        try:
            self._send_all(person)
        except _ServerAwayError:
            mine.update(held_until=None)
            raise
        except Exception as problem:
            # Log the type only: the message may contain an address.
            kind = type(problem).__name__
            log.error("An e-mail to person %s failed (%s); it is tried again", person.pk, kind)
            before = mine.values_list("failures", flat=True).first() or 0
            pause = _PAUSES[min(before, len(_PAUSES) - 1)]
            mine.update(
                held_until=self.now + timedelta(minutes=pause),
                failures=min(before + 1, 1000),
                problem=kind[:100],
            )
            self.failures += 1
            if self.failures >= MOST_FAILURES:
                raise _ServerAwayError from None
        else:
            mine.update(held_until=None, failures=0, problem="")

    def _send_all(self, person: User) -> None:
        # Reload after the claim: another worker may just have written to this person.
        person.refresh_from_db(fields=["notice_mode", "digest_sent_at", "language", "email"])
        waiting = _waiting(self.now).filter(recipient=person).order_by("at", "id")
        if person.notice_mode == NoticeMode.AT_ONCE:
            for notice in waiting[: min(MOST_PER_PERSON, self.left)]:
                self._send(person, [notice])
        elif person.notice_mode in (NoticeMode.DAILY, NoticeMode.WEEKLY):
            slot = last_slot(person.notice_mode, self.now)
            if person.digest_sent_at is not None and person.digest_sent_at >= slot:
                return
            if together := list(waiting):
                self._send(person, together, digest=True)

    def _send(self, person: User, rows: Sequence[Notice], *, digest: bool = False) -> None:
        message = compose_email(person, rows, digest=digest)
        message.connection = self._open()
        message.send()
        self.sent += 1
        self.left -= 1
        self.failures = 0
        with transaction.atomic():
            Notice.objects.filter(pk__in=[row.pk for row in rows]).update(mailed_at=self.now)
            if digest:
                User.objects.filter(pk=person.pk).update(digest_sent_at=self.now)

    def _open(self) -> Any:
        if self.connection is None:
            connection = get_connection()
            try:
                connection.open()
            except Exception as problem:
                log.error("The mail server cannot be reached (%s)", type(problem).__name__)
                raise _ServerAwayError from None
            self.connection = connection
        return self.connection

    def close(self) -> None:
        """Close the connection; ignore a server that is gone."""
        if self.connection is not None:
            try:
                self.connection.close()
            except Exception as problem:
                log.warning("The mail server broke off (%s)", type(problem).__name__)


def _claim(user: int, now: datetime, until: datetime) -> bool:
    """Claim a person's mailbox by one conditional update; return False if it is held."""
    Mailbox.objects.bulk_create([Mailbox(user_id=user)], ignore_conflicts=True)
    free = Q(held_until__isnull=True) | Q(held_until__lte=now)
    return bool(Mailbox.objects.filter(free, user=user).update(held_until=until))


def compose_email(
    person: User, rows: Sequence[Notice], *, digest: bool = False
) -> EmailMultiAlternatives:
    """Build the e-mail about one notice, or a digest of several, in the person's language.

    Args:
        rows: oldest first.
    """
    with translation.override(person.language):
        stop = settings.PUBLIC_URL + reverse("notices-stop", args=[unsubscribe_token(person)])
        shown = rows[-MOST_IN_A_DIGEST:]
        items = [
            {
                "words": notify.words(row),
                "link": f"{settings.PUBLIC_URL}{row.url}#notice-{row.pk}",
                "day": notify.day(row.at),
            }
            for row in shown
        ]
        context = {
            "digest": digest,
            "items": items,
            "n": len(rows),
            "more": len(rows) - len(shown),
            "list_link": settings.PUBLIC_URL + reverse("notices"),
            "preferences_link": settings.PUBLIC_URL + reverse("preferences"),
            "stop_link": stop,
            "language": person.language,
        }
        subject = " ".join(render_to_string("joining/notices/mail_subject.txt", context).split())
        message = EmailMultiAlternatives(
            subject,
            render_to_string("joining/notices/mail.txt", context).strip() + "\n",
            to=[person.email],
            headers={
                "Auto-Submitted": "auto-generated",
                "List-Unsubscribe": f"<{stop}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            },
        )
        message.attach_alternative(
            render_to_string("joining/notices/mail.html", context), "text/html"
        )
    return message
