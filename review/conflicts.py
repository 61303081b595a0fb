"""Who must not judge whose work. Facts found here are never told to the people concerned."""

from typing import Any

from django.db.models import Q

from curation.models import Application, User
from review.models import ConflictOfInterest


def people_in_conflict_with(author: Any) -> set[int]:
    """Ids of everybody with a conflict with this person.

    Counted: the same affiliation (compared without case and outer spaces), a declared conflict
    of any kind, and a referral in either direction.
    """
    found: set[int] = set()
    affiliation = (author.affiliation or "").strip()
    if affiliation:
        found.update(
            User.objects.filter(affiliation__iexact=affiliation).values_list("pk", flat=True)
        )
    for one, other in ConflictOfInterest.objects.filter(
        Q(one=author) | Q(other=author)
    ).values_list("one_id", "other_id"):
        found.add(other if one == author.pk else one)
    found.update(
        Application.objects.filter(user=author, referred_by__isnull=False).values_list(
            "referred_by_id", flat=True
        )
    )
    found.update(Application.objects.filter(referred_by=author).values_list("user_id", flat=True))
    found.discard(author.pk)
    return found


def in_conflict(one: Any, other: Any) -> bool:
    """Whether two people must not judge each other's work."""
    return other.pk in people_in_conflict_with(one)
