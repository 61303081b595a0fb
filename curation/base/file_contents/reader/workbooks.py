"""Excel workbooks: their sheets as CSV, and the pictures on them."""

import io
import itertools
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from typing import Any

import openpyxl
from openpyxl.packaging.relationship import get_dependents, get_rels_path
from openpyxl.reader.drawings import find_images
from openpyxl.reader.workbook import WorkbookParser

from curation.base.file_contents import limits
from curation.base.file_contents.reader import office_inside
from curation.base.file_contents.reader.figures import Figures, Shown
from curation.base.file_contents.reader.found import Found, TextBudget
from curation.base.file_contents.reader.tables import as_csv

_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SQUARE_POINT = 12_700**2  # in the unit of Office's drawings, the EMU, squared
_SQUARE_PIXEL = 0.75**2  # in square points


def read(data: bytes) -> Found:
    """Read every sheet of a workbook, hidden ones too, as CSV, and the pictures on them.

    A formula is read as its last result; as itself if the workbook holds none.
    """
    found = Found()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # parts that openpyxl does not know, such as slicers
        values = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        formulas = openpyxl.load_workbook(io.BytesIO(data), read_only=True)
        figures = Figures(found)
        _add_pictures(data, figures)
    budget = TextBudget(found)
    left = limits.CELLS
    for name in values.sheetnames:
        sheet = values[name]
        if not hasattr(sheet, "iter_rows"):  # a sheet that is a chart
            figures.skip()
            continue
        sheet.reset_dimensions()  # some programs declare fewer cells than there are
        formulas[name].reset_dimensions()
        pairs = zip(sheet.iter_rows(), formulas[name].iter_rows(), strict=False)
        rows, left = _rows(pairs, left)
        part = "sheet" if sheet.sheet_state == "visible" else "hidden_sheet"
        budget.add("table", as_csv(rows), part=part, label=name)
        if left < 0:
            found.cut["cells"] = [limits.CELLS, None]
            break
    office_inside.add_texts(data, found)
    if not found.sections and not found.pictures:
        found.reason = "only_pictures" if found.unread_pictures else "empty"
    return found


def _add_pictures(data: bytes, figures: Figures) -> None:
    """Collect the pictures of all sheets, and count their charts.

    Reading without styles and formulas, as `read` does, tells nothing of drawings, and reading
    with them takes many times the memory. So the package is asked for them.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = set(archive.namelist())
        for sheet, drawing in _drawings(archive, parts):
            try:
                charts, images = find_images(archive, drawing)
            except Exception:  # a damaged drawing, in a way no library has a name for
                figures.skip()
                continue
            for _chart in charts:
                figures.skip()
            for image in images:
                figures.add(Shown(image.ref.getvalue(), _area_of(image), place=sheet))


def _drawings(archive: zipfile.ZipFile, parts: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the name of each sheet that has drawings, and the part of the package they are in."""
    (main,) = get_dependents(archive, "_rels/.rels").find(f"{_RELATIONS}/officeDocument")
    workbook = WorkbookParser(archive, main.target, keep_links=False)
    workbook.parse()
    for sheet, relation in workbook.find_sheets():
        path = get_rels_path(relation.target)
        if path in parts and relation.Type == f"{_RELATIONS}/worksheet":
            for drawing in get_dependents(archive, path).find(f"{_RELATIONS}/drawing"):
                yield sheet.name, drawing.target


def _area_of(image: Any) -> float:
    """Return the square points on which a picture is shown.

    One that is fastened to two cells has no size of its own; then its pixels count.
    """
    size = getattr(image.anchor, "ext", None)
    if size is None:
        return float(image.width * image.height * _SQUARE_PIXEL)
    return float(size.width * size.height / _SQUARE_POINT)


def _rows(pairs: Iterable[tuple[Any, Any]], left: int) -> tuple[list[list[str]], int]:
    """Return the rows without empty ends, and how many cells may still be read; -1 for none."""
    rows: list[list[str]] = []
    empty = 0
    for shown, typed in pairs:
        left -= max(1, len(shown))
        if left < 0:
            break
        row = [
            _as_text(a.value if a.value is not None else b.value)
            for a, b in itertools.zip_longest(shown, typed[: len(shown)], fillvalue=_NOTHING)
        ]
        while row and not row[-1]:
            row.pop()
        if not row:
            empty += 1
            continue
        rows += [[]] * min(empty, 1) if rows else []  # a gap of any height is one empty row
        empty = 0
        rows.append(row)
    return rows, left


class _Nothing:
    value = None


_NOTHING = _Nothing()


def _as_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ").removesuffix(" 00:00:00")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
