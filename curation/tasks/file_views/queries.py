"""The content of a file as people read it in place, and what they are told models get."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.file_contents import limits
from curation.base.file_contents.models import FileContent
from curation.base.file_contents.reader.found import Section
from curation.base.file_contents.reader.tables import rows_of
from curation.base.text.wording import listed
from curation.tasks.attachments.content import ENDINGS, PICTURES
from curation.tasks.attachments.models import Attachment
from curation.tasks.file_views.model_files import ModelFile

ROWS, COLUMNS = 200, 40  # of a table on a page; the download has all
_FIGURE = re.compile(r"\[Figure (\d+)\](?!\()")  # where a picture stands in a Word document

REASONS = {
    "not_read": gettext_lazy("It is being read. Load the page again in a minute."),
    "protected": gettext_lazy("It is protected by a password, so it cannot be read."),
    "unreadable": gettext_lazy("It is damaged or in an unusual form, so it cannot be read."),
    "active": gettext_lazy(
        "It runs scripts, holds other files or leads out when it is opened, so nobody else gets "
        "it. Remove it here; print it to a new PDF and add that."
    ),
    "too_slow": gettext_lazy("It is too complicated: reading it took too long."),
    "missing": gettext_lazy("It is missing from the storage."),
    "gave_up": gettext_lazy("It could not be read: each attempt broke."),
    "empty": gettext_lazy("It holds no text."),
    "only_pictures": gettext_lazy("It holds pictures or charts and no text."),
    "no_page": gettext_lazy("There is no such page."),
}


@dataclass(frozen=True)
class Table:
    """A table as shown, with the number of rows that are not."""

    head: list[str]
    rows: list[list[str]]
    more: int


@dataclass(frozen=True)
class Figure:
    """A picture within a document as shown; `name` is what its text calls it."""

    name: str
    alt: str
    picture_url: str

    @property
    def view_url(self) -> str:
        return self.picture_url


@dataclass(frozen=True)
class Part:
    """A part of a file as shown: its title, a text or a table, and its pictures.

    Attributes:
        figures: the pictures that the text refers to by name.
        pictures: those that stand below it.
    """

    title: str
    kind: str
    text: str
    table: Table | None
    figures: tuple[Figure, ...] = ()
    pictures: tuple[Figure, ...] = ()


@dataclass(frozen=True)
class Page:
    """A page of a PDF: its picture, and its text for who cannot see it or wants to copy."""

    number: int
    url: str
    text: str


@dataclass(frozen=True)
class FileView:
    """A file as its readers see it in place.

    Attributes:
        reason: a sentence, where it cannot be shown; "" where it can.
        cut: sentences on what is not shown.
    """

    picture: str
    pages: tuple[Page, ...]
    parts: tuple[Part, ...]
    reason: str
    cut: tuple[str, ...]


def file_view(row: Attachment) -> FileView:
    """Return the content of a file for reading. Two queries."""
    content = FileContent.objects.filter(sha256=row.sha256).first()
    ending = ENDINGS.get(row.content_type, "")
    if content is None:
        return FileView("", (), (), str(REASONS["not_read"]), ())
    shown = ending in PICTURES or ending == ".pdf"
    if content.reason and not (shown and content.reason == "empty" and content.pages):
        return FileView("", (), (), str(REASONS[content.reason]), ())
    if ending in PICTURES:
        return FileView(_url(row, 1), (), (), "", ())
    if ending == ".pdf":
        pages = content.pages or 0
        cut = {"pages": (limits.PAGES, pages)} if pages > limits.PAGES else {}
        return FileView("", tuple(_pages(row, content)), (), "", tuple(cut_sentences(cut)))
    return FileView("", (), tuple(_parts(row, content)), "", tuple(cut_sentences(content.cut)))


def _parts(row: Attachment, content: FileContent) -> Iterator[Part]:
    """Yield the parts of a document, each with its pictures, and then pictures without a text."""
    drawn: dict[str, list[Figure]] = {}
    for number, place in content.pictures.filter(for_models=True).values_list("number", "place"):
        figure = Figure(f"figure-{number}", _("Picture %(n)s") % {"n": number}, _url(row, number))
        drawn.setdefault(place, []).append(figure)
    for section in content.parts:
        if section.kind == "markdown":
            yield from _with_figures(section, drawn.pop("", []))
        else:
            yield replace(_part(section), pictures=tuple(drawn.pop(section.label, [])))
    for place, pictures in drawn.items():
        part = "slide" if content.ending == ".pptx" else ""
        title = part_title(Section("text", part, place, ""))
        yield Part(title, "text", "", None, pictures=tuple(pictures))


def _with_figures(section: Section, figures: list[Figure]) -> Iterator[Part]:
    """Yield the text of a Word document with its pictures where they stand."""
    known = {figure.name: figure for figure in figures}
    placed: set[str] = set()

    def shown(mark: re.Match[str]) -> str:
        name = f"figure-{mark[1]}"
        if name not in known:
            return mark[0]
        placed.add(name)
        return f"![{known[name].alt}](attachment:{name})"

    text = _FIGURE.sub(shown, section.text)
    rest = tuple(figure for figure in figures if figure.name not in placed)
    yield Part(part_title(section), section.kind, text, None, tuple(figures), rest)


def _pages(row: Attachment, content: FileContent) -> Iterator[Page]:
    texts = {part.label: part.text for part in content.parts if part.part == "page"}
    for number in range(1, min(content.pages or 0, limits.PAGES) + 1):
        yield Page(number, _url(row, number), texts.get(str(number), ""))


def _url(row: Attachment, number: int) -> str:
    return reverse("attachment-picture", args=[row.pk, number])


def _part(section: Section) -> Part:
    if section.kind != "table":
        return Part(part_title(section), section.kind, section.text, None)
    rows = rows_of(section.text)
    head = next(rows, [])[:COLUMNS]
    shown = [row[:COLUMNS] for row in islice(rows, ROWS)]
    width = max(map(len, [head, *shown]))
    table = Table(
        head + [""] * (width - len(head)),
        [row + [""] * (width - len(row)) for row in shown],
        sum(1 for _row in rows),
    )
    return Part(part_title(section), "table", "", table)


def part_title(section: Section) -> str:
    """Return the title of a part of a file in the reader's language."""
    if section.part == "page":
        return _("Page %(n)s") % {"n": section.label}
    if section.part == "slide":
        return _("Slide %(n)s") % {"n": section.label}
    if section.part == "hidden_sheet":
        return _("%(sheet)s (hidden sheet)") % {"sheet": section.label}
    return section.label


def cut_sentences(cut: Any) -> Iterator[str]:
    """Yield a sentence for each thing that was left out of what was read."""
    for what, (kept, of) in sorted(cut.items()):
        numbers = {"kept": f"{kept:,}", "all": f"{of or 0:,}"}
        if what == "characters":
            yield _("Only %(kept)s of %(all)s characters.") % numbers
        elif what == "pages":
            yield _("Only the first %(kept)s of %(all)s pages.") % numbers
        elif what == "slides":
            yield _("Only the first %(kept)s of %(all)s slides.") % numbers
        elif what == "rows":
            yield _("Only the first %(kept)s of %(all)s rows.") % numbers
        elif what == "cells":
            yield _("Only the first %(kept)s cells.") % numbers
        elif what == "hidden":
            yield (
                ngettext(
                    "Left out is %(n)s character that its readers do not see.",
                    "Left out are %(n)s characters that its readers do not see.",
                    (of or 0) - kept,
                )
                % {"n": f"{(of or 0) - kept:,}"}
            )
        elif what == "pictures":
            yield _("Only %(kept)s of %(all)s pictures.") % numbers


def reason_sentences(reason: str) -> list[str]:
    """Return why nothing was found in a file, and what to do, for who may change it."""
    sentences = [str(REASONS[reason])]
    if reason == "gave_up":
        sentences.append(_("Remove it, or add another version of it."))
    return sentences


def model_sentences(file: ModelFile) -> list[str]:
    """Return what models get of a file, for its author and for staff."""
    if file.reason:
        reason = reason_sentences(file.reason)
        if file.reason not in ("not_read", "active"):
            reason.append(_("Models are not asked about a task with such a file."))
        return reason
    found = []
    if file.characters:
        found.append(
            ngettext(
                "Models get its text: %(shown)s character.",
                "Models get its text: %(shown)s characters.",
                file.characters,
            )
            % {"shown": f"{file.characters:,}"}
        )
    if file.pictures and file.ending == ".pdf":
        pages = listed([picture.label for picture in file.pictures])
        found.append(
            ngettext(
                "Page %(pages)s has no text or holds a figure, so models get a picture of it.",
                "Pages %(pages)s have no text or hold figures, so models get pictures of them.",
                len(file.pictures),
            )
            % {"pages": pages}
        )
    elif file.pictures and file.ending not in PICTURES:
        found.append(
            ngettext(
                "Models get %(n)s picture that stands in it.",
                "Models get %(n)s pictures that stand in it.",
                len(file.pictures),
            )
            % {"n": len(file.pictures)}
        )
    elif file.pictures:
        found.append(_("Models get the picture."))
    if file.pictures:
        found.append(_("A model that takes no pictures skips the task."))
    found += cut_sentences(file.cut)
    if file.unread_pictures:
        found.append(
            ngettext(
                "Models do not see %(n)s small picture, chart or drawing in it.",
                "Models do not see %(n)s small pictures, charts or drawings in it.",
                file.unread_pictures,
            )
            % {"n": file.unread_pictures}
        )
    elif file.ending == ".pdf" and file.characters:
        found.append(
            _("On its other pages, models do not see drawings and small pictures.")
            if file.pictures
            else _("Models do not see drawings and small pictures on its pages.")
        )
    return found
