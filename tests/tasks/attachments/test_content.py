"""A file is what its bytes say. What could run, hide or burst is refused in plain words."""

import pytest
from django.core.files.storage import default_storage

from curation.tasks.attachments.content import clean_name
from curation.tasks.attachments.models import Attachment
from tests.tasks.attachments.files import (
    archive,
    chunk,
    exif,
    jpeg,
    office,
    pdf,
    png,
    segment,
    upload,
    webp,
)

pytestmark = pytest.mark.django_db
ADD = "/attachments/{}/{}/"
OFFICE = "application/vnd.openxmlformats-officedocument."
ZIP = archive(("a.txt", b"x"))

GOOD = {
    "cv.pdf": (pdf(), "application/pdf"),
    "scan.png": (png(), "image/png"),
    "photo.JPEG": (jpeg(), "image/jpeg"),
    "photo.webp": (webp(), "image/webp"),
    "letter.docx": (office("docx"), OFFICE + "wordprocessingml.document"),
    "model.xlsx": (office("xlsx"), OFFICE + "spreadsheetml.sheet"),
    "board.pptx": (office("pptx"), OFFICE + "presentationml.presentation"),
    "flows.csv": (b"\xef\xbb\xbfyear,value\n2024,1\n", "text/csv"),
    "notes.txt": ("Größe 大小\n".encode(), "text/plain"),
    "notes.md": (b"# Notes\n\n<b>x</b>", "text/markdown"),
}  # fmt: skip

XXE = b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>"

BAD = {
    "page.png": (b"<!doctype html><script>alert(1)</script>", "scripts"),
    "drawing.svg": (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "scripts"),
    "drawing.txt": (b"\xef\xbb\xbf\n <!-- a --><svg onload=alert(1)>", "scripts"),
    "tool.txt": (b"#!/bin/sh\nrm -rf /\n", "scripts"),
    "tool.py": (b"print(1)\n", "not accepted"),
    "program.pdf": (b"MZ" + b"\0" * 200, "not accepted"),
    "program.txt": (b"MZ" + b"\0" * 200, "not accepted"),
    "late.txt": (b"a" * 20_000 + b"\0", "not accepted"),
    "empty.pdf": (b"", "empty"),
    "german.csv": ("Größe;1\n".encode("latin-1"), "UTF-8"),
    "wide.txt": ("text".encode("utf-16"), "UTF-16"),
    "old.doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "old Office"),
    "half.pdf": (b"%PDF-1.4\n1 0 obj", "is cut off"),
    "acting.pdf": (pdf(b"<</S/JavaScript/JS(app.alert(1))>>"), "runs scripts"),
    "carrying.pdf": (pdf(b"<</Type/EmbeddedFile>>"), "other files"),
    "both.pdf": (pdf() + ZIP, "two files in one"),
    "both.png": (png() + ZIP, "two files in one"),
    "both.jpg": (jpeg(after=ZIP), "two files in one"),
    "longer.png": (png() + b"more", "damaged or holds more"),
    "cut.png": (png()[:-20], "damaged"),
    "cut.jpg": (jpeg()[:30], "damaged"),
    "cut.webp": (webp()[:-4], "damaged"),
    "huge.png": (png(width=100_000, height=100_000), "million pixels"),
    "files.zip": (archive(), "Archives are not accepted"),
    "slip.docx": (archive(("../../etc/passwd", b"x"), ("word/document.xml", b"x")), "Archives"),
    "root.docx": (archive(("/etc/passwd", b"x")), "Archives"),
    "twice.docx": (archive(("word/A.xml", b"x"), ("word/a.xml", b"x")), "Archives"),
    "macro.docx": (office("docx", word__vbaProject="x"), "macros"),
    "bomb.docx": (archive(*((f"{n}.bin", b"\0" * 30_000_000) for n in range(8))), "far larger"),
    "xxe.docx": (archive(("word/a.xml", XXE)), "Archives"),
    "broken.xlsx": (office("xlsx")[:200], "Archives"),
    "self.docx": (b"MZ" + office("docx"), "not accepted"),
}  # fmt: skip
# archive() without parts is an archive like any other, though it names a document's type
BAD["files.zip"] = (ZIP.replace(b"[Content_Types].xml", b"[Content-Types].xml"), "Archives")


@pytest.mark.parametrize("name", GOOD)
def test_documents_pictures_and_texts_are_kept_as_what_they_are(
    sign_in, applicant, application, name
):
    data, kind = GOOD[name]
    browser = sign_in(applicant)
    browser.post(
        ADD.format("application", application.pk), {"file": upload(name, data)}, follow=True
    )
    row = Attachment.objects.get()
    assert (row.content_type, row.size) == (kind, len(data))
    reply = browser.get(f"/attachments/{row.pk}/")
    assert b"".join(reply) == data
    assert reply["Content-Type"].startswith(kind)


@pytest.mark.parametrize("name", BAD)
def test_what_could_run_hide_or_burst_is_refused_and_leaves_nothing(
    sign_in, applicant, application, name
):
    data, words = BAD[name]
    answer = sign_in(applicant).post(
        ADD.format("application", application.pk),
        {"file": upload(name, data)},
        headers={"X-Parts": "1"},
    )
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Attachment.objects.exists()
    assert not default_storage.exists("attachments") or default_storage.listdir("attachments") == (
        [],
        [],
    )


def test_a_file_over_the_limit_is_refused_with_both_sizes(
    sign_in, applicant, application, settings
):
    settings.ATTACHMENT_MAX_MB = 1
    answer = sign_in(applicant).post(
        ADD.format("application", application.pk),
        {"file": upload("large.pdf", pdf(b"x" * 1_200_000))},
        headers={"X-Parts": "1"},
    )
    assert answer.status_code == 422
    assert "1.1 MB; the limit is 1 MB" in answer.content.decode()


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("../../etc/passwd.pdf", "passwd.pdf"),
        ("C:\\Users\\ana\\cv.pdf", "cv.pdf"),
        ("annex\u202efdp.exe", "annexfdp.pdf"),
        ("a\r\nSet-Cookie: x=1.pdf", "aSet-Cookie x=1.pdf"),
        ("page.html", "page.pdf"),
        ("two.pdf.exe", "two.pdf.pdf"),
        ('say "hi"; now.pdf', "say hi now.pdf"),
        ("con.pdf", "_con.pdf"),
        (".pdf", "file.pdf"),
        ("\u200b\u200b.pdf", "file.pdf"),
        ("x" * 300 + ".pdf", "x" * 196 + ".pdf"),
        ("年度报告 2024.pdf", "年度报告 2024.pdf"),
        ("half \ud800.pdf", "half.pdf"),
    ],
)
def test_a_name_loses_its_path_its_tricks_and_a_wrong_ending(raw, kept):
    assert clean_name(raw, ".pdf") == kept


@pytest.mark.parametrize(
    ("name", "data", "kept"),
    [
        ("a.png", png(chunk(b"tEXt", b"Author\0Planted"), chunk(b"tIME", b"\x07\xe81234")), png()),
        ("a.jpg", jpeg(exif(1, b"Planted"), segment(0xFE, b"Planted")), jpeg()),
        ("a.jpg", jpeg(segment(0xE2, b"MPF\0Planted"), after=b"\xff\xd8 Planted"), jpeg()),
        ("a.jpg", jpeg(segment(0xED, b"Photoshop Planted")), jpeg()),
    ],
)  # fmt: skip
def test_a_picture_read_blind_loses_who_took_it(sign_in, author, draft, name, data, kept):
    sign_in(author).post(ADD.format("task", draft.pk), {"file": upload(name, data)})
    assert Attachment.objects.get().file.read() == kept


def test_a_turned_photograph_stays_turned_without_its_notes(sign_in, author, draft):
    data = jpeg(exif(6, b"Planted"))
    sign_in(author).post(ADD.format("task", draft.pk), {"file": upload("a.jpg", data)})
    kept = Attachment.objects.get().file.read()
    assert b"Planted" not in kept
    assert b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06" in kept


def test_a_webp_read_blind_loses_its_notes_and_their_flags(sign_in, author, draft):
    data = webp(b"EXIF\x08\0\0\0Planted!", b"XMP \x08\0\0\0Planted!")
    sign_in(author).post(ADD.format("task", draft.pk), {"file": upload("a.webp", data)})
    kept = Attachment.objects.get().file.read()
    assert b"Planted" not in kept
    assert kept[20] == 0
    assert kept[:4] + kept[8:16] == b"RIFFWEBPVP8X"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.pdf", pdf(b"3 0 obj<</Author(Author of it)>>endobj")),
        ("a.pdf", pdf(b"<</Author<FEFF0041007500740068006F0072>>>")),
        ("a.pdf", pdf(b"<dc:creator><rdf:Seq><rdf:li>Author</rdf:li></rdf:Seq></dc:creator>")),
        ("a.docx", office("docx", **{"docProps__core.xml": "<dc:creator>Author</dc:creator>"})),
        ("a.docx", office("docx", **{"word__comments.xml": '<w:comment w:author="Author"/>'})),
    ],
)  # fmt: skip
def test_a_document_that_names_its_author_is_refused_where_it_is_read_blind(
    sign_in, author, draft, name, data
):
    answer = sign_in(author).post(
        ADD.format("task", draft.pk),
        {"file": upload(name, data)},
        headers={"X-Parts": "1"},
    )
    assert answer.status_code == 422
    assert "This document names you: “Author” stands in its " in answer.content.decode()


def test_a_document_that_names_somebody_else_is_taken(sign_in, author, draft):
    data = pdf(b"<</Author(Ministry of Finance)>>")
    sign_in(author).post(ADD.format("task", draft.pk), {"file": upload("a.pdf", data)})
    assert Attachment.objects.count() == 1


def test_the_name_of_a_file_read_blind_does_not_hold_its_authors_name(sign_in, author, draft):
    sign_in(author).post(ADD.format("task", draft.pk), {"file": upload("Author-model.pdf", pdf())})
    assert Attachment.objects.get().name == "model.pdf"


def test_a_text_that_begins_with_many_comments_is_examined_at_once(sign_in, applicant, application):
    browser, address = sign_in(applicant), ADD.format("application", application.pk)
    comments = b"<!---->" * 5_000
    browser.post(address, {"file": upload("notes.md", comments + b"x")}, follow=True)
    assert Attachment.objects.get().content_type == "text/markdown"
    sent = {"file": upload("more.md", comments[:350] + b"<script>")}
    answer = browser.post(address, sent, headers={"X-Parts": "1"})
    assert "scripts" in answer.content.decode()
