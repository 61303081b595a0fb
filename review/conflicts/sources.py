"""Declared conflicts of interest, as a source of `curation.applications.conflicts`."""

from collections.abc import Collection
from typing import Any

from django.db.models import Q, QuerySet

from review.conflicts.models import ConflictOfInterest


def declared_with(ids: Collection[int]) -> QuerySet[Any, Any]:
    """Return pairs of ids with a declared conflict that involve one of these people."""
    declared = ConflictOfInterest.objects.filter(Q(one__in=ids) | Q(other__in=ids))
    return declared.values_list("one_id", "other_id")
