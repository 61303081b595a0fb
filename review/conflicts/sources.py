"""Declared conflicts of interest, as a source of `curation.joining.people`."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from review.conflicts.models import ConflictOfInterest, Declaration

COUNTS_FOR = timedelta(days=3 * 365)  # after its last day


def declared_with(ids: Collection[int]) -> QuerySet[Any, Any]:
    """Return pairs of ids with a declared conflict that involve one of these people."""
    involved = in_force().filter(Q(one__in=ids) | Q(other__in=ids))
    return involved.values_list("one_id", "other_id")


def in_force() -> "QuerySet[ConflictOfInterest]":
    """Select the conflicts that keep two people from judging each other's work today."""
    over = timezone.localdate() - COUNTS_FOR
    return ConflictOfInterest.objects.exclude(state=ConflictOfInterest.State.ENDED).filter(
        Q(until__isnull=True) | Q(until__gt=over)
    )


def open_declarations() -> "QuerySet[Declaration]":
    """Select the declarations that are neither linked nor withdrawn; dismissed ones included."""
    return Declaration.objects.filter(conflict__isnull=True, withdrawn_at__isnull=True)
