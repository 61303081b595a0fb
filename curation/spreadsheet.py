"""CSV that a spreadsheet opens without running anything in it."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.http import StreamingHttpResponse

_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


class _Echo:
    """A file whose `write` returns the line."""

    def write(self, line: str) -> str:
        return line


def cell(value: Any) -> Any:
    """A value as a cell; a text that would start a formula gets an apostrophe before it."""
    if isinstance(value, str) and value.lstrip(" ").startswith(_STARTS_A_FORMULA):
        return f"'{value}"
    return value


def lines(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """The lines of the file, with a byte order mark so that spreadsheets read UTF-8."""
    writer = csv.writer(_Echo())
    yield "\ufeff" + writer.writerow(head)
    for row in rows:
        yield writer.writerow([cell(value) for value in row])


def download(
    name: str, head: Sequence[str], rows: Iterable[Sequence[Any]]
) -> StreamingHttpResponse:
    """The file as a download, written while it is read."""
    return StreamingHttpResponse(
        lines(head, rows),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "X-Content-Type-Options": "nosniff",
        },
    )
