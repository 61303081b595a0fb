"""Pages of long lists, the newest rows first, without counting or skipping by offset.

Both take longer the more rows there are. `components/slice.html` shows the links.
"""

from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet


@dataclass(frozen=True, slots=True)
class Slice:
    """Some rows, the newest first, with cursors to newer and older ones if there are any."""

    rows: list[Any]
    newer: int | None  # newer rows come after this one
    older: int | None  # older rows come before this one

    def showing(self, rows: list[Any]) -> "Slice":
        """Return the same page with other rows."""
        return replace(self, rows=rows)


def slice_of(
    rows: "QuerySet[Any]", *, size: int, before: int | None = None, after: int | None = None
) -> Slice:
    """Return the ids of at most `size` rows before or after one, else of the newest.

    One query; two if nothing is found before or after the row, as then the newest are shown.
    """
    ids = rows.order_by().values_list("pk", flat=True)
    if after is not None:
        found = list(ids.filter(pk__gt=after).order_by("pk")[: size + 1])
        shown = found[:size][::-1]
        newer = shown[0] if len(found) > size else None
        older = shown[-1] if shown else None
    else:
        if before is not None:
            ids = ids.filter(pk__lt=before)
        found = list(ids.order_by("-pk")[: size + 1])
        shown = found[:size]
        older = shown[-1] if len(found) > size else None
        newer = shown[0] if before is not None and shown else None
    if not shown and (before is not None or after is not None):
        return slice_of(rows, size=size)
    return Slice(shown, newer, older)
