"""An author's name inside a document: found wherever Office writes it, and kept from blind readers.

The author of these tests is called Author, of Fairfield Partners.
"""

import io
import zipfile

import pytest
from django.core.files.storage import default_storage

from curation.joining.people import User
from curation.tasks.attachments.models import Attachment
from curation.tasks.attachments.prepare import prepare
from tests.tasks.attachments.files import archive, exif, jpeg, office, pdf, png, upload

pytestmark = pytest.mark.django_db
ADD = "/attachments/{}/{}/"
LONG = "<w:p><w:r><w:t>A sentence of a long document.</w:t></w:r></w:p>"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/'
    'core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">{}</cp:coreProperties>'
)
APP = (
    '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/'
    'extended-properties">{}</Properties>'
)
CUSTOM = (
    '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"'
    ' xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"><property'
    ' name="Owner"><vt:lpwstr>{}</vt:lpwstr></property></Properties>'
)
INSERTED = f'<w:document {W}>{{}}<w:ins w:id="1" w:author="Author"/></w:document>'


def made(kind, **parts):
    """A document with further parts: `word__a__xml` is word/a.xml."""
    return office(kind, **{".".join(name.rsplit("__", 1)): part for name, part in parts.items()})


def docx(**parts):
    return made("docx", **parts)


NAMED = {
    "after 64 KB of a part": docx(word__comments__xml=INSERTED.format(LONG * 1_500)),
    "after 4 MB of a part": docx(word__notes__xml=INSERTED.format(LONG * 60_000)),
    "beside an attribute": docx(
        docProps__core__xml=CORE.format('<dc:creator xml:lang="en">Author</dc:creator>')
    ),
    "in UTF-16": docx(
        docProps__core__xml=CORE.format("<dc:creator>Author</dc:creator>").encode("utf-16")
    ),
    "in UTF-16 without a mark": docx(
        docProps__core__xml=CORE.format("<dc:creator>Author</dc:creator>").encode("utf-16-le")
    ),
    "with another prefix": docx(word__comments__xml='<a><x:comment x:author = "Author"/></a>'),
    "with single quotes": docx(word__comments__xml="<a><w:comment w:author='Author'/></a>"),
    "with entities": docx(
        docProps__core__xml=CORE.format("<dc:creator>&#65;utho&#x72;</dc:creator>")
    ),
    "in pieces": docx(
        docProps__core__xml=CORE.format(
            "<dc:creator>Aut<!-- no -->h<![CDATA[o]]>r</dc:creator>"
        )
    ),
    "as who saved it last": docx(
        docProps__core__xml=CORE.format("<cp:lastModifiedBy>J. Author</cp:lastModifiedBy>")
    ),
    "as the employer": docx(docProps__app__xml=APP.format("<Company>Fairfield Partners</Company>")),
    "as the manager": docx(docProps__app__xml=APP.format("<Manager>Author</Manager>")),
    "among people": docx(
        word__people__xml='<w15:people><w15:person w15:author="Author"/></w15:people>'
    ),
    "as an account": docx(
        word__people__xml='<w15:presenceInfo w15:providerId="AD" w15:userId="S::author@firm::1"/>'
    ),
    "in the path of a link": docx(
        word__document__rels='<Relationships><Relationship TargetMode="External" Type="/hyperlink" '
        'Target="file:///C:\\Users\\Author\\Templates\\Memo.dotx"/></Relationships>'
    ),
    "in a link of its comments": office(
        **{
            "word/_rels/comments.xml.rels": '<Relationships><Relationship TargetMode="External" '
            'Type="/hyperlink" Target="file:///C:\\Users\\Author\\Memo.dotx"/></Relationships>'
        }
    ),
    "in a drawing": docx(word__media__drawing__svg="<svg><dc:creator>Author</dc:creator></svg>"),
    "in a workbook's comments": made(
        "xlsx", xl__comments1__xml="<comments><authors><author>Author</author></authors></comments>"
    ),
    "in a workbook's threads": made(
        "xlsx", xl__persons__person__xml='<personList><person displayName="Author"/></personList>'
    ),
    "in a pivot table": made(
        "xlsx", xl__pivot__xml='<pivotCacheDefinition refreshedBy="Author"/>'
    ),
    "where a workbook lay": made(
        "xlsx",
        xl__workbook__xml='<a><x15ac:absPath url="C:\\Users\\author\\Documents\\"/></a>',
    ),
    "in slides' comments": made(
        "pptx", ppt__commentAuthors__xml='<p:cmLst><p:cmAuthor name="Author"/></p:cmLst>'
    ),
    "in slides' threads": made(
        "pptx", ppt__authors__xml='<p188:authorLst><p188:author name="Author"/></p188:authorLst>'
    ),
    "in slides' changes": made(
        "pptx", ppt__changesInfos__changesInfo1__xml='<a><pc:chgData name="Author"/></a>'
    ),
    "in a workbook inside": docx(
        word__embeddings__Sheet1__xlsx=made(
            "xlsx", docProps__core__xml=CORE.format("<dc:creator>Author</dc:creator>")
        )
    ),
}  # fmt: skip
WHERE = {
    "as who saved it last": "“Author” stands in its properties (“J. Author”)",
    "as the employer": "“Fairfield Partners” stands in its properties (“Fairfield Partners”)",
    "among people": "“Author” stands in its comments (“Author”)",
    "in the path of a link": "“Author” stands in its links (“Author”)",
    "in a link of its comments": "“Author” stands in its links (“Author”)",
    "in slides' changes": "“Author” stands in its text, as tracked changes or paths (“Author”)",
    "in a workbook inside": "“Author” stands in its properties (“Author”)",
}
SOUND = {
    "in the text alone": docx(word__letter__xml=f"<w:p {W}><w:t>Dear Author, dear all</w:t></w:p>"),
    "somebody else's": docx(
        docProps__core__xml=CORE.format("<dc:creator>Ministry</dc:creator>"),
        word__comments__xml=INSERTED.format("").replace("Author", "Ministry"),
    ),
    "a table's": made("xlsx", xl__tables__table1__xml='<table displayName="Author"/>'),
}


@pytest.fixture
def author(author: User) -> User:
    author.affiliation = "Fairfield Partners"
    author.save()
    return author


def add(browser, thing, name, data, kind="task"):
    return browser.post(
        ADD.format(kind, thing.pk),
        {"file": upload(name, data)},
        headers={"X-Parts": "1"},
    )


def entries(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        assert packed.testzip() is None
        return {entry.filename: packed.read(entry) for entry in packed.infolist()}


@pytest.mark.parametrize("place", NAMED)
def test_a_document_with_its_authors_name_is_refused(sign_in, author, draft, place):
    answer = add(sign_in(author), draft, "a.docx", NAMED[place])
    assert answer.status_code == 422
    said = WHERE.get(place, "“Author” stands in its ")
    assert f"This document names you: {said}" in answer.content.decode()
    assert not Attachment.objects.exists()


@pytest.mark.parametrize("place", SOUND)
def test_a_name_that_gives_nobody_away_is_no_reason_to_refuse(sign_in, author, draft, place):
    assert add(sign_in(author), draft, "a.docx", SOUND[place]).status_code == 200
    assert Attachment.objects.count() == 1


def test_a_document_read_blind_loses_its_properties_and_keeps_its_text(sign_in, author, draft):
    given = made(
        "docx",
        docProps__core__xml=CORE.format(
            "<dc:creator>Planted</dc:creator><dc:title>Planted title</dc:title>"
        ),
        docProps__app__xml=APP.format("<Company>Planted Ltd</Company>"),
        docProps__custom__xml=CUSTOM.format("Author"),
        word__media__photo__jpg=jpeg(exif(1, b"Planted")),
        word__media__chart__png=png(),
        word__letter__xml=f"<w:p {W}><w:t>The text</w:t></w:p>",
        word__embeddings__Sheet1__xlsx=made(
            "xlsx", docProps__core__xml=CORE.format("<dc:creator>Planted</dc:creator>")
        ),
        word__embeddings__old__bin=b"\xd0\xcf\x11\xe0 kept as it is",
    )
    assert add(sign_in(author), draft, "a.docx", given).status_code == 200
    row = Attachment.objects.get()
    data = row.file.read()
    assert (row.size, row.content_type[-8:]) == (len(data), "document")
    before, after = entries(given), entries(data)
    assert list(after) == list(before)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {
        "docProps/core.xml", "docProps/app.xml", "docProps/custom.xml",
        "word/media/photo.jpg", "word/embeddings/Sheet1.xlsx",
    }  # fmt: skip
    inside = entries(after["word/embeddings/Sheet1.xlsx"])
    assert not [
        name
        for name, content in [*after.items(), *inside.items()]
        if b"Planted" in content or b"Author" in content
    ]
    assert after["docProps/core.xml"].endswith(
        b'<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/'
        b'core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"/>'
    )
    assert after["word/media/photo.jpg"] == jpeg()


@pytest.mark.parametrize("name", ["Author 2024", "the_author", "sketch-AUTHOR"])
def test_a_document_with_a_part_called_after_its_author_is_refused(sign_in, author, draft, name):
    inner = archive((f"word/media/{name}.png", png()))
    for data in (inner, archive(("word/embeddings/inside.docx", inner))):
        answer = add(sign_in(author), draft, "a.docx", data)
        assert answer.status_code == 422
        assert f"inside this document is called “{name}”" in answer.content.decode()


def test_a_part_whose_name_holds_a_name_by_chance_is_taken(sign_in, author, draft):
    User.objects.filter(pk=author.pk).update(display_name="Ting Lay", email="rels@example.org")
    data = archive(("word/settings.xml", b"<a/>"), ("ppt/slideLayout1.xml", b"<a/>"))
    assert add(sign_in(author), draft, "a.docx", data).status_code == 200


def test_whoever_writes_for_an_author_does_not_name_the_author(author, staff, finance, draft):
    ready = prepare(upload("of the Author.pdf", pdf()), people=[staff, author], blind=True)
    assert ready.name == "of the.pdf"


def test_the_same_document_read_blind_is_the_same_bytes_whenever_it_is_added(
    sign_in, author, draft
):
    given = docx(docProps__core__xml=CORE.format("<dc:creator>Planted</dc:creator>"))
    for name in ("a.docx", "b.docx"):
        add(sign_in(author), draft, name, given)
    one, other = Attachment.objects.all()
    assert one.sha256 == other.sha256


def test_evidence_that_staff_read_openly_keeps_its_properties(sign_in, applicant, application):
    given = docx(docProps__core__xml=CORE.format("<dc:creator>Applicant</dc:creator>"))
    assert add(sign_in(applicant), application, "a.docx", given, "application").status_code == 200
    assert Attachment.objects.get().file.read() == given


@pytest.mark.parametrize(
    "body",
    [
        b"<</S/#4aavaScript/JS(app.alert(1))>>",
        b"<</S/J#61vaScript/JS(app.alert(1))>>",
        b"<</S/#4A#61#76#61#53#63#72#69#70#74>>",
        b"<</S/Laun#63h/F(cmd.exe)>>",
        b"<</Type/Embedded#46ile>>",
        b"<</Names<</Embedded#46iles 3 0 R>>>>",
        b"<</Subtype/Rich#4dedia>>",
    ],
)
def test_a_pdf_that_hides_what_it_runs_behind_digits_is_refused(sign_in, author, draft, body):
    answer = add(sign_in(author), draft, "a.pdf", pdf(body))
    assert answer.status_code == 422
    assert "runs scripts or holds other files" in answer.content.decode()


def test_a_pdf_with_like_sounding_names_is_taken(sign_in, author, draft):
    data = pdf(b"<</JavaScripted 1/Launchpad 2/Author#73 (Author)>>")
    assert add(sign_in(author), draft, "a.pdf", data).status_code == 200


def test_a_pdf_whose_author_is_behind_digits_is_refused(sign_in, author, draft):
    answer = add(sign_in(author), draft, "a.pdf", pdf(b"<</#41uthor(The Author)>>"))
    assert "names you" in answer.content.decode()


def test_a_refused_document_leaves_nothing_in_the_storage(sign_in, author, draft):
    add(sign_in(author), draft, "a.docx", NAMED["in pieces"])
    assert not default_storage.exists("attachments") or not any(
        default_storage.listdir("attachments")
    )


@pytest.mark.parametrize("role", ["office", "info", "Author"])
def test_a_word_that_names_a_role_in_an_address_is_nobodys_name(sign_in, author, draft, role):
    User.objects.filter(pk=author.pk).update(display_name="Ada Okonkwo", email=f"{role}@ada.org")
    of_a_role = docx(docProps__core__xml=CORE.format(f"<dc:creator>Head {role}</dc:creator>"))
    browser = sign_in(author)
    assert add(browser, draft, "a.docx", of_a_role).status_code == 200
    plain = add(browser, draft, "a.txt", f"The {role.title()} asks.".encode()).content.decode()
    assert "It names whose it is" not in plain
    whole = add(browser, draft, "b.txt", f"Write to {role}@ada.org.".encode()).content.decode()
    assert f"It names whose it is: “{role}@ada.org” (text)" in whole


def test_a_role_that_is_somebodys_name_is_looked_for(sign_in, author, draft):
    User.objects.filter(pk=author.pk).update(display_name="Emily Post", email="post@ada.org")
    signed = docx(docProps__core__xml=CORE.format("<dc:creator>E. Post</dc:creator>"))
    assert add(sign_in(author), draft, "a.docx", signed).status_code == 422
