"""Who must not judge whose work. Facts found here are never told to the people concerned."""

import unicodedata
from typing import Any

from django.db.models import Q

from curation.models import Application, User
from review.models import ConflictOfInterest


def people_in_conflict_with(person: Any) -> set[int]:
    """Ids of everybody with a conflict with this person. It holds in both directions.

    Counted: the same affiliation (however it is spaced or capitalised), a declared conflict of
    any kind, and a referral in either direction.
    """
    found: set[int] = set()
    if person is None:  # the task of another benchmark has no author here
        return found
    affiliation = _folded(person.affiliation)
    if affiliation:
        # Compared here, not in SQL: SQLite folds the case of ASCII letters only.
        found.update(
            pk
            for pk, other in User.objects.exclude(affiliation="").values_list("pk", "affiliation")
            if _folded(other) == affiliation
        )
    for one, other in ConflictOfInterest.objects.filter(
        Q(one=person) | Q(other=person)
    ).values_list("one_id", "other_id"):
        found.add(other if one == person.pk else one)
    found.update(
        Application.objects.filter(user=person, referred_by__isnull=False).values_list(
            "referred_by_id", flat=True
        )
    )
    found.update(Application.objects.filter(referred_by=person).values_list("user_id", flat=True))
    found.discard(person.pk)
    return found


def _folded(affiliation: str | None) -> str:
    """The name of an employer without the differences that mean nothing."""
    return " ".join(unicodedata.normalize("NFKC", affiliation or "").casefold().split())


def in_conflict(one: Any, other: Any) -> bool:
    """Whether two people must not judge each other's work."""
    return other.pk in people_in_conflict_with(one)
