"""What is read of a file: its text in parts, its pictures, what was cut, and why nothing was."""

import hashlib
import io
import zipfile
from datetime import timedelta

import docx
import pytest
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.utils import timezone
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from PIL import Image

from curation.base.file_contents import limits, reading
from curation.base.file_contents.models import ContentPicture, FileContent
from curation.tasks.attachments.actions import add_attachment, clean_removed
from curation.tasks.attachments.models import Attachment
from curation.tasks.authoring.actions import create_task
from tests import documents
from tests.attached import attach
from tests.tasks.attachments.files import upload

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


def test_files_stored_unread_are_read_by_the_worker_and_again_when_asked(author, finance, settings):
    task = create_task(actor=author, domain=finance, title="Covenant headroom")
    row = attach(task, "later.txt", b"later", read=False)
    gone = attach(task, "gone.txt", b"gone", read=False)
    gone.file.storage.delete(gone.file.name)
    call_command("work", stdout=io.StringIO())
    assert FileContent.objects.get(sha256=row.sha256).characters == 5
    assert FileContent.objects.get(sha256=gone.sha256).reason == "missing"
    gone.file.storage.save(gone.file.name, ContentFile(b"gone"))
    out = io.StringIO()
    call_command("read_files", again=True, stdout=out)
    assert out.getvalue() == "Files read: 1.\n"
    assert FileContent.objects.get(sha256=gone.sha256).reason == ""


def test_a_table_within_a_cell_is_read_once():
    document = docx.Document()
    cell = document.add_table(1, 2).cell(0, 0)
    cell.text = "outer"
    cell.add_table(1, 1).cell(0, 0).text = "inner"
    file = io.BytesIO()
    document.save(file)
    assert read(file.getvalue(), ".docx").parts[0].text == "| outer inner |  |\n| --- | --- |"


def test_the_name_of_a_sheet_has_a_bound():
    book = documents.workbook(Debt=[["year", "debt"]])
    long = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(long, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b'name="Debt"', b'name="%b"' % (b"x" * 900)))
    assert read(long.getvalue(), ".xlsx").parts[0].label == "x" * 60


def test_what_was_read_goes_with_the_last_file_of_its_content(author, finance, settings):
    task = create_task(actor=author, domain=finance, title="Covenant headroom")
    rows = [attach(task, name, documents.picture()) for name in ("a.png", "b.png")]
    long_ago = timezone.now() - timedelta(days=31)
    for n, row in enumerate(rows):
        Attachment.objects.filter(pk=row.pk).update(removed_at=long_ago)
        assert clean_removed() == 1
        assert FileContent.objects.exists() == (n == 0)
    assert not [path for path in settings.MEDIA_ROOT.rglob("*") if path.is_file()]


def test_another_file_under_a_name_in_use_gets_a_number(author, finance):
    task = create_task(actor=author, domain=finance, title="Covenant headroom")
    for n in range(3):
        add_attachment(actor=author, thing=task, upload=upload("plan.txt", b"%d" % n))
    names = task.attachments.values_list("name", flat=True)
    assert list(names) == ["plan.txt", "plan (2).txt", "plan (3).txt"]
