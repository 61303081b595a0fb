"""From HTML to the text that readers of a page see. Pure; linear in the length, whatever it says.

Nothing is carried out, loaded or built into a tree: a page nested a million times costs no more
than another. What is broken is read as well as it can be.
"""

import re
from html import unescape
from typing import NamedTuple

_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<[!?][^>]*+(?:>|\Z)"
    r"|</(?P<end>[a-z][a-z0-9]{0,30}+)[^>]*+(?:>|\Z)"
    r"|<(?P<start>[a-z][a-z0-9]{0,30}+)"
    r"(?P<attributes>(?>(?:[^<>\"']++|\"[^\"]{0,5000}\"|'[^']{0,5000}')*))/?(?:>|\Z|(?=<))",
    re.IGNORECASE | re.DOTALL,
)
_BLOCKS = frozenset(
    {
        "p", "div", "li", "ul", "ol", "table", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "section",
        "article", "header", "footer", "main", "aside", "nav", "blockquote", "pre", "dl", "dt",
        "dd", "br", "hr", "caption", "figure", "figcaption", "form", "fieldset", "address", "body",
    }
)  # fmt: skip
_CELLS = frozenset({"td", "th"})
_RAW = frozenset({"script", "style", "title", "textarea", "noscript", "iframe", "noembed", "xmp"})
_LEFT_OUT = frozenset({"template", "svg", "math", "object", "canvas", "audio", "video", "select"})
_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)
_ENDS_ITSELF = frozenset({"p", "li", "tr", "td", "th", "dt", "dd"})  # by the next of its kind
_HIDDEN = re.compile(r"(?:^|\s)(?:hidden(?=[\s=/]|$)|aria-hidden\s*=\s*[\"']?true)", re.IGNORECASE)
_STYLE = re.compile(r"style\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|(\S+))", re.IGNORECASE)
_UNSEEN = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|opacity:0(?:\.0*)?(?:;|!|$)"
    r"|font-size:0(?:\.0*)?(?:px|pt|em|rem|%)?(?:;|!|$)|(?:left|top|text-indent):-\d{3}"
)


class Seen(NamedTuple):
    """Title and text of a page, and whether text that its readers do not see was left out."""

    title: str
    text: str
    hidden: bool


def seen(html: str) -> Seen:
    """Return what readers see of a page."""
    parts: list[str] = []
    title, hidden = "", False
    inside, depth, unseen = "", 0, False  # the element that is left out, how often it is open
    at = 0
    while True:
        token = _TOKEN.search(html, at)
        text = html[at : token.start() if token else len(html)]
        if not inside:
            parts.append(unescape(text))
        elif unseen and text.strip():
            hidden = True
        if token is None:
            break
        at = token.end()
        start, end = (token["start"] or "").lower(), (token["end"] or "").lower()
        if start in _RAW:
            body, at = _raw(html, at, start)
            if start == "title" and not title and not inside:
                title = " ".join(unescape(body).split())
            continue
        if (
            inside
            and inside in _ENDS_ITSELF
            and (start == inside or inside == "p" and start in _BLOCKS)
        ):
            inside, depth = "", 0
        if inside:
            depth += (start == inside) - (end == inside)
            inside = inside if depth else ""
        elif start and start not in _VOID and (start in _LEFT_OUT or _is_unseen(token)):
            inside, depth, unseen = start, 1, start not in _LEFT_OUT
        if start in _BLOCKS or end in _BLOCKS:
            parts.append("\n")
        elif start in _CELLS:
            parts.append("\t")
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return Seen(title, re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip(), hidden)


def _raw(html: str, at: int, name: str) -> tuple[str, int]:
    """Return what an element holds that has no tags inside, and where its end tag begins."""
    end = re.compile(f"</{name}", re.IGNORECASE).search(html, at)
    stop = end.start() if end else len(html)
    return html[at:stop], stop


def _is_unseen(token: "re.Match[str]") -> bool:
    attributes = token["attributes"]
    if not attributes:
        return False
    found = _STYLE.search(attributes)
    style = "".join("".join(one or "" for one in found.groups()).split()).lower() if found else ""
    return bool(_HIDDEN.search(attributes) or _UNSEEN.search(style))
