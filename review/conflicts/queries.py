"""Conflicts of interest as their parties and staff read them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from curation.people.models import User
from curation.web.refusals import NotFound
from review.conflicts.models import ConflictOfInterest, Declaration
from review.conflicts.sources import in_force

State = ConflictOfInterest.State


@dataclass(frozen=True, slots=True)
class Question:
    """A conflict that somebody else declared, for the other party to answer."""

    conflict: ConflictOfInterest
    with_whom: str


@dataclass(frozen=True, slots=True)
class StaffRow:
    """A conflict as a row of staff's list; `counts` says whether it counts today."""

    conflict: ConflictOfInterest
    counts: bool


def questions_for(user: User) -> list[Question]:
    """Return the conflicts that a person is asked to confirm. One query.

    Whoever declared it is not asked; staff are no party, so both parties are.
    """
    rows = (
        ConflictOfInterest.objects.filter(Q(one=user) | Q(other=user), state=State.DECLARED)
        .exclude(declared_by=user)
        .select_related("one", "other")
        .order_by("at")
    )
    return [Question(row, name_of(row.other if row.one_id == user.pk else row.one)) for row in rows]


def answered_by(user: User) -> "QuerySet[ConflictOfInterest]":
    """Select the conflicts that a person answered, newest first."""
    rows = ConflictOfInterest.objects.filter(Q(one=user) | Q(other=user), decided_by=user)
    return rows.select_related("one", "other").order_by("-decided_at")


def declarations_of(user: User) -> "QuerySet[Declaration]":
    """Select a person's declarations, newest first, without telling whom they met."""
    return Declaration.objects.filter(person=user, withdrawn_at__isnull=True)


def access_declaration(user: Any, pk: int) -> Declaration:
    """Return a person's own declaration. Raises NotFound for any other."""
    found = Declaration.objects.filter(pk=pk, person=user).first()
    if found is None:
        raise NotFound()
    return found


def access_question(user: Any, pk: int) -> ConflictOfInterest:
    """Return a conflict that a person may answer. Raises NotFound for any other."""
    found = (
        ConflictOfInterest.objects.filter(Q(one=user) | Q(other=user), pk=pk)
        .exclude(declared_by=user)
        .first()
    )
    if found is None:
        raise NotFound()
    return found


def name_of(person: User) -> str:
    """Return how a member is named to the other party of a conflict."""
    return person.display_name or person.email


# -- staff ----------------------------------------------------------------------------------------


def unlinked() -> "QuerySet[Declaration]":
    """Select the open declarations that name nobody known to be a member, oldest first."""
    rows = Declaration.objects.filter(conflict__isnull=True, withdrawn_at__isnull=True)
    return rows.select_related("person").order_by("pk")


def all_conflicts() -> "QuerySet[ConflictOfInterest]":
    """Select every conflict, those that staff must look at first."""
    return ConflictOfInterest.objects.select_related(
        "one", "other", "declared_by", "decided_by"
    ).order_by(Q(state=State.DISPUTED).desc(), "-at")


def staff_rows(conflicts: Sequence[ConflictOfInterest]) -> list[StaffRow]:
    """Return the rows of one page. One query."""
    counting = set(
        in_force().filter(pk__in=[row.pk for row in conflicts]).values_list("pk", flat=True)
    )
    return [StaffRow(row, row.pk in counting) for row in conflicts]
