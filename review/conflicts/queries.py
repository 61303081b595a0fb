"""Conflicts of interest as their parties and staff read them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, When

from curation.applications.conflicts import people_in_conflict_with, same_affiliation
from curation.people.models import User
from curation.text.wording import listed
from curation.web.refusals import NotFound
from review.conflicts.models import ConflictOfInterest, Declaration, Kind
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


def questions_for(user: Any) -> list[Question]:
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


def answered_by(user: Any) -> list[tuple[ConflictOfInterest, str]]:
    """Return the conflicts that a person answered, newest first, with whom each is. One query."""
    rows = (
        ConflictOfInterest.objects.filter(Q(one=user) | Q(other=user), decided_by=user)
        .select_related("one", "other")
        .order_by("-decided_at")
    )
    return [(row, name_of(row.other if row.one_id == user.pk else row.one)) for row in rows]


def declarations_of(user: Any) -> "QuerySet[Declaration]":
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


def unlinked(person: User | None = None) -> "QuerySet[Declaration]":
    """Select the open declarations that name nobody known to be a member, oldest first.

    Args:
        person: only this person's; None for all.
    """
    rows = Declaration.objects.filter(conflict__isnull=True, withdrawn_at__isnull=True)
    if person is not None:
        rows = rows.filter(person=person)
    return rows.select_related("person").order_by("pk")


def all_conflicts(person: User | None = None) -> "QuerySet[ConflictOfInterest]":
    """Select conflicts with `taken_back`, those that staff must look at first.

    Args:
        person: only this person's; None for all.

    `taken_back` says whether a declaration behind it was withdrawn.
    """
    withdrawn = Declaration.objects.filter(conflict=OuterRef("pk"), withdrawn_at__isnull=False)
    of_person = Q() if person is None else Q(one=person) | Q(other=person)
    return (
        ConflictOfInterest.objects.filter(of_person)
        .select_related("one", "other", "declared_by", "decided_by")
        .annotate(taken_back=Exists(withdrawn))
        .order_by(
            Case(
                When(state=State.DISPUTED, then=0),
                When(~Q(state=State.ENDED) & Q(taken_back=True), then=1),
                default=2,
            ),
            "-at",
        )
    )


def staff_rows(conflicts: Sequence[ConflictOfInterest]) -> list[StaffRow]:
    """Return the rows of one page. One query."""
    counting = set(
        in_force().filter(pk__in=[row.pk for row in conflicts]).values_list("pk", flat=True)
    )
    return [StaffRow(row, row.pk in counting) for row in conflicts]


def kept_off(author: Any, domain: int) -> list[tuple[User, str]]:
    """Return the experts of a domain in conflict with an author, each with the kinds in words.

    Args:
        author: None for an imported task, which keeps nobody off.
    """
    people = list(
        User.objects.filter(
            pk__in=people_in_conflict_with(author),
            qualifications__domain=domain,
            qualifications__active=True,
        ).distinct()
    )
    if not people:
        return []
    kinds: dict[int, list[str]] = {person.pk: [] for person in people}
    involved = in_force().filter(Q(one=author) | Q(other=author)).order_by("kind")
    for one, other, kind in involved.values_list("one_id", "other_id", "kind"):
        found = kinds.get(other if one == author.pk else one)
        if found is not None:
            found.append(str(Kind(kind).label))
    for person in people:
        if same_affiliation(author, person) and str(Kind.AFFILIATION.label) not in kinds[person.pk]:
            kinds[person.pk].append(str(Kind.AFFILIATION.label))
    return [(person, listed(kinds[person.pk] or [str(Kind.REFERRAL.label)])) for person in people]
