"""Reports on tasks of releases, as readers and staff see them."""

from typing import Any

from django.db.models import Count, Q, QuerySet

from curation.joining.people.models import User
from judge.base.gold_sets.models import GoldRelease
from judge.gold.releases.erratum_models import Erratum

SHOWN = 100  # of one's own reports


def own_errata(user: User) -> list[Erratum]:
    """Return a reader's own reports, the newest first. One query."""
    rows = Erratum.objects.filter(entered_by=user, by_mail=False)
    return list(rows.select_related("task", "release")[:SHOWN])


def errata(*, state: str = "", release: int | None = None) -> "QuerySet[Erratum]":
    """Select reports for staff, the newest first."""
    rows = Erratum.objects.select_related("task__domain", "release", "entered_by")
    if state:
        rows = rows.filter(state=state)
    if release:
        rows = rows.filter(release__number=release)
    return rows


def count_of(release: GoldRelease) -> dict[str, int]:
    """Count the reports on a release by state: `open`, `upheld` and `dismissed`. One query."""
    counts: dict[str, Any] = {
        state.value: Count("id", filter=Q(state=state)) for state in Erratum.State
    }
    return Erratum.objects.filter(release=release).aggregate(**counts)
