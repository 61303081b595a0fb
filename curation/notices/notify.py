"""What people are told: a registry of kinds, and the one function that tells.

A kind is a key with its words. Each app registers the kinds of its own events and tells them from
its history rows, in the same transaction as the event. A notice stores facts, never sentences: the
words are made when it is read, in the reader's language. Facts are few on purpose. A notice goes
by e-mail too, so it holds the title of a task at most: no text of it, no key, no score, no name,
and nothing the reader's own page would not show.
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

from curation.domains.models import Domain
from curation.notices.models import Notice
from curation.people.models import User


class Topic(TextChoices):
    """What a notice is about; the list can be narrowed to one."""

    QUALIFICATION = "qualification", _("Application and standing")
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
        title: one line, the subject of its e-mail.
        text: what happens next, in a sentence or two.
        button: the words of the link to the place.

    Words are lazy translations; `%(name)s` is filled from the notice's facts. A plural's number
    is the fact `n`.
    """

    key: str
    topic: Topic
    title: Any
    text: Any
    button: Any


@dataclass(frozen=True)
class Words:
    """A notice in the reader's language. `reason` is what a person wrote, as they wrote it."""

    title: str
    text: str
    button: str
    reason: str = ""


KINDS: dict[str, Kind] = {}

_GONE = Kind(  # of a notice whose kind a later edition no longer knows
    "gone",
    Topic.PROGRAMME,
    _("Something changed"),
    _("The page behind this notice says what."),
    _("Open the page"),
)


def register(kinds: Iterable[Kind]) -> None:
    """Add an app's kinds. A key registered twice is a programming error."""
    for kind in kinds:
        if KINDS.get(kind.key, kind) is not kind:
            raise ValueError(f"the notice {kind.key} is registered twice")
        KINDS[kind.key] = kind


def kinds_of(topic: str) -> list[str]:
    """The keys of a topic's kinds."""
    return [kind.key for kind in KINDS.values() if kind.topic == topic]


def domain_facts(domain: Domain) -> dict[str, str]:
    """A domain as facts of a notice: its name in each language."""
    return {"domain": domain.name, "domain_zh": domain.name_zh}


def tell(recipient: User, kind: str, *, once: str, url: str, **data: Any) -> None:
    """Tell a person something, once.

    Runs in the caller's transaction: what is rolled back was never told.

    Args:
        once: names the occasion; telling it again to the same person does nothing.
        url: the exact place, a path inside the product.
        data: the facts its words need (JSON-able; a date as ISO text under `due` or `from_day`).

    Raises:
        KeyError: the kind is not registered.
        ValueError: the place is not inside the product.
    """
    tell_all([recipient], kind, once=once, url=url, **data)


def tell_all(recipients: Iterable[User], kind: str, *, once: str, url: str, **data: Any) -> int:
    """Tell several people the same; who has left the programme is passed over.

    Returns:
        how many people were to be told.

    Raises:
        KeyError, ValueError: as `tell`.
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
    """Something to be told when its time has come; found again with every look."""

    recipient: User
    kind: str
    once: str
    url: str
    data: Mapping[str, Any]


def remind(reminders: Iterable[Reminder]) -> int:
    """Tell what was not told yet. One query where nothing is new.

    Returns:
        how many were told.
    """
    found = list(reminders)
    if not found:
        return 0
    told = set(
        Notice.objects.filter(
            recipient__in={r.recipient.pk for r in found}, once__in={r.once for r in found}
        ).values_list("recipient_id", "once")
    )
    new = [r for r in found if (r.recipient.pk, r.once) not in told]
    return sum(tell_all([r.recipient], r.kind, once=r.once, url=r.url, **r.data) for r in new)


def not_told(people: Iterable[User], once: str) -> list[User]:
    """Those of these people who were not told of the occasion yet. One query."""
    asked = list(people)
    told = set(
        Notice.objects.filter(recipient__in=asked, once=once).values_list("recipient", flat=True)
    )
    return [person for person in asked if person.pk not in told]


def seniors_of(domain_id: int) -> QuerySet[User]:
    """The active seniors of a domain."""
    return User.objects.filter(
        is_active=True,
        qualifications__domain_id=domain_id,
        qualifications__active=True,
        qualifications__senior=True,
    )


def words(notice: Notice) -> Words:
    """A notice's words in the language that is active now."""
    kind = KINDS.get(notice.kind, _GONE)
    facts = _Facts(_readable(notice.data))
    return Words(
        title=" ".join(str(kind.title % facts).split()),
        text=str(kind.text % facts),
        button=str(kind.button),
        reason=str(notice.data.get("reason", "")),
    )


class _Facts(dict[str, Any]):
    """Facts of a notice; one that an older notice lacks reads as a dash, and breaks no page."""

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
    """A day as its weekday, number and month in the active language."""
    local = timezone.localtime(at)
    if (get_language() or "").startswith("zh"):
        return date_format(local, "n 月 j 日") + " 周" + "一二三四五六日"[local.weekday()]
    return date_format(local, "D j M")
