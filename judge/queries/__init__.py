"""What judge knows about a person's work."""

from typing import Any

from curation.waiting import Waiting
from judge.queries import sheets


def waiting(user: Any) -> list[Waiting]:
    """What waits for a person in judge."""
    return sheets.waiting(user)
