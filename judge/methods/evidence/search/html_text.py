"""From HTML to the text that readers of a page see. Pure; linear in the length, whatever it says.

Nothing is carried out, loaded or built into a tree: a page nested a million times costs no more
than another. What is broken is read as well as it can be.
"""

import re
from collections.abc import Iterator
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
# A selector of one element with at most one class or name; others need its parents or its state.
_SELECTOR = re.compile(r"([a-z][a-z0-9]*)?([.#][\w-]+)?", re.IGNORECASE)
_STYLES = re.compile(r"<style\b[^<>]*>", re.IGNORECASE)
_STYLE_CHARACTERS = 500_000  # of the styles of a page that are read
_NAMES = re.compile(
    r"(?<![\w-])(class|id)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BRACE = re.compile(r"[{}]")
_COLOURS = re.compile(r"(?:^|;)(color|background(?:-color)?):([^;!]+)")
_UNSEEN = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|opacity:0(?:\.0*)?(?:;|!|$)"
    r"|font-size:0(?:\.0*)?(?:px|pt|em|rem|%)?(?:;|!|$)|(?:left|top|text-indent):-\d{3}"
    r"|clip:rect\((?:[01](?:px)?,?){4}\)|clip-path:inset\((?:50|100)%\)|(?:^|;)color:transparent"
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
    rules = _hiding(html)
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
        elif start and start not in _VOID and (start in _LEFT_OUT or _is_unseen(token, rules)):
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


def _is_unseen(token: "re.Match[str]", rules: "_Rules") -> bool:
    attributes = token["attributes"] or ""
    found = _STYLE.search(attributes)
    style = "".join(one or "" for one in found.groups()) if found else ""
    return bool(
        _HIDDEN.search(attributes) or _hides(style) or rules.hide(token["start"], attributes)
    )


def _hides(style: str) -> bool:
    """Return whether declarations make the text of an element invisible.

    Colours count only where one rule names both and they are the same: what an element stands on
    is known to browsers alone.
    """
    style = "".join(style.split()).lower()
    colours = dict(_COLOURS.findall(style))
    ground = colours.get("background-color", colours.get("background"))
    return _UNSEEN.search(style) is not None or ("color" in colours and colours["color"] == ground)


class _Rules:
    """The selectors of a page's own styles that hide what they match."""

    def __init__(self) -> None:
        self._all: set[tuple[str, str]] = set()  # element or "", and ".class", "#id" or ""

    def add(self, selector: str) -> None:
        """Add a selector; those of more than one element are not known here.

        Whole pages are hidden until their scripts have run, so that says nothing.
        """
        found = _SELECTOR.fullmatch(selector)
        if selector and found and (found[1] or "").lower() not in ("html", "body"):
            self._all.add(((found[1] or "").lower(), found[2] or ""))

    def hide(self, name: str, attributes: str) -> bool:
        """Return whether a rule hides an element."""
        if not self._all:
            return False
        marks = {
            ("." if kind.lower() == "class" else "#") + word
            for kind, *values in _NAMES.findall(attributes)
            for word in "".join(values).split()
        }
        name = name.lower()
        return (name, "") in self._all or any(
            (element, mark) in self._all for mark in marks for element in ("", name)
        )


def _hiding(html: str) -> _Rules:
    """Return the rules of a page's own styles that hide something."""
    rules = _Rules()
    left = _STYLE_CHARACTERS
    for start in _STYLES.finditer(html):
        end = html.find("</", start.end())
        style = html[start.end() : end if end >= 0 else len(html)][: max(0, left)]
        left -= len(style)
        for selectors, declared in _rules_in(_COMMENT.sub(" ", style)):
            if _hides(declared):
                for selector in selectors.split(","):
                    rules.add(selector.strip())
    return rules


def _rules_in(style: str) -> Iterator[tuple[str, str]]:
    """Yield selectors and declarations; without rules under a condition, such as for printing."""
    depth = start = inside = 0
    selectors = ""
    for brace in _BRACE.finditer(style):
        if brace[0] == "{":
            if not depth:
                selectors, inside = style[start : brace.start()].rpartition(";")[2], brace.end()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                start = brace.end()
                if "@" not in selectors:
                    yield selectors, style[inside : brace.start()]
