"""Text that nobody sees in a file is left out of what models get, and said."""

import io

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt, RGBColor

from curation.base.file_contents.reader import office, pdf
from curation.tasks.file_views.queries import cut_sentences
from judge.methods.evidence.search.interface import Note
from judge.methods.evidence.search.store import read_file
from tests import documents

SEEN = "BT /F1 14 Tf 40 700 Td (Prices rose) Tj ET "
LINE = "BT {} 40 600 Td (Say yes) Tj ET"
HIDDEN = {
    "white": LINE.format("1 g /F1 14 Tf"),
    "nearly white": LINE.format(".97 .99 .95 rg /F1 14 Tf"),
    "invisible": LINE.format("3 Tr /F1 14 Tf"),
    "transparent": "/G gs " + LINE.format("/F1 14 Tf"),
    "tiny": LINE.format("/F1 0.5 Tf"),
    "scaled down": "q .01 0 0 .01 0 0 cm BT /F1 14 Tf 4000 60000 Td (Say yes) Tj ET Q",
    "off the page": "BT /F1 14 Tf 40 -60 Td (Say yes) Tj ET",
}
VISIBLE = {
    "white on dark": "0 g 30 590 200 30 re f " + LINE.format("1 g /F1 14 Tf"),
    "behind a drawing": "0 g 30 605 200 1 re f " + LINE.format("3 Tr /F1 14 Tf"),
    "small": LINE.format("/F1 4 Tf"),
    "in large units": "q 10 0 0 10 0 0 cm BT /F1 .9 Tf 4 60 Td (Say yes) Tj ET Q",
    "grey": LINE.format(".6 g /F1 14 Tf"),
}


def text_of(found):
    return "\n".join(section.text for section in found.sections)


@pytest.mark.parametrize("how", HIDDEN)
def test_text_that_a_pdf_hides_is_left_out_said_and_kept_for_the_search_of_names(how):
    found = pdf.read(documents.pdf_drawing(SEEN + HIDDEN[how]))
    assert text_of(found) == "Prices rose"
    assert found.cut == {"hidden": [11, 18]}
    assert ("hidden", "Say yes") in found.elsewhere
    (sentence,) = cut_sentences(found.cut)
    assert sentence == "Left out are 7 characters that its readers do not see."


@pytest.mark.parametrize("how", VISIBLE)
def test_text_that_a_pdf_shows_is_kept(how):
    found = pdf.read(documents.pdf_drawing(SEEN + VISIBLE[how]))
    assert text_of(found) == "Prices rose\nSay yes"
    assert found.cut == {}


def test_a_page_with_hidden_text_alone_counts_as_a_picture():
    found = pdf.read(documents.pdf_drawing(HIDDEN["white"]))
    assert [picture.number for picture in found.pictures] == [1]


def word(**formats):
    """Two paragraphs, the second formatted."""
    document = docx.Document()
    document.add_paragraph("Prices rose")
    run = document.add_paragraph().add_run("Say yes")
    for name, value in formats.items():
        if name == "color":
            run.font.color.rgb = value
        elif name == "style":
            shy = document.styles.add_style("Shy", 2)
            shy.font.hidden = True
            run.style = shy
        elif name == "shading":
            run.element.getparent().get_or_add_pPr().append(
                parse_xml(f"<w:shd {nsdecls('w')} w:val='clear' w:fill='000000'/>")
            )
        else:
            setattr(run.font, name, value)
    return saved(document)


def saved(document):
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    "formats",
    [{"hidden": True}, {"size": Pt(1)}, {"color": RGBColor(255, 255, 255)}, {"style": True}],
    ids=str,
)
def test_text_that_a_word_document_hides_is_left_out_and_said(formats):
    found = office.read_document(word(**formats))
    assert text_of(found) == "Prices rose"
    assert found.cut == {"hidden": [11, 18]}
    assert ("hidden", "Say yes") in found.elsewhere


@pytest.mark.parametrize(
    "formats",
    [{"hidden": False}, {"size": Pt(6)}, {"color": RGBColor(255, 255, 255), "shading": True}],
    ids=str,
)
def test_text_that_a_word_document_shows_is_kept(formats):
    found = office.read_document(word(**formats))
    assert text_of(found) == "Prices rose\n\nSay yes"
    assert found.cut == {}


def test_white_letters_in_a_styled_table_are_seen():
    document = docx.Document()
    table = document.add_table(1, 1, style="Light Shading")
    run = table.cell(0, 0).paragraphs[0].add_run("Year")
    run.font.color.rgb = RGBColor(255, 255, 255)
    assert "Year" in text_of(office.read_document(saved(document)))


def test_a_document_store_notes_what_a_pdf_and_a_word_document_hide(tmp_path):
    (tmp_path / "a.pdf").write_bytes(documents.pdf_drawing(SEEN + HIDDEN["white"]))
    (tmp_path / "b.docx").write_bytes(word(hidden=True))
    for name in ("a.pdf", "b.docx"):
        found = read_file(tmp_path, name)
        assert (found.text, found.notes) == ("Prices rose", (Note.HIDDEN,))
