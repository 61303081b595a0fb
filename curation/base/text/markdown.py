"""Safe HTML from Markdown, and word-by-word differences of texts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from functools import lru_cache
from itertools import accumulate
from typing import Any
from urllib.parse import unquote

import nh3
from django.utils.html import escape, format_html
from django.utils.translation import gettext
from markdown_it import MarkdownIt

_SCHEMES = {"http", "https", "mailto"}
_INLINE = {"br", "em", "strong", "code", "a"}
_BLOCKS = {"p", "hr", "h3", "h4", "h5", "h6", "ul", "ol", "li", "pre", "blockquote"}
_TABLES = {"table", "thead", "tbody", "tr", "th", "td"}


FILE_SCHEME = "attachment:"
"""A text refers to a file that was uploaded with it by its name: `![plan](attachment:plan.png)`."""


@dataclass(frozen=True)
class LinkedFile:
    """Where a file that a text may refer to is read.

    Attributes:
        url: of the page that shows it.
        picture: of the picture itself; "" for a file that is none.
    """

    url: str
    picture: str = ""


def _image(self: Any, tokens: Any, idx: int, options: Any, env: Any) -> str:
    """Render a picture that was uploaded with the text; any other image as its alternative text.

    So pages never load external content, and a reference to a file that is not there, or belongs
    to another text, is words.
    """
    words = self.renderInlineAsText(tokens[idx].children or [], options, env)
    name = _file_name(tokens[idx].attrs.get("src", ""))
    file = env.get(name)
    if file is None:
        return str(escape(words))
    if not file.picture:
        return format_html('<a href="{}">{}</a>', file.url, words or name)
    return format_html('<img src="{}" alt="{}" loading="lazy">', file.picture, words)


def _file_name(address: object) -> str:
    """Return the name of the file that an address refers to; "" for another address."""
    text = str(address)
    return unquote(text[len(FILE_SCHEME) :]) if text.startswith(FILE_SCHEME) else ""


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("image", _image)
    return parser


def to_html(text: str, files: Mapping[str, LinkedFile] | None = None) -> str:
    """Render Markdown as safe HTML without raw HTML; the highest heading in use becomes h3.

    Links keep http, https and mailto only and get ``rel="nofollow noopener"``. Each table is in a
    box that scrolls and can be focused with the keyboard.

    Args:
        files: by name, those the text may show as a picture or link to; no other image is loaded.
    """
    files = files or {}
    parser = _parser()
    tokens = parser.parse(text)
    headings = [t for t in tokens if t.type in ("heading_open", "heading_close")]
    down = 3 - min((int(t.tag[1]) for t in headings), default=3)
    for token in headings:
        token.tag = f"h{min(6, int(token.tag[1]) + down)}"
    for token in (inner for outer in tokens for inner in outer.children or ()):
        file = files.get(_file_name(token.attrs.get("href", "")))
        if token.type == "link_open" and file is not None:
            token.attrs["href"] = file.url
    own = {address for file in files.values() for address in (file.url, file.picture)}

    def attribute(_tag: str, name: str, value: str) -> str | None:
        """Keep an address of ours, or a link with an allowed scheme; drop relative ones."""
        scheme, colon, _rest = value.partition(":")
        fine = name == "href" and colon and scheme.strip().lower() in _SCHEMES
        return value if name not in ("href", "src") or value in own or fine else None

    clean = nh3.clean(
        parser.renderer.render(tokens, parser.options, dict(files)),
        tags=_INLINE | _BLOCKS | _TABLES | ({"img"} if files else set()),
        attributes={
            "a": {"href", "title"},
            "ol": {"start"},
            "img": {"src", "alt", "loading"},
        },
        attribute_filter=attribute,
        url_schemes=_SCHEMES,
        link_rel="nofollow noopener",
    )
    box = format_html(
        '<div class="table-scroll" role="region" tabindex="0" aria-label="{}"><table>',
        gettext("Table"),
    )
    return clean.replace("<table>", box).replace("</table>", "</table></div>")


# --- differences ---------------------------------------------------------------------------------
_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_TOKEN = re.compile(rf"[{_CJK}]\s*|[^\W{_CJK}]+(?:[.,:'’\-/][^\W{_CJK}]+)*\s*|[^\w\s]\s*|\s+|_+\s*")


_ONE_CJK = re.compile(f"[{_CJK}]")
_FEW = 300  # tokens up to which even the most frequent ones are matched
_MANY = 2_000  # tokens or lines up to which texts are compared in full


@dataclass
class Effort:
    """What comparing texts may still cost; shared by all comparisons of a page.

    Attributes:
        left: steps, of which a processor takes five to ten million a second. Two texts of 2,000
            words take up to 200,000, unless they repeat themselves.
        cut: whether a text was shown whole because comparing it takes more.
    """

    left: int = 2_000_000
    cut: bool = False


class _TooMuchError(Exception):
    """Comparing takes more steps than are left."""


class _Matcher(SequenceMatcher[str]):
    """A matcher that stops before it takes more steps than are left."""

    def __init__(
        self, a: list[str], b: list[str], effort: Effort, *, autojunk: bool = True
    ) -> None:
        super().__init__(None, a, b, autojunk)
        self.effort = effort
        # Each search looks at the words of a stretch of `a` and at their places in `b`.
        places = self.b2j  # type: ignore[attr-defined]  # documented, not in the stubs
        costs = (1 + len(places.get(word, ())) for word in a)
        self.costs = list(accumulate(costs, initial=0))

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        cost = self.costs[-1 if ahi is None else ahi] - self.costs[alo]
        if cost > self.effort.left:
            self.effort.cut = True
            raise _TooMuchError
        self.effort.left -= cost
        return super().find_longest_match(alo, ahi, blo, bhi)


def diff_words(old: str, new: str, effort: Effort | None = None) -> list[tuple[str, str]]:
    """Return the difference of two texts as runs of ("same" | "del" | "ins", text).

    Texts are compared by word, Chinese and Japanese by character. If fewer than half of the words
    of the shorter text survive, the result is the two whole texts, because single words would be
    unreadable. Texts of more than 2,000 tokens are compared line by line without their common
    beginning and end, and by word within the changed lines. Texts or lines that take more than the
    effort left are shown whole.
    """
    if old == new:
        return [("same", new)] if new else []
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    effort = effort or Effort()
    if len(a) <= _MANY and len(b) <= _MANY:
        return _by_word(old, new, effort)
    return _by_line(old.splitlines(keepends=True), new.splitlines(keepends=True), effort)


def _by_line(a: list[str], b: list[str], effort: Effort) -> list[tuple[str, str]]:
    start, end = 0, 0
    least = min(len(a), len(b))
    while start < least and a[start] == b[start]:
        start += 1
    while end < least - start and a[len(a) - 1 - end] == b[len(b) - 1 - end]:
        end += 1
    mid_a, mid_b = a[start : len(a) - end], b[start : len(b) - end]
    runs = [("same", "".join(a[:start]))]
    try:
        steps = _Matcher(mid_a, mid_b, effort).get_opcodes()
    except _TooMuchError:
        runs += [("del", "".join(mid_a)), ("ins", "".join(mid_b))]
        steps = []
    for op, i, j, k, m in steps:
        gone, came = "".join(mid_a[i:j]), "".join(mid_b[k:m])
        runs += [("same", came)] if op == "equal" else _by_word(gone, came, effort)
    runs.append(("same", "".join(a[len(a) - end :])))
    return [run for run in runs if run[1]]


def _by_word(old: str, new: str, effort: Effort) -> list[tuple[str, str]]:
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    keys_a, keys_b = [t.strip() for t in a], [t.strip() for t in b]
    # In long texts frequent words start no match: comparing every "the" with every other is slow.
    junk = max(len(a), len(b)) > _FEW
    whole = [run for run in (("del", old), ("ins", new)) if run[1]]
    try:
        steps = _Matcher(keys_a, keys_b, effort, autojunk=junk).get_opcodes()
    except _TooMuchError:
        return whole
    kept = sum(_is_word(k) for op, i, j, _k, _m in steps if op == "equal" for k in keys_a[i:j])
    shorter = min(sum(map(_is_word, keys_a)), sum(map(_is_word, keys_b)))
    if not shorter or kept * 2 < shorter:
        return whole
    runs: list[tuple[str, str]] = []
    gone = came = ""
    for op, i, j, k, m in [*steps, ("end", 0, 0, 0, 0)]:
        inner = bool(gone or came) and m < len(b) and _is_crumb(keys_b[k:m])
        if op in ("replace", "delete", "insert") or (op == "equal" and inner):
            # Merge two changes with nothing but a crumb between them.
            gone, came = gone + "".join(a[i:j]), came + "".join(b[k:m])
            continue
        runs += [run for run in (("del", gone), ("ins", came)) if run[1]]
        gone = came = ""
        if op == "equal":
            runs.append(("same", "".join(b[k:m])))
    return runs


def run_together(one: str, other: str) -> bool:
    """Return whether two pieces would read as one word when shown side by side."""
    return bool(one and other) and all(
        character.isalnum() and not _ONE_CJK.fullmatch(character)
        for character in (one[-1], other[0])
    )


def _is_crumb(tokens: list[str]) -> bool:
    """Return whether the tokens between two changes hold no word, or one Chinese character.

    A single character is part of a changed word, or equal by chance.
    """
    words = list(filter(_is_word, tokens))
    return not words or (len(words) == 1 and bool(_ONE_CJK.fullmatch(words[0])))


def _is_word(token: str) -> bool:
    return any(character.isalnum() for character in token)
