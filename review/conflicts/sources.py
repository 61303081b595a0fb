"""Declared conflicts of interest: what `curation.applications.conflicts` cannot know by itself."""

from collections.abc import Collection
from typing import Any

from django.db.models import Q, QuerySet

from review.conflicts.models import ConflictOfInterest


def declared_with(ids: Collection[int]) -> QuerySet[Any, Any]:
    """Pairs of people with a declared conflict of any kind, one of them of these."""
    declared = ConflictOfInterest.objects.filter(Q(one__in=ids) | Q(other__in=ids))
    return declared.values_list("one_id", "other_id")
