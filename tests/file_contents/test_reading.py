"""What is read of a file: its text in parts, its pictures, what was cut, and why nothing was."""

import hashlib
import io

import docx
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from PIL import Image

from curation.file_contents import limits, reading
from curation.file_contents.models import ContentPicture, FileContent
from tests import documents

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"


def read(data: bytes, ending: str) -> FileContent:
    return reading.read(data, hashlib.sha256(data).hexdigest(), ending)


def texts(content: FileContent) -> list[tuple[str, str, str]]:
    return [(part.part, part.label, part.text) for part in content.parts]


def test_a_pdf_gives_the_text_of_each_page():
    found = read(documents.pdf_with("Covenant of 3.5x", "", "Headroom is thin"), ".pdf")
    assert texts(found) == [("page", "1", "Covenant of 3.5x"), ("page", "3", "Headroom is thin")]
    assert (found.pages, found.reason, found.cut) == (3, "", {})
    assert not found.pictures.exists(), "an empty page needs no picture"


def test_a_scanned_pdf_gives_pictures_of_its_pages():
    found = read(documents.scan(2), ".pdf")
    assert (found.characters, found.reason) == (0, "")
    drawn = list(found.pictures.all())
    assert [(p.number, p.for_models) for p in drawn] == [(1, True), (2, True)]
    with drawn[0].file.open("rb") as file:
        data = file.read()
    assert hashlib.sha256(data).hexdigest() == drawn[0].sha256
    assert Image.open(io.BytesIO(data)).size == (drawn[0].width, drawn[0].height)


def test_only_the_first_pages_without_text_become_pictures():
    found = read(documents.scan(limits.PICTURES + 2), ".pdf")
    assert found.pictures.count() == limits.PICTURES
    assert found.cut == {"pictures": [limits.PICTURES, limits.PICTURES + 2]}


def test_a_page_is_drawn_once_for_people_and_is_not_for_models():
    data = documents.pdf_with("Covenant of 3.5x")
    found = read(data, ".pdf")
    drawn = reading.page_picture(found, 1, data)
    assert drawn is not None
    assert max(drawn.width, drawn.height) == limits.EDGE
    assert not drawn.for_models
    assert reading.page_picture(found, 1, b"not read again") == drawn
    assert reading.page_picture(found, 2, data) is None


def test_a_word_document_gives_headings_tables_and_accepted_changes():
    document = docx.Document(
        io.BytesIO(documents.word("# Memo", "Debt rose", table=[["year", "a|b"], ["2025", "1"]]))
    )
    paragraph = document.element.body.findall(qn("w:p"))[1]
    for tag, inner, text in (("w:ins", "w:t", " to 134"), ("w:del", "w:delText", " to 90")):
        change, run, letters = OxmlElement(tag), OxmlElement("w:r"), OxmlElement(inner)
        change.set(qn("w:author"), "Planted Name")
        letters.text = text
        run.append(letters)
        change.append(run)
        paragraph.append(change)
    file = io.BytesIO()
    document.save(file)
    (part,) = read(file.getvalue(), ".docx").parts
    assert part.kind == "markdown"
    assert (
        part.text == "# Memo\n\nDebt rose to 134\n\n| year | a\\|b |\n| --- | --- |\n| 2025 | 1 |"
    )


def test_a_workbook_gives_its_sheets_as_csv_with_formulas_that_were_never_computed():
    data = documents.workbook(Debt=[["year", "debt"], [2025, 134.5], ["all", "=SUM(B2:B2)"]], B=[])
    assert texts(read(data, ".xlsx")) == [
        ("sheet", "Debt", "year,debt\n2025,134.5\nall,=SUM(B2:B2)")
    ]


def test_a_presentation_gives_slides_and_notes():
    found = read(documents.slides(("Plan", "Say it slowly"), ("Costs", "")), ".pptx")
    assert texts(found) == [("slide", "1", "Plan\nNotes: Say it slowly"), ("slide", "2", "Costs")]


def test_a_text_longer_than_the_limit_is_cut_at_a_line_and_says_so():
    line = "x" * 99 + "\n"
    found = read((line * 1_200).encode(), ".txt")
    assert found.characters == limits.CHARACTERS - 1
    assert found.cut == {"characters": [found.characters, 119_999]}


def test_a_table_with_more_cells_than_the_limit_is_cut_at_a_row():
    found = read(b"a,b,c,d\n" * (limits.CELLS // 4 + 10), ".csv")
    assert found.cut["rows"] == [limits.CELLS // 4, limits.CELLS // 4 + 11]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_scaled_down_and_loses_what_is_hidden_in_it(kind):
    exif = Image.Exif()
    exif[0x010E] = "Planted words"
    exif[0x0112] = 6  # lies on its side
    data = documents.picture(kind, (3_000, 1_000), exif=exif)
    found = read(data, {"PNG": ".png", "JPEG": ".jpg", "WEBP": ".webp"}[kind])
    (drawn,) = found.pictures.all()
    assert (drawn.width, drawn.height) == (523, 1568)
    assert drawn.for_models
    with drawn.file.open("rb") as file:
        assert b"Planted" not in file.read()


def test_a_picture_that_stays_large_as_png_becomes_a_jpeg():
    (drawn,) = read(documents.noise((1_000, 1_000)), ".png").pictures.all()
    assert drawn.content_type == "image/jpeg"
    assert drawn.size < 3_000_000


@pytest.mark.parametrize(
    ("data", "ending", "reason"),
    [
        (b"%PDF-1.4 nothing %%EOF", ".pdf", "unreadable"),
        (documents.pdf_with("") + b"/Encrypt", ".pdf", "empty"),
        (b"PK\x03\x04 cut", ".docx", "unreadable"),
        (b"\x89PNG\r\n\x1a\n", ".png", "unreadable"),
        (b" \n", ".txt", "empty"),
        (documents.word(), ".docx", "empty"),
        (documents.workbook(A=[]), ".xlsx", "empty"),
    ],
)
def test_what_cannot_be_read_has_its_reason(data, ending, reason):
    found = read(data, ending)
    assert (found.reason, found.characters) == (reason, 0)
    assert not found.pictures.exists()


def test_a_reader_that_takes_too_long_is_stopped(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0)
    monkeypatch.setattr(reading, "_GRACE", 0.001)
    assert read(documents.pdf_with("Covenant of 3.5x"), ".pdf").reason == "too_slow"


def test_a_content_is_read_once_and_forgotten_with_its_pictures(settings):
    data = documents.picture()
    first, second = read(data, ".png"), read(data, ".png")
    assert first == second
    drawn = ContentPicture.objects.get()
    place = settings.MEDIA_ROOT / drawn.file.name
    assert place.exists()
    reading.forget(first.sha256)
    assert not FileContent.objects.exists()
    assert not place.exists()
