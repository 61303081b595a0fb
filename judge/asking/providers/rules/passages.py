"""Cuts a text, Markdown or plain, into the passages a reader would quote."""

import re
from dataclasses import dataclass

_HEADING = re.compile(r"#{1,6}\s+(.*)")
_ITEM = re.compile(
    r"(?:[-*+•·▪◦]|[(（]?\d{1,3}[.)）、]|[(（][a-z一二三四五六七八九十]+[)）])\s*(?!\d)(.+)"
)
_LEAD = re.compile(r"(\*\*|__)(?=\S)[^*_\n]{1,80}\1(?=\s*\S)")
_RULE = re.compile(r"[-*_=\s]{3,}")
_BARE_HEADING = re.compile(
    r"\*\*([^*]{1,80})\*\*\s*[:：]?|[一二三四五六七八九十]{1,2}、\s*(.{1,30})"
)
_END = re.compile(
    r"(?<![.!?])[.!?]++[\"”’)]*+(?=\s+[\"“(]?[A-Z0-9\u4e00-\u9fff])|[。！？]+[”’」）]*"
)
# A stop after one of these, or after a single capital, ends no sentence.
_ABBREVIATION = re.compile(
    r"(?:^|[^\w.])(?:e\.g|i\.e|vs|cf|No|Art|Sec|Dr|Mr|Ms|Mrs|St|Fig|Inc|Ltd|Co|approx|al|[A-Z])$"
)
_MARKS = re.compile(r"\*\*|__|`|~~|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|(?<=[.,:;!?])\*(?=\s|$)")
_LINK = re.compile(r"!?\[([^\[\]\n]{0,300})\]\([^()\n]{0,500}\)")


@dataclass(frozen=True)
class Passage:
    """One sentence, list item or table row.

    `text` is free of marks; `quote` is the exact text of the source; `heading` the nearest heading
    or introducing line above; `cells` are (row, column, value) of a table row.
    """

    kind: str
    text: str
    quote: str
    heading: str = ""
    cells: tuple[tuple[str, str, str], ...] = ()


def plain(text: str) -> str:
    """`text` without Markdown's marks, white space squeezed."""
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", text)).split())


def sentences(text: str) -> list[str]:
    """The sentences of one paragraph, exactly as they stand there."""
    pieces, start = [], 0
    lead = _LEAD.match(text)
    for match in _END.finditer(text):
        # A heading in bold at the beginning belongs to the sentence it introduces.
        if lead and match.end() < lead.end():
            continue
        if match.group() == "." and _ABBREVIATION.search(
            text[max(0, match.start() - 8) : match.start()]
        ):
            continue
        pieces.append(text[start : match.end()].strip())
        start = match.end()
    pieces.append(text[start:].strip())
    return [piece for piece in pieces if piece]


def passages(text: str) -> list[Passage]:
    """All passages of a text in order; headings only lend their words to what follows them."""
    found: list[Passage] = []
    heading = ""
    columns: list[str] = []
    for raw in text.split("\n"):
        line = raw.strip()
        if not line or (_RULE.fullmatch(line) and "|" not in line):
            columns = [] if not line else columns
            continue
        if line.count("|") >= 2:
            if line.strip("|:- \t"):
                cells = [plain(cell) for cell in line.strip("|").split("|")]
                if columns:
                    found.append(_row(line, heading, columns, cells))
                else:
                    columns = cells
            continue
        columns = []
        title = _HEADING.fullmatch(line) or _BARE_HEADING.fullmatch(line)
        if title:
            heading = plain(next(group for group in title.groups() if group)).rstrip(":：")
            continue
        item = _ITEM.fullmatch(line)
        body = item.group(1) if item else line.lstrip("> ")
        if item and line[0] == "*" and not line[1].isspace():
            body = line  # bold or italic, not a bullet: the quote keeps both its marks
        if not item and line[-1] in ":：" and len(line) <= 120:
            heading = plain(line).rstrip(":：")
            continue
        for sentence in sentences(body):
            found.append(
                Passage("item" if item else "sentence", plain(sentence), sentence, heading)
            )
    return found


def _row(line: str, heading: str, columns: list[str], cells: list[str]) -> Passage:
    triples = tuple(
        (cells[0], column, cell)
        for column, cell in zip(columns[1:], cells[1:], strict=False)
        if cells[0] and column and cell
    )
    return Passage("row", "; ".join(cell for cell in cells if cell), line, heading, triples)
