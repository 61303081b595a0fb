"""Passages that a reason quotes, looked up in the response. No Django here."""

import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote

LEAST = 6  # characters; shorter quotations are terms, not passages
LEAST_WIDE = 3  # the same for Chinese, whose characters say more
MOST = 5  # passages of one reason
_QUOTED = re.compile(
    r"“([^“”]+)”|「([^「」]+)」|『([^『』]+)』|\"([^\"]+)\"|(?<!\w)'([^'\n]+)'(?!\w)"
)
_SPACES = re.compile(r"\s+")
# Judges put a semicolon where a table has the edge of a cell.
_MARKUP = re.compile(r"[*_`#>|;；]")
_WIDE = re.compile(r"[\u3400-\u9fff]")


class Passage(NamedTuple):
    """A quotation; `at` is its character in the response, None if it is not there."""

    text: str
    at: int | None

    @property
    def fragment(self) -> str:
        """The text fragment of an address that scrolls to the passage."""
        return f"#:~:text={quote(self.text, safe='').replace('-', '%2D')}"


def passages(reason: str, response: str) -> Sequence[Passage]:
    """Return the passages that a reason quotes, in its order, each once.

    A passage counts as found if the response holds the same words, whatever their spaces, case
    and Markdown. An ellipsis at either end of a quotation is left out.
    """
    found: dict[str, Passage] = {}
    plain, places = _plain(response)
    for match in _QUOTED.finditer(reason):
        text = next(group for group in match.groups() if group is not None).strip(" \t\r\n….,;")
        if len(text) < (LEAST_WIDE if _WIDE.search(text) else LEAST):
            continue
        wanted, _places = _plain(text)
        at = plain.find(wanted) if wanted else -1
        found.setdefault(text, Passage(text, places[at] if at >= 0 else None))
        if len(found) == MOST:
            break
    return tuple(found.values())


def _plain(text: str) -> tuple[str, list[int]]:
    """Return the text without markup, in lower case with single spaces, and each one's place."""
    kept: list[str] = []
    places: list[int] = []
    for at, sign in enumerate(text):
        if _MARKUP.match(sign):
            continue
        if sign.isspace():
            if kept and kept[-1] == " ":
                continue
            sign = " "
        lower = sign.lower()
        kept.extend(lower)
        places.extend([at] * len(lower))
    return "".join(kept), places
