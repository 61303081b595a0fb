"""What staff see of an account that is or may be closed."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import Q
from django.utils.translation import gettext as _

from curation.base.access.permissions import signed_in
from curation.base.web.optional_urls import url_or_empty
from curation.joining.accounts.models import AccountChange, DataCopy, NameRemoval
from curation.joining.people import User
from curation.qualifying.trials.models import Trial
from curation.tasks.task.fields import PARTS
from curation.tasks.task.models import Task


def is_the_person(user: Any, thing: Any) -> bool:
    """Return whether an account is one's own."""
    return signed_in(user, None) and thing.pk == user.pk


@dataclass(frozen=True, slots=True)
class Change:
    """One step on an account, as a row of its history."""

    at: datetime
    said: str
    who: str
    reason: str


@dataclass(frozen=True, slots=True)
class NamingText:
    """A text that holds the person's name; `url` is staff's page of it, "" if there is none."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Closing:
    """The state of an account for staff's page, with its history, the newest step first."""

    closed: bool
    name_removed: bool
    changes: tuple[Change, ...]
    naming: tuple[NamingText, ...]


def closing_of(person: User) -> Closing:
    """Return the state and history of an account. Six queries at most."""
    changes = sorted(_changes(person), key=lambda change: change.at, reverse=True)
    removed = person.name_was_removed
    naming = () if person.is_active or removed else texts_naming(person)
    return Closing(not person.is_active, removed, tuple(changes), naming)


def texts_naming(person: User) -> tuple[NamingText, ...]:
    """Return the person's own tasks and trial tasks whose text holds their name or an address."""
    addresses = EmailAddress.objects.filter(user=person).values_list("email", flat=True)
    named = Q()
    for word in {person.display_name.strip(), person.email, *addresses} - {""}:
        for part in PARTS:
            named |= Q(**{f"{part}__icontains": word})
    tasks = Task.objects.filter(named, author=person).only("pk", "title", "key")
    trials = Trial.objects.filter(named, application__user=person)
    return (
        *(NamingText(str(task), url_or_empty("staff-task", task.pk)) for task in tasks),
        *(
            NamingText(_("Trial task, version %(n)s") % {"n": trial.number}, "")
            for trial in trials.only("number")
        ),
    )


def _changes(person: User) -> Iterator[Change]:
    for removal in NameRemoval.objects.filter(user=person).select_related("actor"):
        yield Change(removal.at, _("Name removed."), removal.actor.pseudonym, removal.reason)
    for copy in DataCopy.objects.filter(user=person).select_related("actor"):
        said = _("A copy of the data was taken.")
        yield Change(copy.at, said, copy.actor.pseudonym, copy.reason)
    for row in AccountChange.objects.filter(user=person).select_related("actor"):
        said = _("Account closed.") if row.closed else _("Account opened again.")
        yield Change(row.at, said, row.actor.pseudonym, _(row.reason))
