"""Which candidates are off the open board, and the history of that."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from judge.results.leaderboard.open_board_models import BoardRemoval


@dataclass(frozen=True, slots=True)
class TakenOff:
    """A candidate that is off the open board, with staff's reason."""

    pk: int
    candidate: str
    reason: str
    who: str
    at: datetime

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; without the person."""
        return {
            "candidate": self.candidate,
            "reason": self.reason,
            "at": self.at.isoformat(timespec="seconds"),
        }


def taken_off() -> list[TakenOff]:
    """Return the candidates that are off the open board now, by name. One query."""
    rows = BoardRemoval.objects.filter(put_back_at__isnull=True).select_related("candidate", "by")
    return [
        TakenOff(row.candidate_id, row.candidate.name, row.reason, str(row.by), row.at)
        for row in rows.order_by("candidate__name")
    ]


def history_of(candidate: int) -> "QuerySet[BoardRemoval]":
    """Select all removals of a candidate, the newest first."""
    rows = BoardRemoval.objects.filter(candidate=candidate)
    return rows.select_related("by", "put_back_by")
