"""How much each person has in hand, and how late it is."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from curation.staff.pipeline.deadline_in_hand import InHand


@dataclass(frozen=True, slots=True)
class Load:
    """What a person has in hand: pieces, late ones, and since when the oldest waits."""

    person_id: int
    pieces: int
    late: int
    since: datetime


def load_by_person(rows: Iterable[InHand]) -> list[Load]:
    """Return the load of each person: most late work first, then most work, then the oldest."""
    now = timezone.now()
    of: dict[int, list[InHand]] = defaultdict(list)
    for row in rows:
        of[row.person_id].append(row)
    found = [
        Load(
            person_id=person_id,
            pieces=len(mine),
            late=sum(row.is_late(now) for row in mine),
            since=min(row.since for row in mine),
        )
        for person_id, mine in of.items()
    ]
    return sorted(found, key=lambda load: (-load.late, -load.pieces, load.since, load.person_id))


def longest_waiting(rows: Iterable[InHand]) -> list[InHand]:
    """Return the work: what is late first, by its deadline; then by how long it waits."""
    now = timezone.now()

    def place(row: InHand) -> tuple[bool, datetime]:
        return (False, row.due_at) if row.due_at and row.due_at < now else (True, row.since)

    return sorted(rows, key=place)
