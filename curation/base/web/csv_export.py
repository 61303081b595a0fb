"""CSV files in which spreadsheets find no formulas."""

import csv
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.http import StreamingHttpResponse

# East Asian spreadsheets accept the full-width signs too.
_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001


class _Echo:
    """A file-like object whose `write` returns the line, for `csv.writer`."""

    def write(self, line: str) -> str:
        return line


def _would_run(text: str) -> bool:
    """Return whether a text is a formula, or would be one without leading apostrophes.

    Signs that nobody sees before it count for nothing, as a spreadsheet may drop them.
    """
    text = text.lstrip("'").lstrip(" ")
    seen = next((at for at, sign in enumerate(text) if not _is_invisible(sign)), len(text))
    return text.startswith(_STARTS_A_FORMULA) or text.startswith(_STARTS_A_FORMULA, seen)


def _is_invisible(sign: str) -> bool:
    return sign.isspace() or unicodedata.category(sign) in ("Cf", "Cc", "Zs")


def cell(value: Any) -> Any:
    """Return a value as a cell; a text that starts a formula gets a leading apostrophe.

    So does a text that would start a formula without its leading apostrophes: `plain` can then
    restore every text exactly.
    """
    return f"'{value}" if isinstance(value, str) and _would_run(value) else value


def plain(text: str) -> str:
    """Restore the text of a cell: `plain(cell(text)) == text` for every text."""
    return text[1:] if text.startswith("'") and _would_run(text) else text


def lines(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield the lines of the file, with a byte order mark so that spreadsheets read UTF-8."""
    writer = csv.writer(_Echo())
    yield "\ufeff" + writer.writerow(head)
    for row in rows:
        yield writer.writerow([cell(value) for value in row])


def download(
    name: str, head: Sequence[str], rows: Iterable[Sequence[Any]]
) -> StreamingHttpResponse:
    """Return the file as a streamed download.

    Args:
        name: of the file; it must not contain quotes.
    """
    return StreamingHttpResponse(
        lines(head, rows),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "X-Content-Type-Options": "nosniff",
        },
    )
