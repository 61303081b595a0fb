"""A person's notices as pages show them, and the links that stop e-mails."""

from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any

from django.core import signing
from django.db.models import Case, IntegerField, Max, QuerySet, Value, When
from django.utils import timezone

from curation.base.web.refusals import NotFound
from curation.joining.notices import notify
from curation.joining.notices.models import Notice
from curation.joining.notices.notify import Topic, Words, kinds_of
from curation.joining.people import User

_STOP = "curation.notices.stop"


@dataclass(frozen=True)
class Row:
    """A notice in the list."""

    pk: int
    at: datetime
    unread: bool
    topic: str
    words: Words


@dataclass(frozen=True)
class Day:
    """The notices of one day, either all unread or all read."""

    day: date
    unread: bool
    rows: list[Row]


def access_notice(user: Any, pk: int) -> Notice:
    """Return one of the person's own notices.

    Raises:
        NotFound: no such notice, or somebody else's.
    """
    notice = Notice.objects.filter(pk=pk, recipient=user).first()
    if notice is None:
        raise NotFound()
    return notice


def notices_of(user: Any, *, unread: bool = False, topic: str = "") -> QuerySet[Notice]:
    """Return a person's notices: unread ones first, the newest first among each.

    Args:
        unread: whether to return unread ones only.
        topic: a `Topic`; "" for all.
    """
    rows = Notice.objects.filter(recipient=user)
    if unread:
        rows = rows.filter(read_at__isnull=True)
    if topic:
        rows = rows.filter(kind__in=kinds_of(topic))
    seen = Case(
        When(read_at__isnull=True, then=Value(0)), default=Value(1), output_field=IntegerField()
    )
    return rows.order_by(seen, "-at", "-id")


def unread_of(user: Any) -> QuerySet[Notice]:
    """Return a person's unread notices; the top bar shows their number."""
    return Notice.objects.filter(recipient=user, read_at__isnull=True)


def newest_unread(user: Any) -> int:
    """Return the id of the newest unread notice, or 0. "Mark all read" stops at it."""
    return unread_of(user).aggregate(newest=Max("pk"))["newest"] or 0


def by_day(page: Any) -> list[Day]:
    """Group the notices of a page by day. Runs no query."""

    def group(row: Row) -> tuple[bool, date]:
        return row.unread, timezone.localdate(row.at)

    return [
        Day(day, unread, list(rows)) for (unread, day), rows in groupby(map(_row, page), key=group)
    ]


def _row(notice: Notice) -> Row:
    kind = notify.KINDS.get(notice.kind)
    return Row(
        pk=notice.pk,
        at=notice.at,
        unread=notice.read_at is None,
        topic=str(Topic(kind.topic).label) if kind else "",
        words=notify.words(notice),
    )


# --- the unsubscribe link of every e-mail --------------------------------------------------
def unsubscribe_token(user: User) -> str:
    """Return a signed token with which a person's e-mails can be stopped. It never expires."""
    return signing.dumps(user.pk, salt=_STOP)


def person_of_unsubscribe_token(token: str) -> User:
    """Return the person whose e-mails a token stops.

    Raises:
        NotFound: not signed by us, or no such person.
    """
    try:
        pk = signing.loads(token, salt=_STOP)
    except signing.BadSignature:
        raise NotFound() from None
    person = User.objects.filter(pk=pk).first()
    if person is None:
        raise NotFound()
    return person
