"""A document that loads something when it is opened tells its author who reads it: refused."""

import pytest

from curation.tasks.attachments.models import Attachment
from tests.tasks.attachments.files import archive, upload

pytestmark = pytest.mark.django_db
TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
CALL = "http://call.example.org/t"
RUNS = "<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r>{}<w:r><w:fldChar/></w:r></w:p>"


def relation(kind: str, target: str = CALL, mode: str = 'TargetMode="External"') -> bytes:
    return (
        f'<Relationships><Relationship Id="rId1" Type="{kind}" Target="{target}" {mode}/>'
        "</Relationships>"
    ).encode()


def field(*pieces: str) -> bytes:
    return RUNS.format("".join(f"<w:instrText>{piece}</w:instrText>" for piece in pieces)).encode()


REFUSED = {
    "its template": ("word/_rels/settings.xml.rels", relation(f"{TYPES}/attachedTemplate")),
    "its template from a share": (
        "word/_rels/settings.xml.rels",
        relation(f"{TYPES}/attachedTemplate", "file://call.example.org/t.dotm"),
    ),
    "a picture": ("word/_rels/document.xml.rels", relation(f"{TYPES}/image")),
    "an object": ("word/_rels/document.xml.rels", relation(f"{TYPES}/oleObject")),
    "a frame": ("word/_rels/webSettings.xml.rels", relation(f"{TYPES}/frame")),
    "a part of a master": ("word/_rels/document.xml.rels", relation(f"{TYPES}/subDocument")),
    "a film": ("ppt/slides/_rels/slide1.xml.rels", relation(f"{TYPES}/video")),
    "another workbook": (
        "xl/externalLinks/_rels/externalLink1.xml.rels", relation(f"{TYPES}/externalLinkPath"),
    ),
    "in the strict dialect": (
        "word/_rels/document.xml.rels",
        relation("http://purl.oclc.org/ooxml/officeDocument/relationships/image"),
    ),
    "in small letters and references": (
        "word/_rels/document.xml.rels",
        relation(f"{TYPES}/image", mode="TargetMode='&#101;xternal'"),
    ),
    "a picture behind a link": ("word/document.xml", b'<a:blip xmlns:r="r" r:link="rId1"/>'),
    "a web page as its text": (
        "word/_rels/document.xml.rels", relation(f"{TYPES}/aFChunk", "/word/chunk.htm", mode=""),
    ),
    "a field": ("word/document.xml", field(f' INCLUDEPICTURE "{CALL}" ')),
    "a field in pieces": ("word/document.xml", field(" INC", "LUDETEXT ", CALL)),
    "a simple field": ("word/header1.xml", f"<w:fldSimple w:instr=' ddeauto {CALL}'/>".encode()),
    "data by a query": ("xl/connections.xml", f'<connection><webPr url="{CALL}"/></connection>'
        .encode()),
    "data whenever it opens": (
        "xl/connections.xml", f'<connection name="{CALL}" refreshOnLoad="1"/>'.encode(),
    ),
    "data of a program": (
        "xl/externalLinks/externalLink1.xml", f'<ddeLink ddeService="cmd" ddeTopic="{CALL}"/>'
        .encode(),
    ),
    "data by a formula": (
        "xl/worksheets/sheet1.xml", f'<c><f>_xlfn.WEBSERVICE("{CALL}")</f></c>'.encode(),
    ),
    "a picture by a formula": (
        "xl/worksheets/sheet1.xml", f'<c><f>_xlfn.&#73;mage ("{CALL}")</f></c>'.encode(),
    ),
}  # fmt: skip
TAKEN = {
    "a link to press": ("word/_rels/document.xml.rels", relation(f"{TYPES}/hyperlink")),
    "parts of its own": (
        "word/_rels/document.xml.rels", relation(f"{TYPES}/image", "media/image1.png", mode=""),
    ),
    "a field of its own": ("word/document.xml", field(f' HYPERLINK "{CALL}" ')),
    "words about links": ("word/document.xml", b"<w:t>External: INCLUDEPICTURE http://a</w:t>"),
    "a pivot table of its own": ("xl/pivot1.xml", b'<pivotCacheDefinition refreshOnLoad="1"/>'),
    "a connection that waits": ("xl/connections.xml", b'<connection name="Query - Debt"/>'),
    "a formula": ("xl/worksheets/sheet1.xml", b"<c><f>SUM(A1:A2)</f></c>"),
}  # fmt: skip


def add(browser, kind, thing, entry):
    return browser.post(
        f"/attachments/{kind}/{thing.pk}/",
        {"file": upload("a.docx", archive(entry))},
        headers={"X-Parts": "1"},
    )


@pytest.mark.parametrize("what", REFUSED)
def test_a_document_that_loads_something_is_refused_with_what_and_how(sign_in, author, draft, what):
    answer = add(sign_in(author), "task", draft, REFUSED[what])
    assert answer.status_code == 422
    said = answer.content.decode()
    assert "tells who reads it" in said
    assert "then add it" in said
    assert not Attachment.objects.exists()


def test_the_refusal_names_the_address(sign_in, author, draft):
    said = add(sign_in(author), "task", draft, REFUSED["its template"]).content.decode()
    assert f"asks {CALL} for its template" in said


def test_evidence_that_calls_home_from_the_staffs_desk_is_refused(sign_in, applicant, application):
    answer = add(sign_in(applicant), "application", application, REFUSED["a picture"])
    assert answer.status_code == 422


@pytest.mark.parametrize("what", TAKEN)
def test_what_loads_nothing_is_taken(sign_in, author, draft, what):
    assert add(sign_in(author), "task", draft, TAKEN[what]).status_code == 200
