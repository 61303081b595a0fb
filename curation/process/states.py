"""States of rows that keep no history of their own: the legal moves, and the one way to take them.

A task, an application and an anchor are told move by move (`history.Staged`). A place on a panel, a
review, a sheet, a run and its responses only need that nobody overwrites what somebody else did a
moment before.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import models


class Stateful(models.Model):
    """A row with a column `state` that `move` alone writes.

    Attributes:
        moves: state -> the states it may lead to.
    """

    moves: ClassVar[Mapping[str, tuple[str, ...]]]

    class Meta:
        abstract = True


def move(rows: models.QuerySet[Any], to: str, **values: Any) -> int:
    """Move those of the rows whose state may lead there, by one compare-and-swap.

    Args:
        rows: of a `Stateful` model.
        to: the state wanted.
        values: further columns to write with it.

    Returns:
        how many rows moved; a row that somebody else has moved on stays as it is.
    """
    sources = [state for state, targets in rows.model.moves.items() if to in targets]
    return rows.filter(state__in=sources).update(state=to, **values)
