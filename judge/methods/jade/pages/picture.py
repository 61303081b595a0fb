"""The picture of what rests on what: claims on the left, items on the right."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from judge.base.figures import svg

_WIDTH, _ROW, _TOP = 600, 26, 14
_LEFT, _RIGHT = 220, 350  # where lines begin and end
_WORDS = 26  # of a label, in letters; Chinese ones count twice


class Node(NamedTuple):
    """A claim or an item; `off` if it closes gates, or its gate is closed."""

    id: str
    text: str
    shape: str
    off: bool


class Tie(NamedTuple):
    """An item rests on a claim; `closed` if the claim closes its gate."""

    claim: str
    item: str
    closed: bool


def gates(claims: Sequence[Node], items: Sequence[Node], ties: Sequence[Tie]) -> SafeString | str:
    """Draw claims, items and lines between them; "" where nothing rests on anything."""
    if not ties:
        return ""
    height = 2 * _TOP + _ROW * (max(len(claims), len(items)) - 1)
    left = {one.id: _place(n, len(claims), height) for n, one in enumerate(claims)}
    right = {one.id: _place(n, len(items), height) for n, one in enumerate(items)}
    parts = [
        svg.line(
            "gate-closed" if tie.closed else "gate-open",
            _LEFT + 8,
            left[tie.claim],
            _RIGHT - 8,
            right[tie.item],
        )
        for tie in sorted(ties, key=lambda tie: tie.closed)  # closed ones on top
    ]
    for one in claims:
        parts += _node(one, _LEFT, left[one.id], at_left=True)
    for one in items:
        parts += _node(one, _RIGHT, right[one.id], at_left=False)
    return svg.svg(_WIDTH, height, _sentence(items, ties), parts, "chart is-narrow gates")


def _place(number: int, of: int, height: float) -> float:
    """Return the height of a node; the shorter column stands in the middle."""
    return round(height / 2 + (number - (of - 1) / 2) * _ROW, 1)


def _node(node: Node, x: float, y: float, *, at_left: bool) -> list[SafeString]:
    at, css = (x - 12, "end-label") if at_left else (x + 12, "begin-label")
    css = f"{css} is-off" if node.off else f"{css} name"
    return [_shape(node, x, y), svg.text(css, at, y + 4, f"{node.id}  {_short(node.text)}")]


def _shape(node: Node, x: float, y: float) -> SafeString:
    """Return the mark: supported full, refuted a cross, cannot be verified a ring, items square."""
    if node.shape == "square":
        css = "item-off" if node.off else "item-on"
        return format_html(
            '<rect class="{}" x="{}" y="{}" width="9" height="9"/>', css, x - 4.5, y - 4.5
        )
    if node.shape == "cross":
        return svg.joined(
            [
                svg.line("claim-no", x - 4, y - 4, x + 4, y + 4),
                svg.line("claim-no", x - 4, y + 4, x + 4, y - 4),
            ]
        )
    css = _CLAIMS.get(node.shape, "claim-open")
    return format_html('<circle class="{}" cx="{}" cy="{}" r="4.5"/>', css, x, y)


_CLAIMS: Mapping[str, str] = {"check": "claim-yes"}


def _short(text: str) -> str:
    """Return the beginning of a text that fits beside its mark."""
    room = _WORDS
    for at, letter in enumerate(text):
        room -= 2 if letter >= "\u2e80" else 1
        if room < 0:
            return f"{text[:at].rstrip()}…"
    return text


def _sentence(items: Sequence[Node], ties: Sequence[Tie]) -> str:
    closed: dict[str, list[str]] = {}
    for tie in ties:
        if tie.closed:
            closed.setdefault(tie.claim, []).append(tie.item)
    said = ngettext("%(n)s item rests on claims.", "%(n)s items rest on claims.", len(items)) % {
        "n": len(items)
    }
    for claim, names in closed.items():
        said += " " + gettext(
            "Because %(claim)s does not hold, these count against the response: %(items)s."
        ) % {"claim": claim, "items": ", ".join(names)}
    return said if closed else f"{said} {gettext('No gate is closed.')}"
