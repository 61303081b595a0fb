"""Who must not judge whose work. Facts found here are never told to the people concerned.

The facts that people and applications hold are read here; an app above adds the ones it keeps
(declared conflicts live in `review`), so that screening and review go by one rule.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import Any

from django.db.models import Q, QuerySet

from curation.applications.models import Application
from curation.invitations.models import Arrival, Invitation
from curation.people.models import User
from curation.text.same_line import key_of

Pair = tuple[int, int]
Source = Callable[[Collection[int]], QuerySet[Any, Pair]]
_sources: list[Source] = []


def register(source: Source) -> None:
    """Add a source: ids of people -> pairs in conflict, each with one of them. Twice counts once.

    A source gives rows of two ids, as `values_list` does; all sources together are one query.
    """
    if source not in _sources:
        _sources.append(source)


def people_in_conflict_with(person: Any) -> set[int]:
    """Ids of everybody with a conflict with this person. It holds in both directions.

    Counted: the same affiliation (however it is spaced or capitalised), a referral in either
    direction, and whatever the registered sources know.
    """
    # The task of another benchmark has no author here.
    return conflicts_of([person])[person.pk] if person is not None else set()


def conflicts_of(people: Collection[Any]) -> dict[int, set[int]]:
    """Id of each of these people -> ids of everybody with a conflict with them.

    Two queries, however many people there are.
    """
    found: dict[int, set[int]] = defaultdict(set)
    ids = {person.pk for person in people}
    if not ids:
        return found
    kept = [source(ids).order_by() for source in (_referred_by_name, _referred_by_link, *_sources)]
    for one, other in [*_colleagues(ids), *kept[0].union(*kept[1:])]:
        found[one].add(other)
        found[other].add(one)
    return defaultdict(set, {pk: found[pk] - {pk} for pk in ids})


def ties_of(user: Any) -> set[int]:
    """The same for whoever reads a list, found once per request. Decisions ask anew."""
    if not hasattr(user, "ties_found"):
        user.ties_found = people_in_conflict_with(user)
    found: set[int] = user.ties_found
    return found


def in_conflict(one: Any, other: Any) -> bool:
    """Whether two people must not judge each other's work."""
    return other.pk in people_in_conflict_with(one)


def _colleagues(ids: Collection[int]) -> Iterable[Pair]:
    # Compared here, not in SQL: SQLite folds the case of ASCII letters only.
    rows = User.objects.exclude(affiliation="").values_list("pk", "affiliation")
    places = {pk: _folded(affiliation) for pk, affiliation in rows}
    at: dict[str, list[int]] = defaultdict(list)
    for pk, affiliation in places.items():
        if affiliation:
            at[affiliation].append(pk)
    return [(pk, other) for pk in ids if pk in places for other in at[places[pk]]]


def _referred_by_name(ids: Collection[int]) -> QuerySet[Any, Any]:
    return Application.objects.filter(
        Q(user__in=ids) | Q(referred_by__in=ids), referred_by__isnull=False
    ).values_list("user_id", "referred_by_id")


def _referred_by_link(ids: Collection[int]) -> QuerySet[Any, Any]:
    return Arrival.objects.filter(
        Q(user__in=ids) | Q(invitation__invited_by__in=ids),
        invitation__kind=Invitation.Kind.REFERRAL,
    ).values_list("user_id", "invitation__invited_by_id")


def _folded(affiliation: str | None) -> str:
    """The name of an employer without the differences that mean nothing."""
    return key_of(unicodedata.normalize("NFKC", affiliation or ""))
