"""Documents that are small as files and huge when opened: refused with a sentence."""

import io
import zipfile

import pytest

from curation.tasks.attachments.models import Attachment
from tests.tasks.attachments.files import archive, upload

pytestmark = pytest.mark.django_db
MB = 1_000_000


def listed(data: bytes, size: int) -> bytes:
    """The same archive, whose list of entries gives the last one another size unpacked."""
    at = data.rindex(b"PK\x01\x02") + 24
    return data[:at] + size.to_bytes(4, "little") + data[at + 4 :]


def part(content: bytes) -> bytes:
    return archive(("word/a.xml", content))


def many(count: int) -> bytes:
    """An archive with very many empty entries."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        for number in range(count):
            packed.writestr(f"word/{number:0150}.xml", b"")
    return held.getvalue()


def many_names(count: int) -> bytes:
    return b"".join(b'<b author="%d"/>' % number for number in range(count))


def twice_inside() -> bytes:
    inner = archive(("word/fat.bin", b"\0" * (110 * MB)))
    return archive(("one.docx", inner), ("two.docx", inner))


def nested(depth: int) -> bytes:
    data = part(b"<a/>")
    for _again in range(depth):
        data = archive(("word/inside.docx", data))
    return data


HUGE = "far larger than what can be opened"
DAMAGED = "Archives are not accepted"
BOMBS = {  # made when they are needed
    "300 MB": (lambda: archive(("word/a.xml", b"\0" * (300 * MB))), HUGE),
    "300 MB in the list alone": (lambda: listed(part(b"<a/>"), 300 * MB), HUGE),
    "210 MB with another size in the list": (
        lambda: listed(part(b"<a>" + b" " * (210 * MB)), 1000),
        DAMAGED,
    ),
    "220 MB in two documents inside": (twice_inside, HUGE),
    "a document in a document in a document in a document": (lambda: nested(3), HUGE),
    "a tag that never ends": (lambda: part(b'<a author="' + b" " * (40 * MB)), HUGE),
    "a comment that never ends": (lambda: part(b"<a author=''><!--" + b" " * (40 * MB)), HUGE),
    "a name that never ends": (lambda: part(b"<author>" + b"x " * 20_000 + b"</author>"), HUGE),
    "elements without end": (lambda: part(b"<author>" + b"<a/>" * 3_100_000), HUGE),
    "elements in elements without end": (lambda: part(b"<author>" * 20_000), HUGE),
    "names without end": (lambda: part(b"<a>" + many_names(10_100)), HUGE),
    "6,000 entries": (lambda: many(6_000), HUGE),
    "20,000 entries": (lambda: many(20_000), HUGE),
}  # fmt: skip


def add(browser, thing, data):
    return browser.post(
        f"/attachments/task/{thing.pk}/",
        {"file": upload("a.docx", data)},
        headers={"X-Parts": "1"},
    )


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_document_that_would_burst_is_refused_with_a_sentence(sign_in, author, draft, bomb):
    make, words = BOMBS[bomb]
    answer = add(sign_in(author), draft, make())
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Attachment.objects.exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"<a w:author='x'><b></a>", "A part of this document cannot be read"),
        (b"<?xml version='1.0' encoding='cp037'?>\x4c\x81\x6e", "A part of this document cannot"),
        (b"<a>" + b" " * 9_000 + b"<!DOCTYPE a><b/></a>", "A part of this document cannot be read"),
        (b"<!--" + b" " * 99_000 + b"--><!DOCTYPE a [<!ENTITY b 'c'>]><a/>", DAMAGED),
    ],
)
def test_a_part_that_no_office_program_writes_is_refused(sign_in, author, draft, content, words):
    answer = add(sign_in(author), draft, part(content))
    assert answer.status_code == 422
    assert words in answer.content.decode()


def test_a_large_workbook_is_taken(sign_in, author, draft):
    """A hundred thousand rows, as people have them."""
    sheet = b"<worksheet>" + b'<row><c r="A1"><v>1</v></c></row>' * 100_000 + b"</worksheet>"
    data = archive(("xl/worksheets/sheet1.xml", sheet), ("xl/media/none.bin", b"\0" * (90 * MB)))
    assert add(sign_in(author), draft, data).status_code == 200
    assert Attachment.objects.get().size < MB
