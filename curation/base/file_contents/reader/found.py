"""What is found in a file."""

from dataclasses import dataclass, field

from curation.base.file_contents import limits


@dataclass(frozen=True)
class Section:
    """A part of a text.

    Attributes:
        kind: "text", "markdown", or "table" (rows as CSV).
        part: "page", "slide", "sheet" or "hidden_sheet"; "" for a file without parts.
        label: the number of the page or slide, the name of the sheet.
    """

    kind: str
    part: str
    label: str
    text: str


@dataclass(frozen=True)
class Picture:
    """A picture of a file.

    Attributes:
        number: the page of a PDF that it shows; within a document, counted from 1; else 1.
        place: the number of its slide, the name of its sheet; "" elsewhere.
    """

    number: int
    content_type: str
    width: int
    height: int
    data: bytes
    place: str = ""


@dataclass
class Found:
    """The content of a file.

    Attributes:
        pages: of a PDF, slides of a presentation; None for a file without pages.
        cut: what was left out: "characters", "pages", … -> [kept, all]; all may be None.
        reason: a code that says why nothing was found; "" if something was.
        unread_pictures: pictures, charts and drawings of a document that models do not get.
        elsewhere: (place, text) of what people could find in the file beside the text: headers,
            properties, comments, what was cut. Names are looked for in it; nobody is shown it.
    """

    sections: list[Section] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    pages: int | None = None
    cut: dict[str, list[int | None]] = field(default_factory=dict)
    reason: str = ""
    unread_pictures: int = 0
    elsewhere: list[tuple[str, str]] = field(default_factory=list)
    _elsewhere_left: int = limits.ELSEWHERE

    def add_elsewhere(self, place: str, text: str) -> None:
        """Add a text in which names are looked for, as long as its limit allows."""
        text = text.replace("\x00", "").strip()[: self._elsewhere_left]
        if text and (place, text) not in self.elsewhere[-20:]:
            self.elsewhere.append((place, text))
            self._elsewhere_left -= len(text)


_LABEL = 60  # letters of a label that are kept; Excel allows 31 for the name of a sheet


class TextBudget:
    """Adds sections to what was found, up to the limit of characters of one file."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self.left = limits.CHARACTERS
        self.all = 0

    def add(self, kind: str, text: str, *, part: str = "", label: str = "") -> None:
        """Add a section, or the beginning of it that still fits; an empty one is left out."""
        text = text.replace("\x00", "").strip("\n")
        if not text.strip():
            return
        self.all += len(text)
        kept = text if len(text) <= self.left else _beginning(text, self.left)
        self.left -= len(kept)
        if kept.strip():
            self.found.sections.append(Section(kind, part, label[:_LABEL], kept))
        if len(kept) < len(text):
            self.found.add_elsewhere("rest", text[len(kept) :])
        if self.all > limits.CHARACTERS:
            self.found.cut["characters"] = [limits.CHARACTERS - self.left, self.all]

    @property
    def is_used_up(self) -> bool:
        return self.all > limits.CHARACTERS


def _beginning(text: str, most: int) -> str:
    """Return whole lines, so that no figure is cut in two; half a line only if the first is longer.

    Nothing more is added afterwards: the rest of the budget stays unused.
    """
    kept = text[:most]
    end = kept.rfind("\n")
    return kept[:end] if end > most // 2 else kept
