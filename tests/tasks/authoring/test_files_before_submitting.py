"""Before a task goes to its readers: what its files run, and where they name its author."""

import io
import zipfile

import docx
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from curation.base.file_contents.models import FileContent
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.joining.people import User
from curation.tasks.attachments.models import Attachment
from curation.tasks.task.holding import take_seat
from tests import documents
from tests.attached import attach
from tests.tasks.authoring.conftest import form_of

pytestmark = pytest.mark.django_db
SCRIPT = documents.packed_pdf(
    "<</S/JavaScript/JS(app.alert\\(1\\))>>", root="/Names<</JavaScript 6 0 R>>"
)


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture
def author(author: User) -> User:
    author.display_name = "Ingrid Solheim"
    author.email = "i.solheim77@example.test"
    author.save()
    return author


def add(browser, task, name, data):
    address = f"/attachments/task/{task.pk}/"
    file = SimpleUploadedFile(name, data)
    answer = browser.post(address, {"file": file}, headers={"X-Parts": "1"})
    assert answer.status_code == 200, answer.content.decode()


def warning(browser, task):
    """The warnings below the files, one for each file that names its author."""
    page = browser.get(f"/tasks/{task.pk}/edit/").content.decode()
    return [part.partition("<")[0] for part in page.split('class="file-told is-wait">')[1:]]


def letter() -> bytes:
    """A Word document with the author's name in a header, and in pieces."""
    document = docx.Document(io.BytesIO(documents.word("The May covenant of the parties.")))
    header = document.sections[0].header.paragraphs[0]
    for piece in ("Prepared by Ingrid Sol", "heim"):
        header.add_run(piece)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def with_parts(data: bytes, **parts: str) -> bytes:
    """A document with more parts: `word__settings` is word/settings.xml."""
    file = io.BytesIO(data)
    with zipfile.ZipFile(file, "a") as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/") + ".xml", content)
    return file.getvalue()


ITEM = with_parts(documents.word("Text"), customXml__item9="<a><owner>SOLHEIM &amp; Co</owner></a>")
NAMING = {
    "header.docx": (letter(), "“Ingrid Solheim” (headers and footers)"),
    "item.docx": (ITEM, "“SOLHEIM” (properties)"),
    "slides.pptx": (documents.slides(("Plan", "Ask i.solheim77")), "“i.solheim77” (Slide 1)"),
    "book.xlsx": (documents.workbook(Solheim=[["a"], [1]]), "“Solheim” (properties)"),
    "flat.pdf": (documents.pdf_with("Debt", "By Ingrid Solheim"), "“Ingrid Solheim” (Page 2)"),
    "note.pdf": (
        documents.packed_pdf(
            "[7 0 R]", "<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/T(I. Solheim)>>",
            root="/Annotated 6 0 R",
        ),
        "“Solheim” (comments and notes)",
    ),
    "described.pdf": (
        documents.packed_pdf("<</Author<FEFF0053006F006C006800650069006D>>>", root="/About 6 0 R"),
        "“Solheim” (properties)",
    ),
    "notes.txt": (b"Ring ingrid solheim first.", "“ingrid solheim” (text)"),
}  # fmt: skip
SILENT = {
    "letter.docx": documents.word("Ingrida solheims and Mr Solheimer"),
    "plain.pdf": documents.pdf_with("Debt of 3.5x"),
}


def test_a_file_that_names_its_author_is_named_before_submitting_with_what_and_where(
    sign_in, author, draft
):
    browser = sign_in(author)
    for name, (data, _words) in NAMING.items():
        add(browser, draft, name, data)
    said = warning(browser, draft)
    assert len(said) == len(NAMING)
    for sentence, (_data, words) in zip(said, NAMING.values(), strict=True):
        assert f"It names whose it is: {words}." in sentence
    browser.post(f"/tasks/{draft.pk}/submit/", form_of(draft))
    draft.refresh_from_db()
    assert draft.stage == Stage.SUBMITTED, "a warning does not stop the author"


def test_a_file_that_names_nobody_has_no_warning(sign_in, author, draft):
    browser = sign_in(author)
    for name, data in SILENT.items():
        add(browser, draft, name, data)
    assert warning(browser, draft) == []


def test_a_change_of_name_is_looked_for_at_once_in_what_was_read(sign_in, author, draft):
    browser = sign_in(author)
    add(browser, draft, "plan.txt", b"Plan of Okonkwo")
    assert warning(browser, draft) == []
    User.objects.filter(pk=author.pk).update(display_name="Ada Okonkwo")
    assert "“Okonkwo” (text)" in warning(browser, draft)[0]


@pytest.mark.parametrize(
    "data",
    [
        SCRIPT,
        documents.packed_pdf("<</S/Laun#63h/F(cmd.exe)>>", root="/OpenAction 6 0 R"),
        documents.packed_pdf("<</S/URI/URI(http://a.example)>>", root="/OpenAction 6 0 R"),
        documents.packed_pdf("<</EmbeddedFiles<</Names[]>>>>", root="/Names 6 0 R"),
    ],
    ids=["a script", "a program", "an address at opening", "a file"],
)
def test_a_pdf_that_acts_from_a_compressed_stream_is_kept_from_everybody_and_not_submitted(
    sign_in, author, draft, data
):
    browser = sign_in(author)
    add(browser, draft, "acting.pdf", data)
    assert FileContent.objects.get().reason == "active"
    page = browser.get(f"/tasks/{draft.pk}/edit/").content.decode()
    assert "print it to a new PDF and add that" in page
    answer = browser.post(f"/tasks/{draft.pk}/submit/", form_of(draft))
    assert answer.status_code == 400
    assert "“acting.pdf” runs scripts" in answer.content.decode()
    draft.refresh_from_db()
    assert draft.stage == Stage.DRAFT
    row = Attachment.objects.get()
    assert browser.post(f"/attachments/{row.pk}/remove/").status_code == 302
    browser.post(f"/tasks/{draft.pk}/submit/", form_of(draft))
    draft.refresh_from_db()
    assert draft.stage == Stage.SUBMITTED


def test_a_pdf_that_opens_at_a_page_or_has_links_to_press_is_taken(sign_in, author, draft):
    browser = sign_in(author)
    link = "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(http://a.example)>>>>"
    opens = "/OpenAction 6 0 R/Links 7 0 R"
    data = documents.packed_pdf("<</S/GoTo/D[3 0 R/Fit]>>", link, root=opens)
    add(browser, draft, "linked.pdf", data)
    assert FileContent.objects.get().reason == ""


def test_readers_of_an_earlier_task_do_not_get_a_file_that_runs_something(
    sign_in, author, peer, draft
):
    row = attach(draft, "acting.pdf", SCRIPT)
    draft.advance("submitted", actor=author)
    draft.advance("screening", actor=None)
    take_seat(task=draft, user=peer, role=Role.SCREENER)
    for address in (f"/attachments/{row.pk}/", f"/attachments/{row.pk}/view/"):
        answer = sign_in(peer).get(address)
        assert answer.status_code == 410
        assert "it is not given out" in answer.content.decode()
    assert sign_in(author).get(f"/attachments/{row.pk}/").status_code == 200


def test_a_task_with_a_file_that_nobody_has_read_is_not_submitted(sign_in, author, draft):
    attach(draft, "plan.txt", b"Plan", read=False)
    answer = sign_in(author).post(f"/tasks/{draft.pk}/submit/", form_of(draft))
    assert answer.status_code == 400
    assert "“plan.txt” is still being read." in answer.content.decode()
    draft.refresh_from_db()
    assert draft.stage == Stage.DRAFT
