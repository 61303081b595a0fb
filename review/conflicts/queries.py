"""Conflicts of interest as their parties and staff read them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, When
from django.utils.translation import gettext as _

from curation.base.text.wording import listed
from curation.base.web.refusals import NotFound
from curation.joining.people import User, people_in_conflict_with, same_affiliation
from curation.tasks.task.finished_work import finished_between
from curation.tasks.task.models import Task
from review.conflicts.models import ConflictOfInterest, ConflictStep, Declaration, Kind
from review.conflicts.sources import in_force, open_declarations

State = ConflictOfInterest.State
_ANSWERS = (ConflictStep.Kind.CONFIRMED, ConflictStep.Kind.DISPUTED)


@dataclass(frozen=True, slots=True)
class Question:
    """A conflict that somebody else declared, for the other party to answer."""

    conflict: ConflictOfInterest
    with_whom: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person answered about a conflict, and what staff decided on it since, if anything."""

    conflict: ConflictOfInterest
    with_whom: str
    step: ConflictStep
    decision: ConflictStep | None


@dataclass(frozen=True, slots=True)
class StaffRow:
    """A conflict as a row of staff's list, with all that was done about it, oldest first.

    Attributes:
        counts: whether it counts today.
        finished: what each finished on the other's tasks, in words.
    """

    conflict: ConflictOfInterest
    counts: bool
    steps: Sequence[ConflictStep]
    finished: Sequence["Finished"] = ()


@dataclass(frozen=True, slots=True)
class Finished:
    """Finished work of one party on a task of the other; `parts` in words."""

    who: str
    task: Task
    parts: str


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


def answered_by(user: Any) -> list[Answer]:
    """Return what a person answered about conflicts, newest first. One query.

    An answer stays when the conflict ends or begins again.
    """
    mine = ConflictStep.objects.filter(by=user, kind__in=_ANSWERS).filter(
        Q(conflict__one=user) | Q(conflict__other=user)
    )
    steps: Any = ConflictStep.objects.filter(conflict__in=mine.values("conflict")).select_related(
        "conflict__one", "conflict__other"
    )
    found: list[Answer] = []
    decided: dict[int, ConflictStep] = {}  # the first decision after a step, from the newest back
    for step in steps.order_by("-pk"):
        conflict = step.conflict
        if step.kind == ConflictStep.Kind.DECLARED:
            decided.pop(conflict.pk, None)
        elif step.kind not in _ANSWERS:
            decided[conflict.pk] = step
        elif step.by_id == user.pk:
            other = conflict.other if conflict.one_id == user.pk else conflict.one
            found.append(Answer(conflict, name_of(other), step, decided.get(conflict.pk)))
    return found


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
    """Return how a member is named to the other party of a conflict.

    A name that was removed is not replaced by the pseudonym, which the other party must not learn.
    """
    return _("(name removed)") if person.name_was_removed else person.display_name or person.email


# -- staff ----------------------------------------------------------------------------------------


def unlinked(person: User | None = None, *, dismissed: bool = False) -> "QuerySet[Declaration]":
    """Select the open declarations that name nobody known to be a member, oldest first.

    Args:
        person: only this person's; None for all.
        dismissed: those that staff dismissed, instead of those that nobody has looked at.
    """
    rows = open_declarations().filter(dismissed_at__isnull=not dismissed)
    if person is not None:
        rows = rows.filter(person=person)
    return rows.select_related("person", "dismissed_by").order_by("pk")


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
        .select_related("one", "other", "declared_by")
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


def staff_rows(conflicts: Sequence[ConflictOfInterest], reader: Any) -> list[StaffRow]:
    """Return the rows of one page. Queries do not grow with the rows.

    Args:
        reader: who reads; work on their own tasks is left out, as its doers are named.
    """
    pks = [row.pk for row in conflicts]
    counting = set(in_force().filter(pk__in=pks).values_list("pk", flat=True))
    steps: dict[int, list[ConflictStep]] = {pk: [] for pk in pks}
    for step in ConflictStep.objects.filter(conflict__in=pks).select_related("by").order_by("pk"):
        steps[step.conflict_id].append(step)
    between = finished_between({(row.one_id, row.other_id) for row in conflicts})
    return [
        StaffRow(
            row,
            row.pk in counting,
            steps[row.pk],
            [
                Finished(
                    (row.one if work.person == row.one_id else row.other).pseudonym,
                    work.task,
                    listed(
                        [_("%(what)s: %(n)s") % {"what": label, "n": n} for label, n in work.parts]
                    ),
                )
                for work in between.get((row.one_id, row.other_id), ())
                if reader.pk not in (work.task.author_id, work.task.rubric_author_id)
            ],
        )
        for row in conflicts
    ]


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
