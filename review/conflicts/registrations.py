"""What declared conflicts of interest give to the nouns below."""

from typing import Any

from django.db.models import F, Q
from django.dispatch import receiver

from curation.base.process import periodic_jobs
from curation.base.process.signals import name_removed
from curation.joining import people
from curation.joining.people import User
from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from review.conflicts.actions import keep_colleagues_apart, match_declarations, remove_names
from review.conflicts.models import ConflictOfInterest, ConflictStep, Declaration
from review.conflicts.sources import declared_with

_CONFLICT = ("kind", "since", "until", "state", "at")


@receiver(name_removed, sender=User, dispatch_uid="review.remove_names")
def remove_declared_names(
    sender: Any, instance: User, addresses: list[str], actor: Any, **_: Any
) -> None:
    """Remove the names from declared conflicts of interest, and keep former colleagues apart."""
    keep_colleagues_apart(instance, actor=actor)
    remove_names(instance, addresses)


people.register(declared_with)
periodic_jobs.register(match_declarations)
parts.register(
    Part(
        "declarations",
        Declaration,
        "person",
        ("kind", "name", "email", "since", "until", "note", "at", "withdrawn_at"),
    ),
    Part(
        "conflict_answers",
        ConflictStep,
        "by",
        ("conflict__kind", "kind", "reason", "at"),
        Q(kind__in=["confirmed", "disputed"]),
    ),
    # The other person is left out: a number would link a name to a pseudonym.
    # Those that the person declared are among the declarations, which do not tell who is a member.
    Part("conflicts_as_one", ConflictOfInterest, "one", _CONFLICT, ~Q(declared_by=F("one"))),
    Part("conflicts_as_other", ConflictOfInterest, "other", _CONFLICT, ~Q(declared_by=F("other"))),
)
