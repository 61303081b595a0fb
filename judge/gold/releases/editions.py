"""Quarterly editions: which release counts in a quarter, overall or for each domain."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.process.history import AppendOnly
from curation.joining.domains.models import Domain
from curation.joining.people import User
from judge.base.gold_sets.models import GoldRelease


class Edition(AppendOnly):
    """An edition, published once and never changed; a correction is the next edition.

    Attributes:
        content: all that its page and its files say, computed when it was published.
        sha256: of the content.
    """

    year = models.PositiveSmallIntegerField()
    quarter = models.PositiveSmallIntegerField()
    content = models.JSONField()
    sha256 = models.CharField(max_length=64)
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-year", "-quarter")
        constraints = [
            models.UniqueConstraint(fields=["year", "quarter"], name="one_edition_per_quarter"),
            models.CheckConstraint(
                condition=Q(quarter__gte=1, quarter__lte=4, year__gte=2000, year__lte=2999),
                name="an_edition_has_a_quarter",
            ),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def key(self) -> str:
        """The name of the edition, such as 2026-Q2."""
        return f"{self.year}-Q{self.quarter}"


class EditionRelease(AppendOnly):
    """A release that an edition names: for one domain, or for all of them (`domain` null)."""

    edition = models.ForeignKey(Edition, on_delete=models.PROTECT, related_name="releases")
    domain = models.ForeignKey(
        Domain, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    release = models.ForeignKey(GoldRelease, on_delete=models.PROTECT, related_name="editions")

    class Meta:
        ordering = ("edition", "domain")
        constraints = [
            models.UniqueConstraint(
                fields=["edition", "domain"], name="an_edition_names_a_domain_once"
            ),
            models.UniqueConstraint(
                fields=["edition"],
                condition=Q(domain__isnull=True),
                name="an_edition_names_one_release_for_all",
            ),
        ]


def shown(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a content with the domains' names in the reader's language as `name`. One query."""
    names = {one.key: str(one) for one in Domain.objects.all()}

    def named(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        return [
            {**row, "name": names.get(row["domain"], row["domain"]) or _("All domains")}
            for row in rows
        ]

    return {
        **content,
        **{part: named(content[part]) for part in ("releases", "new", "changed", "retired")},
    }
