"""CSV that a spreadsheet opens without running anything in it."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.http import StreamingHttpResponse

# East Asian spreadsheets take the wide signs for the narrow ones.
_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001


class _Echo:
    """A file whose `write` returns the line."""

    def write(self, line: str) -> str:
        return line


def _would_run(text: str) -> bool:
    """Whether a text is a formula, or would be one without the apostrophes before it."""
    return text.lstrip("'").lstrip(" ").startswith(_STARTS_A_FORMULA)


def cell(value: Any) -> Any:
    """A value as a cell; a text that would start a formula gets an apostrophe before it.

    One that begins with apostrophes and would start a formula without them gets one more, so that
    `plain` gives back exactly what went in.
    """
    return f"'{value}" if isinstance(value, str) and _would_run(value) else value


def plain(text: str) -> str:
    """The text of a cell that `cell` wrote: `plain(cell(text)) == text` for every text."""
    return text[1:] if text.startswith("'") and _would_run(text) else text


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
