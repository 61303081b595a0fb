"""Reading tables that people paste or send as CSV, as spreadsheets write them."""

import csv
import io
from collections.abc import Iterator

from django.utils.translation import gettext as _

from curation.base.web.csv_export import plain

# Characters of one cell. Python's own limit is 131,072, and some responses are longer.
csv.field_size_limit(5_000_000)


class BrokenTableError(ValueError):
    """A text cannot be read as a table.

    Attributes:
        line: of the text, from 1, where the row begins that cannot be read.
        sentence: what is wrong with it, for people.
    """

    def __init__(self, line: int, sentence: str) -> None:
        self.line, self.sentence = line, sentence
        super().__init__(f"{line}: {sentence}")


def separator_of(text: str) -> str:
    """Return the separator of a table: the first line with words in it has most of it."""
    first = next((line for line in io.StringIO(text) if line.strip()), "")
    return max(",;\t", key=first.count)


def csv_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line of the text, from 1; cells) of each row, empty ones too.

    The separator is the comma, semicolon or tab that the first line with words in it has most of.
    Apostrophes by which our own files guard cells against formulas are taken away.

    Raises:
        BrokenTableError: at the row, when it is reached.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator_of(text), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise BrokenTableError(line, _what_is_wrong(error)) from None
        yield line, [plain(cell) for cell in row]


def _what_is_wrong(error: csv.Error) -> str:
    if "field limit" in str(error):
        return _("A cell has more than %(n)s characters.") % {"n": f"{csv.field_size_limit():,}"}
    return _("The quotation marks of this row do not match.")
