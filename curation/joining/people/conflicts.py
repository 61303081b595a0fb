"""Conflicts of interest: who must not judge whose work. They are never shown to the people.

Affiliations are read here. Nouns above register the sources they keep: referrals (invitations and
applications) and declared conflicts (`review`). So screening and review follow one rule.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from curation.base.text.same_line import key_of
from curation.joining.people.models import User

# Why work ends that somebody held. Stored in English, and translated for the reader of the history.
TIE_FOUND = gettext_noop("A tie to the author has been found since.")
Pair = tuple[int, int]
Source = Callable[[Collection[int]], QuerySet[Any, Pair]]
_sources: list[Source] = []


def register(source: Source) -> None:
    """Add a source of conflicts; one that is registered already is not added again.

    Args:
        source: takes ids of people and returns a query of pairs of ids (`values_list`), one of
            each pair among the given ids. All sources are read in one query.
    """
    if source not in _sources:
        _sources.append(source)


def people_in_conflict_with(person: Any) -> set[int]:
    """Return the ids of everybody in conflict with a person. Conflicts are symmetric.

    Conflicts are: the same affiliation (ignoring case and spacing), a referral in either direction,
    and those of the registered sources.

    Args:
        person: None for the author of an imported task, who has no account: no conflicts.
    """
    return conflicts_of([person])[person.pk] if person is not None else set()


def conflicts_of(people: Collection[Any]) -> dict[int, set[int]]:
    """Return id of each person -> ids of everybody in conflict with them.

    Two queries, however many people there are.
    """
    found: dict[int, set[int]] = defaultdict(set)
    ids = {person.pk for person in people}
    if not ids:
        return found
    kept = [source(ids).order_by() for source in _sources]
    for one, other in [*_colleagues(ids), *kept[0].union(*kept[1:])]:
        found[one].add(other)
        found[other].add(one)
    return defaultdict(set, {pk: found[pk] - {pk} for pk in ids})


def cached_conflicts_of(user: Any) -> set[int]:
    """Return `people_in_conflict_with` the reader of a page, computed once per request.

    For lists only; actions that decide must compute it again.
    """
    if not hasattr(user, "conflicts_found"):
        user.conflicts_found = people_in_conflict_with(user)
    found: set[int] = user.conflicts_found
    return found


def in_conflict(one: Any, other: Any) -> bool:
    """Return whether two people must not judge each other's work."""
    return other.pk in people_in_conflict_with(one)


def same_affiliation(one: Any, other: Any) -> bool:
    """Return whether two people gave the same affiliation."""
    folded = _folded(one.affiliation)
    return bool(folded) and folded == _folded(other.affiliation)


def _colleagues(ids: Collection[int]) -> Iterable[Pair]:
    # Compared in Python: SQLite folds the case of ASCII letters only.
    rows = list(User.objects.exclude(affiliation="").values_list("pk", "affiliation"))
    folded = {typed: _folded(typed) for typed in {affiliation for _pk, affiliation in rows}}
    employer = {pk: folded[affiliation] for pk, affiliation in rows}
    employees: dict[str, list[int]] = defaultdict(list)
    for pk, affiliation in employer.items():
        if affiliation:
            employees[affiliation].append(pk)
    return [(pk, other) for pk in ids if pk in employer for other in employees[employer[pk]]]


def _folded(affiliation: str | None) -> str:
    """Return an affiliation normalised in case, spacing and character width."""
    return key_of(unicodedata.normalize("NFKC", affiliation or ""))
