"""A person's notices, as they are read."""

from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any

from django.core import signing
from django.db.models import Case, IntegerField, Max, QuerySet, Value, When
from django.utils import timezone

from curation.notices import notify
from curation.notices.models import Notice
from curation.notices.notify import Topic, Words, kinds_of
from curation.people.models import User
from curation.web.refusals import NotFound

_STOP = "curation.notices.stop"


@dataclass(frozen=True)
class Row:
    """One notice in the list."""

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
    """A person's own notice; somebody else's looks like a missing one.

    Raises:
        NotFound: no such notice, or somebody else's.
    """
    notice = Notice.objects.filter(pk=pk, recipient=user).first()
    if notice is None:
        raise NotFound()
    return notice


def notices_of(user: Any, *, unread: bool = False, topic: str = "") -> QuerySet[Notice]:
    """A person's notices: unread ones first, and the newest first among each.

    Args:
        unread: only these.
        topic: a `Topic`, or empty for all.
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
    """What a person has not read yet; its number stands in the top bar."""
    return Notice.objects.filter(recipient=user, read_at__isnull=True)


def newest_unread(user: Any) -> int:
    """The newest unread notice, so that none which comes later is marked read unseen; or 0."""
    return unread_of(user).aggregate(newest=Max("pk"))["newest"] or 0


def by_day(page: Any) -> list[Day]:
    """The notices of a page in groups of one day. No query of its own."""

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


# --- the link in every e-mail that ends them --------------------------------------------------
def stop_token(user: User) -> str:
    """A signed name of a person, good for ending their e-mails and for nothing else."""
    return signing.dumps(user.pk, salt=_STOP)


def person_of_stop_token(token: str) -> User:
    """Whose e-mails a link ends. The link of an old e-mail works as well.

    Raises:
        NotFound: not signed by us, or nobody's.
    """
    try:
        pk = signing.loads(token, salt=_STOP)
    except signing.BadSignature:
        raise NotFound() from None
    person = User.objects.filter(pk=pk).first()
    if person is None:
        raise NotFound()
    return person
