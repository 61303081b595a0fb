"""Notices: a registry of their kinds, and the functions that send and render them.

Each app registers the kinds of its own events and sends them from its history rows, in the same
transaction as the event. A notice stores facts; its words are rendered when it is read, in the
reader's language. Notices are mailed too, so the facts are few: at most the title of a task, never
its text, key, scores or names, and nothing that the reader's own page would not show.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet, TextChoices
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from curation.joining.domains.models import Domain
from curation.joining.notices.models import Notice
from curation.joining.people import User


class Topic(TextChoices):
    """What a notice is about; the list can be filtered by it."""

    QUALIFICATION = "qualification", _("Application and qualification")
    TASKS = "tasks", _("My tasks")
    SCREENING = "screening", _("Screening")
    REVIEWS = "reviews", _("Reviews")
    SCORING = "scoring", _("Scoring")
    PROGRAMME = "programme", _("The programme")


@dataclass(frozen=True)
class Kind:
    """One kind of notice.

    Attributes:
        key: stored with the notice; never renamed.
        title: one line, also the subject of the e-mail.
        text: what happens next, in a sentence or two.
        button: the label of the link.

    Title, text and button are lazy translations; `%(name)s` is filled from the facts. The number of
    a plural is the fact `n`.
    """

    key: str
    topic: Topic
    title: Any
    text: Any
    button: Any


@dataclass(frozen=True)
class Words:
    """A notice in the reader's language. `reason` is quoted as a person wrote it."""

    title: str
    text: str
    button: str
    reason: str = ""


KINDS: dict[str, Kind] = {}

_GONE = Kind(  # for notices whose kind no longer exists
    "gone",
    Topic.PROGRAMME,
    _("Something changed"),
    _("Open the page to see what."),
    _("Open the page"),
)


def register(*kinds: Kind) -> None:
    """Add kinds. Raises ValueError for a key that is registered already."""
    for kind in kinds:
        if KINDS.get(kind.key, kind) is not kind:
            raise ValueError(f"the notice {kind.key} is registered twice")
        KINDS[kind.key] = kind


def kinds_of(topic: str) -> list[str]:
    """Return the keys of a topic's kinds."""
    return [kind.key for kind in KINDS.values() if kind.topic == topic]


def domain_facts(domain: Domain) -> dict[str, str]:
    """Return a domain as facts of a notice: its name in each language."""
    return {"domain": domain.name, "domain_zh": domain.name_zh}


def send_notice(recipient: User, kind: str, *, once: str, url: str, **data: Any) -> None:
    """Send a person a notice, once per occasion, in the caller's transaction.

    Args:
        once: names the occasion; a second notice about it to the same person is not sent.
        url: path of the page it leads to.
        data: the facts its words need (JSON-able; a date as ISO text under `due` or `from_day`).

    Raises:
        KeyError: the kind is not registered.
        ValueError: the URL is not a path inside the product.
    """
    send_notices([recipient], kind, once=once, url=url, **data)


def send_notices(recipients: Iterable[User], kind: str, *, once: str, url: str, **data: Any) -> int:
    """Send several people the same notice; skip closed accounts.

    Returns:
        how many active people were given, those who had the notice already included.

    Raises:
        KeyError, ValueError: as `send_notice`.
    """
    known = KINDS[kind]
    if not url.startswith("/") or not url_has_allowed_host_and_scheme(url, allowed_hosts=None):
        raise ValueError(f"a notice leads to a place inside the product, not to {url!r}")
    rows = [
        Notice(recipient=person, kind=known.key, once=once, url=url, data=data)
        for person in recipients
        if person.is_active
    ]
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


@dataclass(frozen=True)
class Reminder:
    """A notice that is due; found again by every sweep, and sent once."""

    recipient: User
    kind: str
    once: str
    url: str
    data: Mapping[str, Any]


def remind(reminders: Iterable[Reminder]) -> int:
    """Send the reminders that were not sent yet. One query where nothing is new.

    Returns:
        how many were sent.
    """
    found = list(reminders)
    if not found:
        return 0
    sent = set(
        Notice.objects.filter(
            recipient__in={r.recipient.pk for r in found}, once__in={r.once for r in found}
        ).values_list("recipient_id", "once")
    )
    new = [r for r in found if (r.recipient.pk, r.once) not in sent]
    return sum(send_notices([r.recipient], r.kind, once=r.once, url=r.url, **r.data) for r in new)


def not_yet_notified(people: Iterable[User], once: str) -> list[User]:
    """Return those of the people who have no notice of an occasion yet. One query."""
    candidates = list(people)
    notified = set(
        Notice.objects.filter(recipient__in=candidates, once=once).values_list(
            "recipient", flat=True
        )
    )
    return [person for person in candidates if person.pk not in notified]


def seniors_of(domain_id: int) -> QuerySet[User]:
    """Return the active seniors of a domain."""
    return User.objects.filter(
        is_active=True,
        qualifications__domain_id=domain_id,
        qualifications__active=True,
        qualifications__senior=True,
    )


def words(notice: Notice) -> Words:
    """Render a notice in the active language."""
    kind = KINDS.get(notice.kind, _GONE)
    facts = _Facts(_readable(notice.data))
    return Words(
        title=" ".join(str(kind.title % facts).split()),
        text=str(kind.text % facts),
        button=str(kind.button),
        reason=str(notice.data.get("reason", "")),
    )


class _Facts(dict[str, Any]):
    """Facts of a notice. A fact that an older notice lacks is shown as a dash."""

    def __missing__(self, name: str) -> str:
        return "–"


def _readable(data: Mapping[str, Any]) -> dict[str, Any]:
    facts = dict(data)
    chinese = (get_language() or "").startswith("zh")
    if chinese and facts.get("domain_zh"):
        facts["domain"] = facts["domain_zh"]
    for name in ("due", "from_day"):
        if name in facts:
            facts[name] = day(datetime.fromisoformat(facts[name]))
    return facts


def day(at: datetime) -> str:
    """Return weekday, day and month of a moment in the active language and time zone."""
    local = timezone.localtime(at)
    if (get_language() or "").startswith("zh"):
        return date_format(local, "n 月 j 日") + " 周" + "一二三四五六日"[local.weekday()]
    return date_format(local, "D j M")
