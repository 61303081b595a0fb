"""States of rows without a history: the legal moves, and `move`, the only way to make them.

Tasks, applications and anchors have a history of stages (`history.Staged`). Places on a panel,
reviews, sheets, runs and their responses only need protection from concurrent changes.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import models


class Stateful(models.Model):
    """A row with a column `state` that only `move` writes.

    Attributes:
        moves: state -> the states it may lead to.
    """

    moves: ClassVar[Mapping[str, tuple[str, ...]]]

    class Meta:
        abstract = True


def move(rows: models.QuerySet[Any], to: str, **values: Any) -> int:
    """Move the rows whose state may lead to `to`, by one conditional update.

    Args:
        rows: of a `Stateful` model.
        to: the new state.
        values: further columns to write.

    Returns:
        how many rows moved; a row that was moved elsewhere meanwhile is left unchanged.
    """
    sources = [state for state, targets in rows.model.moves.items() if to in targets]
    return rows.filter(state__in=sources).update(state=to, **values)
