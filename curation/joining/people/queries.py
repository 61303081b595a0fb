"""Conditions over the work of qualified people."""

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Q

from curation.joining.people.models import Qualification


def held_under(qualifications: Iterable[Qualification], *, person: str, domain: str) -> Q:
    """Return the condition that somebody holds a row in the domain of a qualification of theirs.

    Args:
        person, domain: lookups from the row, such as "reviewer" and "task__domain".
    """
    people: dict[int, set[int]] = defaultdict(set)
    for held in qualifications:
        people[held.domain_id].add(held.user_id)
    found = Q(pk__in=[])
    for domain_id, members in people.items():
        found |= Q(**{domain: domain_id, f"{person}__in": members})
    return found
