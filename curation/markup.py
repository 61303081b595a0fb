"""Safe Markdown and word differences, as plain functions on text."""

import re
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

import nh3
from django.utils.html import escape, format_html
from django.utils.translation import gettext
from markdown_it import MarkdownIt

_SCHEMES = {"http", "https", "mailto"}
_INLINE = {"br", "em", "strong", "code", "a"}
_BLOCKS = {"p", "hr", "h3", "h4", "h5", "h6", "ul", "ol", "li", "pre", "blockquote"}
_TABLES = {"table", "thead", "tbody", "tr", "th", "td"}


def _alt_only(self: Any, tokens: Any, idx: int, options: Any, env: Any) -> str:
    """An image becomes its alternative text: nothing is ever loaded from elsewhere."""
    return str(escape(self.renderInlineAsText(tokens[idx].children or [], options, env)))


def _attribute(_tag: str, name: str, value: str) -> str | None:
    """Keeps a link only with one of the allowed schemes; relative addresses go as well."""
    scheme, colon, _rest = value.partition(":")
    if name == "href" and not (colon and scheme.strip().lower() in _SCHEMES):
        return None
    return value


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("image", _alt_only)
    return parser


def to_html(text: str) -> str:
    """Markdown as safe HTML: no raw HTML, no images; the highest heading in use becomes h3.

    Links keep http, https and mailto only and carry ``rel="nofollow noopener"``. A wide table
    scrolls in a box of its own, which the keyboard can reach.
    """
    parser = _parser()
    tokens = parser.parse(text)
    headings = [t for t in tokens if t.type in ("heading_open", "heading_close")]
    down = 3 - min((int(t.tag[1]) for t in headings), default=3)
    for token in headings:
        token.tag = f"h{min(6, int(token.tag[1]) + down)}"
    clean = nh3.clean(
        parser.renderer.render(tokens, parser.options, {}),
        tags=_INLINE | _BLOCKS | _TABLES,
        attributes={"a": {"href", "title"}, "ol": {"start"}},
        attribute_filter=_attribute,
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


def diff_words(old: str, new: str) -> list[tuple[str, str]]:
    """The way from ``old`` to ``new`` as ("same" | "del" | "ins", text) runs.

    By word; Chinese and Japanese by character. The two whole texts when fewer than half of the
    words of the shorter one survive: word soup helps nobody.
    """
    if old == new:
        return [("same", new)] if new else []
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    keys_a, keys_b = [t.strip() for t in a], [t.strip() for t in b]
    steps = SequenceMatcher(None, keys_a, keys_b, autojunk=False).get_opcodes()
    kept = sum(_is_word(k) for op, i, j, _k, _m in steps if op == "equal" for k in keys_a[i:j])
    shorter = min(sum(map(_is_word, keys_a)), sum(map(_is_word, keys_b)))
    if not shorter or kept * 2 < shorter:
        return [run for run in (("del", old), ("ins", new)) if run[1]]
    runs: list[tuple[str, str]] = []
    gone = came = ""
    for op, i, j, k, m in [*steps, ("end", 0, 0, 0, 0)]:
        inner = bool(gone or came) and m < len(b) and not any(map(_is_word, keys_b[k:m]))
        if op in ("replace", "delete", "insert") or (op == "equal" and inner):
            # punctuation between two changes joins them into one
            gone, came = gone + "".join(a[i:j]), came + "".join(b[k:m])
            continue
        runs += [run for run in (("del", gone), ("ins", came)) if run[1]]
        gone = came = ""
        if op == "equal":
            runs.append(("same", "".join(b[k:m])))
    return runs


def _is_word(token: str) -> bool:
    return any(character.isalnum() for character in token)
