"""A list as a file: exactly the rows that match, in their order, with the columns of the page."""

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.utils import timezone

from curation.base.lists.declared import ListSpec
from curation.base.web import csv_export, workbooks

AT_A_TIME = 500  # rows loaded together


def download(spec: ListSpec, found: "QuerySet[Any]", kind: str) -> HttpResponseBase:
    """Return the rows as a file; CSV is streamed.

    Args:
        found: the rows in order.
        kind: "csv" or "xlsx".
    """
    name = f"{spec.name}-{timezone.localdate():%Y-%m-%d}.{kind}"
    head = [str(column.label) for column in spec.columns]
    if kind == "csv":
        return csv_export.download(name, head, cells(spec, found))
    return workbooks.download(name, head, cells(spec, found), name=spec.name)


def cells(spec: ListSpec, found: "QuerySet[Any]") -> Iterator[list[Any]]:
    """Yield the cells of each row. One query for the keys, then those of `load` for 500 rows."""
    every = list(found.values_list("pk", flat=True))
    for start in range(0, len(every), AT_A_TIME):
        keys = every[start : start + AT_A_TIME]
        loaded = spec.load(keys)
        for key in keys:
            if key in loaded:
                yield [_plain(column.value(loaded[key])) for column in spec.columns]


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds")
    return value if value is None or isinstance(value, int | float | Decimal) else str(value)
