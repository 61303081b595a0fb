"""Guidelines as people and staff see them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from curation.base.access.permissions import allows, signed_in
from curation.base.text.comparisons import Stretch, stretches
from curation.base.web.refusals import NotFound
from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, User
from curation.telling.guidelines.models import (
    PROGRAMME,
    Guideline,
    GuidelineReading,
    GuidelineVersion,
)


def is_for_everybody(user: Any, guideline: Any) -> bool:
    """Return whether it is the programme's own, which everybody reads who is signed in."""
    return signed_in(user, None) and guideline.domain_id is None


def access_guideline(user: Any, key: str) -> Guideline:
    """Load a published guideline for one of its readers.

    Raises:
        NotFound: no such guideline, nothing is published yet, or it is not for this person.
    """
    found = guideline_named(key)
    if found.current == 0 or not allows(user, "guideline.view", found):
        raise NotFound()
    return found


def guideline_named(key: str) -> Guideline:
    """Return the guideline of a key; an unsaved one where staff have written none yet.

    Raises:
        NotFound: no such domain.
    """
    rows = Guideline.objects.select_related("domain", "draft_by")
    if key == PROGRAMME:
        return rows.filter(domain=None).first() or Guideline()
    domain = Domain.objects.filter(key=key, external=False).first()
    if domain is None:
        raise NotFound()
    return rows.filter(domain=domain).first() or Guideline(domain=domain)


@dataclass(frozen=True)
class Entry:
    """A guideline in the list of a person.

    Attributes:
        version: the one in force; None before the first.
        read: the newest version the person has read; 0 for none.
    """

    guideline: Guideline
    version: GuidelineVersion | None
    read: int

    @property
    def unread(self) -> bool:
        return self.version is not None and self.read < self.version.number


def readers_of(guideline: Guideline) -> QuerySet[User]:
    """Select who works by a guideline: active experts of its domain, or of any."""
    held = Qualification.objects.filter(user=OuterRef("pk"), active=True)
    if guideline.domain_id is not None:
        held = held.filter(domain=guideline.domain_id)
    return User.objects.filter(Exists(held), is_active=True)


def entries_for(user: Any) -> list[Entry]:
    """Return the published guidelines a person works by; for staff, those of all domains.

    Three queries.
    """
    rows = _with_reading(user)
    if not user.is_staff:
        mine = Q(domain=None) | Q(domain__in=user.qualified_domain_ids())
        rows = rows.filter(mine, current__gt=0)
    found = list(rows.order_by("domain__position", "domain__key"))
    found.sort(key=lambda one: one.domain_id is not None)
    if user.is_staff:
        found = _with_unwritten(found)
    versions = _current_versions([one.pk for one in found if one.pk])
    return [
        Entry(one, versions.get(one.pk) if one.pk else None, getattr(one, "read", 0))
        for one in found
    ]


def _with_reading(user: Any) -> QuerySet[Any]:
    reading = GuidelineReading.objects.filter(guideline=OuterRef("pk"), user=user.pk)
    return Guideline.objects.select_related("domain").annotate(
        read=Coalesce(Subquery(reading.values("number")[:1]), 0)
    )


def _with_unwritten(found: list[Guideline]) -> list[Guideline]:
    known = {one.domain_id for one in found}
    programme = [one for one in found if one.domain_id is None] or [Guideline()]
    by_domain = {one.domain_id: one for one in found}
    domains = Domain.objects.filter(external=False)
    rest = [by_domain[d.pk] if d.pk in known else Guideline(domain=d) for d in domains]
    return [*programme, *rest]


def _current_versions(guidelines: Iterable[int]) -> dict[int, GuidelineVersion]:
    rows = GuidelineVersion.objects.filter(guideline__in=list(guidelines))
    newest: dict[int, GuidelineVersion] = {}
    for row in rows.defer("text").order_by("number"):
        newest[row.guideline_id] = row
    return newest


def unread_by(user: Any) -> list[tuple[Any, str]]:
    """Return the guidelines with a version in force that an expert has not read. One query.

    Each comes with what changed in that version.
    """
    held = user.qualified_domain_ids()
    if not held:
        return []
    words = GuidelineVersion.objects.filter(guideline=OuterRef("pk"), number=OuterRef("current"))
    rows = (
        _with_reading(user)
        .filter(Q(domain=None) | Q(domain__in=held), current__gt=0)
        .annotate(words=Subquery(words.values("what_changed")[:1]))
        .order_by("domain__position", "pk")
    )
    return [(row, row.words) for row in rows if row.read < row.current]


def versions_of(guideline: Guideline) -> list[GuidelineVersion]:
    """Return the published versions, the newest first."""
    return list(guideline.versions.select_related("published_by"))


def read_version(guideline: Guideline, user: Any) -> int:
    """Return the number of the newest version a person has read; 0 for none."""
    row = GuidelineReading.objects.filter(guideline=guideline, user=user.pk)
    return row.values_list("number", flat=True).first() or 0


def readers_in_numbers(guideline: Guideline) -> tuple[int, int]:
    """Return how many of those who work by a guideline read its present version, and of all."""
    if guideline.pk is None or guideline.current == 0:
        return 0, 0
    everybody = readers_of(guideline)
    done = GuidelineReading.objects.filter(
        guideline=guideline, number__gte=guideline.current, user__in=everybody.values("pk")
    )
    return done.count(), everybody.count()


def differences(versions: Iterable[GuidelineVersion], old: int, new: int) -> list[Stretch] | None:
    """Return the differences of two versions in stretches; None where one does not exist."""
    texts = {version.number: version.text for version in versions}
    if old not in texts or new not in texts:
        return None
    return stretches(texts[old], texts[new])
