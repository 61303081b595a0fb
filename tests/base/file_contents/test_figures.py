"""Figures on pages of PDFs and pictures within Office documents: which of them models get."""

import hashlib
import io
import zipfile

import docx
import pptx
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm
from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from PIL import Image

from curation.base.file_contents import limits, reading
from curation.base.file_contents.models import ContentPicture, FileContent
from curation.tasks.authoring.actions import create_task
from curation.tasks.file_views.model_files import model_files
from curation.tasks.file_views.queries import model_sentences
from curation.tasks.file_views.read_files import read_again
from tests import documents
from tests.attached import attach

pytestmark = pytest.mark.django_db
CHART = documents.picture(size=(300, 200))
LOGO = documents.picture(size=(30, 20))


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture
def draft(author, finance):
    return create_task(actor=author, domain=finance, title="Covenant headroom")


def read(data: bytes, ending: str) -> FileContent:
    return reading.read(data, hashlib.sha256(data).hexdigest(), ending)


def pages(*words: str, figures) -> list[int]:
    found = read(documents.pdf_with(*words, figures=figures), ".pdf")
    return list(found.pictures.values_list("number", flat=True))


def colours(content: FileContent) -> list[tuple[int, ...]]:
    """The colour in the middle of each picture."""
    found = []
    for row in content.pictures.all():
        with row.file.open("rb") as file, Image.open(file) as drawn:
            found.append(drawn.convert("RGB").getpixel((drawn.width // 2, drawn.height // 2)))
    return found


def with_cut_pictures(document: bytes) -> bytes:
    """The document with nothing but the beginning of each picture."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(document)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, data[:45] if "/media/" in name else data)
    return file.getvalue()


def body(answer) -> str:
    return answer.content.decode()


class TestPages:
    def test_a_page_with_a_figure_gives_its_text_and_its_picture(self):
        found = read(
            documents.pdf_with("Leverage", "Cover of 2.0x", figures=[(2, "red", 200)]), ".pdf"
        )
        assert [part.text for part in found.parts] == ["Leverage", "Cover of 2.0x"]
        (drawn,) = found.pictures.all()
        assert (drawn.number, drawn.for_models) == (2, True)

    def test_a_logo_makes_no_picture(self):
        assert pages("Leverage", "Cover of 2.0x", figures=[(1, "red", 60)]) == []

    def test_what_stands_on_most_pages_is_layout_and_no_figure(self):
        letterhead = [(n, "red", 200) for n in (1, 2, 3)]
        words = ("Leverage", "Cover of 2.0x", "Headroom", "Consent of 66%")
        assert pages(*words, figures=letterhead) == []
        assert pages(*words, figures=[*letterhead, (2, "blue", 300)]) == [2]

    def test_the_same_figure_on_half_of_the_pages_is_none_of_the_layout(self):
        words = ("Leverage", "Cover of 2.0x", "Headroom", "Consent of 66%")
        assert pages(*words, figures=[(1, "red", 200), (4, "red", 200)]) == [1, 4]

    def test_scans_come_before_figures_where_not_all_fit(self, monkeypatch):
        figures = [(n, (n, 0, 0), 200) for n in range(1, limits.PICTURES + 1)]
        blank_pages = ("Page with words",) * limits.PICTURES + ("", "")
        last = limits.PICTURES + 1
        found = read(
            documents.pdf_with(
                *blank_pages, figures=[*figures, (last, "red", 500), (last + 1, "blue", 500)]
            ),
            ".pdf",
        )
        assert list(found.pictures.values_list("number", flat=True)) == [
            *range(1, limits.PICTURES - 1), last, last + 1,
        ]  # fmt: skip
        assert found.cut == {"pictures": [limits.PICTURES, limits.PICTURES + 2]}

    def test_an_image_outside_of_the_page_is_not_seen(self):
        data = documents.pdf_with("Leverage", figures=[(1, "red", 200)])
        assert pages("Leverage", figures=[(1, "red", 200)]) == [1]
        found = read(data.replace(b"200 40 100 cm", b"200 900 99 cm"), ".pdf")
        assert not found.pictures.exists()


class TestWord:
    def test_the_text_says_where_each_picture_stands(self):
        found = read(documents.word("Before", CHART, "After"), ".docx")
        assert found.parts[0].text == "Before\n\n[Figure 1]\n\nAfter"
        assert [(p.number, p.width, p.for_models) for p in found.pictures.all()] == [(1, 300, True)]
        assert found.unread_pictures == 0

    def test_a_picture_shown_twice_is_kept_once(self):
        found = read(documents.word(CHART, "again", CHART), ".docx")
        assert found.parts[0].text == "[Figure 1]\n\nagain\n\n[Figure 1]"
        assert found.pictures.count() == 1

    def test_a_picture_shown_small_and_then_large_is_sent(self):
        document = docx.Document(io.BytesIO(documents.word("Words", CHART, cm=1)))
        document.add_picture(io.BytesIO(CHART), width=Cm(6))
        file = io.BytesIO()
        document.save(file)
        found = read(file.getvalue(), ".docx")
        assert (found.pictures.count(), found.unread_pictures) == (1, 1)

    def test_a_document_of_pictures_alone_can_be_read(self):
        found = read(documents.word(CHART), ".docx")
        assert (found.reason, found.parts[0].text) == ("", "[Figure 1]")

    def test_small_and_strange_pictures_count_as_not_seen(self):
        small = read(documents.word("Words", CHART, cm=1), ".docx")
        assert (small.unread_pictures, small.pictures.count()) == (1, 0)
        found = read(with_cut_pictures(documents.word("Words", CHART)), ".docx")
        assert (found.reason, found.unread_pictures, found.pictures.count()) == ("", 1, 0)
        assert "Words" in found.parts[0].text

    def test_a_deleted_picture_is_not_read(self):
        document = docx.Document(io.BytesIO(documents.word("Words", CHART)))
        paragraph = document.element.body.findall(qn("w:p"))[1]
        removed = OxmlElement("w:del")
        removed.append(paragraph.find(qn("w:r")))
        paragraph.append(removed)
        file = io.BytesIO()
        document.save(file)
        found = read(file.getvalue(), ".docx")
        assert (found.parts[0].text, found.unread_pictures) == ("Words", 0)
        assert not found.pictures.exists()

    def test_only_the_part_that_the_document_shows_is_sent(self):
        two = Image.new("RGB", (400, 200), "red")
        two.paste("blue", (200, 0, 400, 200))
        file = io.BytesIO()
        two.save(file, "PNG")
        document = docx.Document(io.BytesIO(documents.word("Words", file.getvalue())))
        (fill,) = document.element.body.iter(qn("pic:blipFill"))
        cut = OxmlElement("a:srcRect")
        cut.set("r", "60000")
        fill.insert(1, cut)
        file = io.BytesIO()
        document.save(file)
        found = read(file.getvalue(), ".docx")
        assert colours(found) == [(255, 0, 0)]
        assert found.pictures.get().width == 160

    def test_more_pictures_than_the_limit_are_counted(self):
        many = [documents.picture(size=(300, 200 + n)) for n in range(limits.PICTURES + 3)]
        found = read(documents.word("Words", *many), ".docx")
        assert found.pictures.count() == limits.PICTURES
        assert found.cut == {"pictures": [limits.PICTURES, limits.PICTURES + 3]}

    def test_pictures_of_too_many_pixels_leave_the_text_readable(self):
        vast = documents.picture(size=(8_000, 8_000))
        found = read(documents.word("Words", vast, CHART), ".docx")
        assert (found.reason, found.unread_pictures) == ("", 1)
        assert found.parts[0].text == "Words\n\n[Figure 1]"


class TestSlidesAndSheets:
    def test_a_picture_knows_its_slide(self):
        data = documents.slides(("Plan", ""), ("Costs", ""), pictures={2: CHART})
        (drawn,) = read(data, ".pptx").pictures.all()
        assert (drawn.number, drawn.place) == (1, "2")

    def test_a_linked_picture_leaves_the_presentation_readable(self):
        show = pptx.Presentation(io.BytesIO(documents.slides(("Plan", ""), pictures={1: CHART})))
        for blip in show.slides[0].element.iter(qn("a:blip")):
            del blip.attrib[qn("r:embed")]
        file = io.BytesIO()
        show.save(file)
        found = read(file.getvalue(), ".pptx")
        assert (found.reason, found.parts[0].text) == ("", "Plan")
        assert (found.unread_pictures, found.pictures.count()) == (2, 0)

    def test_a_picture_knows_its_sheet_and_charts_are_counted(self):
        book = Workbook()
        sheet = book.active
        sheet.append(["debt", 134])
        chart = BarChart()
        chart.add_data(Reference(sheet, min_col=2, min_row=1))
        sheet.add_chart(chart, "F3")
        file = io.BytesIO()
        book.save(file)
        found = read(file.getvalue(), ".xlsx")
        assert (found.unread_pictures, found.pictures.count()) == (1, 0)
        found = read(documents.workbook(A=[["year"]], B=[["debt"], CHART, LOGO]), ".xlsx")
        assert [(p.number, p.place) for p in found.pictures.all()] == [(1, "B")]
        assert found.unread_pictures == 1


class TestPeople:
    def test_the_author_reads_what_models_get(self, draft):
        attach(draft, "a.pdf", documents.pdf_with("Leverage", "", figures=[(1, "red", 200)]))
        attach(draft, "b.docx", documents.word("Before", CHART, "After"))
        attach(draft, "c.docx", documents.word("Before", CHART, cm=1))
        attach(draft, "d.pdf", documents.pdf_with("Leverage"))
        figure, word, small, plain = map(model_sentences, model_files([draft.pk])[draft.pk])
        skips = "A model that takes no pictures skips the task."
        assert figure == [
            "Models get its text: 8 characters.",
            "Page 1 has no text or holds a figure, so models get a picture of it.",
            skips,
            "On its other pages, models do not see drawings and small pictures.",
        ]
        assert word[1:] == ["Models get 1 picture that stands in it.", skips]
        assert small[1:] == ["Models do not see 1 small picture, chart or drawing in it."]
        assert plain[1:] == ["Models do not see drawings and small pictures on its pages."]

    def test_readers_see_pictures_where_they_stand(self, sign_in, author, draft):
        memo = attach(draft, "memo.docx", documents.word("Before", CHART, "After [Figure 9]"))
        deck = attach(
            draft, "deck.pptx", documents.slides(("Plan", ""), ("Costs", ""), pictures={2: CHART})
        )
        browser = sign_in(author)
        page = body(browser.get(f"/attachments/{memo.pk}/view/"))
        picture = f'<img src="/attachments/{memo.pk}/pictures/1/" alt="Picture 1"'
        assert page.index("Before") < page.index(picture) < page.index("After [Figure 9]")
        page = body(browser.get(f"/attachments/{deck.pk}/view/"))
        picture = f'<img src="/attachments/{deck.pk}/pictures/1/" alt="Picture 1"'
        assert page.index("Slide 2") < page.index("Costs") < page.index(picture)
        assert browser.get(f"/attachments/{deck.pk}/pictures/1/")["Content-Type"] == "image/png"
        assert browser.get(f"/attachments/{deck.pk}/pictures/2/").status_code == 404

    def test_a_stranger_does_not_see_them(self, sign_in, stranger, draft):
        memo = attach(draft, "memo.docx", documents.word(CHART))
        assert sign_in(stranger).get(f"/attachments/{memo.pk}/pictures/1/").status_code == 404


def test_what_an_earlier_reader_read_is_read_again_when_asked(draft):
    row = attach(draft, "memo.docx", documents.word("Before", CHART))
    attach(draft, "new.docx", documents.word("Other", CHART))
    FileContent.objects.filter(sha256=row.sha256).update(edition=1, sections=[], characters=0)
    assert read_again() == 1
    assert "[Figure 1]" in FileContent.objects.get(sha256=row.sha256).parts[0].text
    assert ContentPicture.objects.count() == 2
    assert read_again() == 0
