"""Files that are broken, hostile or too large are refused in words, and stop nothing else."""

import io
import zipfile

import openpyxl
import pytest

from curation.base.file_contents import limits
from curation.tasks.task.models import Task
from judge.gold.transfer.import_models import DataImport
from tests.gold.imports.conftest import Desk, table, words, workbook

pytestmark = pytest.mark.django_db
HEAD = ("id", "domain", "requirements")


def refused(desk, content, name="tasks.xlsx"):
    answer = desk.upload(content, name=name)
    assert answer.status_code == 400
    assert not DataImport.objects.exists()
    return words(answer)


def changed(data: bytes, change) -> bytes:
    """A workbook with some of its parts changed: name, content -> content."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as source,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for part in source.infolist():
            target.writestr(part.filename, change(part.filename, source.read(part)))
    return out.getvalue()


def test_a_workbook_that_unpacks_to_far_more_than_it_seems_is_refused(desk):
    bomb = changed(
        workbook(Tasks=[HEAD, ("x-1", "p", "Solve.")]),
        lambda name, body: body + b" " * limits.SHEET_BYTES if "sheet1" in name else body,
    )
    assert len(bomb) < 1_000_000
    assert "This workbook is too large to be read here" in refused(desk, bomb)


def test_entities_of_a_workbook_do_not_multiply(desk):
    laugh = (
        b'<!DOCTYPE l [<!ENTITY a "ha">'
        + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
        + b"]>"
    )

    def change(name, body):
        if "sheet1" not in name:
            return body
        return laugh + body.replace(b"</worksheet>", b"<x>&j;</x></worksheet>")

    said = refused(desk, changed(workbook(Tasks=[HEAD, ("x-1", "p", "Solve.")]), change))
    assert "This workbook cannot be read" in said or "too large" in said


def test_a_damaged_workbook_and_other_kinds_of_files_are_refused_with_one_sentence(desk):
    assert "This workbook cannot be read" in refused(desk, b"PK\x03\x04 broken")
    assert "old Excel file" in refused(desk, b"\xd0\xcf\x11\xe0 old")
    assert "This is no table" in refused(desk, b"%PDF-1.7")
    assert "There is nothing in this file" in refused(desk, b"  \n")
    assert "no text in an encoding" in refused(desk, bytes(range(256)) * 4, name="a.csv")
    assert "Row 2: The quotation marks" in refused(desk, b'id,domain\n"x-1,p\n', name="a.csv")


def test_a_formula_counts_as_its_last_result_and_links_are_not_followed(desk):
    book = openpyxl.Workbook()
    book.active.append(HEAD)
    book.active.append(("x-1", "p", '=HYPERLINK("http://127.0.0.1:9/")'))
    book.active.append(("x-2", "p", "='http://127.0.0.1:9/[a.xlsx]S'!A1"))
    out = io.BytesIO()
    book.save(out)
    desk.upload(out.getvalue(), name="tasks.xlsx")
    desk.columns()
    assert [(f["row"], f["sentence"]) for f in desk.row().faults] == [
        (2, "This field is missing."),
        (3, "This field is missing."),
    ]


def test_a_file_above_the_limit_is_refused_before_it_is_read(desk, settings):
    settings.IMPORT_MAX_MB = 1
    said = refused(desk, b"id,domain\n" + b"x" * 1_100_000, name="a.csv")
    assert "The file is larger than 1 MB." in said


def test_a_table_with_more_cells_than_are_read_is_refused_in_words(desk, monkeypatch):
    monkeypatch.setattr(limits, "SHEET_CELLS", 1000)
    long = table(HEAD, *((f"x-{n}", "p", "Solve.") for n in range(400)))
    assert "more than 1,000 cells" in refused(desk, long, name="a.csv")
    assert "more than 1,000 cells" in refused(desk, f"id,domain\n{',' * 1001}\n", name="a.csv")


def test_an_upload_of_imports_may_be_larger_than_any_other_form(desk, author, sign_in, settings):
    settings.ATTACHMENT_MAX_MB, settings.IMPORT_MAX_MB = 1, 6
    blank = (b" " * 99 + b"\n") * 59_000
    large = table(HEAD, ("x-1", "p", "Solve.")).encode() + blank
    sent = {"archive": b"PK\x03\x04" + b"x" * 6_000_000, "rubrics": b"task,id\nx-1,1\n"}
    sent["rubrics"] += blank
    assert desk.upload(large, **sent).status_code == 302
    assert Desk(sign_in(author)).upload(large, **sent).status_code == 413
    settings.IMPORT_MAX_MB = 3
    assert desk.upload(large, **sent).status_code == 413


def test_a_number_of_a_kept_mapping_that_is_none_is_passed_over(desk):
    desk.upload(table(HEAD, ("x-1", "p", "Solve.")))
    at = f"/staff/imports/{desk.row().pk}/columns/"
    for typed in ("²", "9" * 30, "x"):
        assert desk.client.get(at, {"kept": typed}).status_code == 200


def test_text_that_looks_like_markup_is_shown_as_text(desk):
    desk.upload(table(HEAD, ("x-1", "p", "<script>alert(1)</script>")), name='<img src="x">.csv')
    desk.columns()
    page = desk.client.get(f"/staff/imports/{desk.row().pk}/").content.decode()
    assert "<script>alert(1)" not in page
    assert "<img src" not in page
    desk.start()
    assert Task.objects.get().requirements == "<script>alert(1)</script>"


def test_nobody_but_staff_sees_or_takes_a_step(desk, sign_in, author, staff):
    desk.upload(table(HEAD, ("x-1", "p", "Solve.")))
    desk.columns()
    pk = desk.row().pk
    client = sign_in(author)
    assert client.get(f"/staff/imports/{pk}/").status_code == 403
    assert client.post(f"/staff/imports/{pk}/start/", {"revision": 1}).status_code == 403
