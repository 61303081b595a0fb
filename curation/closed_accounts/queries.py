"""What staff see of an account that is or may be closed."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from curation.closed_accounts.models import AccountChange, NameRemoval
from curation.people.models import User


@dataclass(frozen=True, slots=True)
class Change:
    """One step on an account, as a row of its history."""

    at: datetime
    said: str
    who: str
    reason: str


@dataclass(frozen=True, slots=True)
class Closing:
    """The state of an account for staff's page, with its history, the newest step first."""

    closed: bool
    name_removed: bool
    changes: tuple[Change, ...]


def closing_of(person: User) -> Closing:
    """Return the state and history of an account. Two queries."""
    changes = sorted(_changes(person), key=lambda change: change.at, reverse=True)
    removed = NameRemoval.objects.filter(user=person).select_related("actor").first()
    if removed is not None:
        said = _("Name removed.")
        changes.insert(0, Change(removed.at, said, removed.actor.pseudonym, removed.reason))
    return Closing(not person.is_active, removed is not None, tuple(changes))


def _changes(person: User) -> Iterator[Change]:
    for row in AccountChange.objects.filter(user=person).select_related("actor"):
        said = _("Account closed.") if row.closed else _("Account opened again.")
        yield Change(row.at, said, row.actor.pseudonym, _(row.reason))
