"""The performance-cost graph of technology-market fit, after figure 9 of the xbench paper."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString

from judge.base.figures import svg

_TOP = 14
_STEPS = 24  # points of a sloping line, which is a curve on a logarithmic scale
_LOGARITHMIC_FROM = 30  # largest over smallest amount from which the scale is logarithmic


class _Plot(NamedTuple):
    """The layout in units of the view box, and the name of its hatching."""

    width: int
    height: int
    left: int
    right: int
    bottom: int
    css: str
    hatch: str


_WIDE = _Plot(640, 400, left=52, right=20, bottom=48, css="chart", hatch="fit-hatch")
# On a phone, so that the text keeps a readable size.
_NARROW = _Plot(
    358, 330, left=44, right=10, bottom=48, css="chart is-narrow", hatch="fit-hatch-narrow"
)


class Mark(NamedTuple):
    """A product by its number in the table: dollars and points of 100."""

    number: int
    price: float
    score: float
    on_frontier: bool


class Line(NamedTuple):
    """A piece of demand: from (start, left) to (end, right) in points and dollars."""

    start: float
    end: float
    left: float
    right: float


class Words(NamedTuple):
    """What stands in the figure, in the reader's language."""

    title: str
    cost: str
    score: str
    accessible: str
    acceptable: str
    human: str


def is_logarithmic(amounts: Sequence[float]) -> bool:
    """Return whether these dollars are drawn on a logarithmic scale."""
    known = [amount for amount in amounts if amount > 0]
    return len(known) == len(amounts) > 1 and max(known) / min(known) >= _LOGARITHMIC_FROM


def performance_and_cost(
    marks: Sequence[Mark],
    demand: Sequence[Line],
    human: tuple[float, float] | None,
    words: Words,
    *,
    narrow: bool = False,
) -> SafeString | str:
    """Draw products, their frontier and demand; "" where there is neither.

    Cost runs to the right and performance upwards, so that the market accepts what is upper left
    and technology reaches what is lower right. Products on the frontier are squares, others
    circles, a human is a diamond; the frontier is a solid line, demand a dashed one, and where the
    two regions meet it is hatched.

    Args:
        human: (dollars, points of 100); None where one is not known.
        narrow: whether to draw it for a phone.
    """
    amounts = [mark.price for mark in marks]
    amounts += [amount for line in demand for amount in (line.left, line.right)]
    amounts += [human[0]] if human else []
    if not amounts:
        return ""
    plot = _NARROW if narrow else _WIDE
    scale, ticks = _scale(amounts, plot)
    end = plot.width - plot.right

    def y(score: float) -> float:
        return round(
            plot.height - plot.bottom - score / 100 * (plot.height - _TOP - plot.bottom), 1
        )

    edge = sorted((m for m in marks if m.on_frontier), key=lambda m: (m.price, m.score))
    parts = [_hatch(plot)]
    for score in (0, 25, 50, 75, 100):
        parts.append(svg.line("grid", plot.left, y(score), end, y(score)))
        parts.append(svg.text("end-label", plot.left - 8, y(score) + 4, str(score)))
    for amount in ticks:
        parts.append(svg.line("grid", scale(amount), y(100), scale(amount), y(0)))
        parts.append(svg.text("mid-label", scale(amount), y(0) + 16, f"${amount:,.10g}"))
    if demand:
        parts += _market(demand, scale, y, plot)
        parts += _intersection(edge, demand, scale, y, plot.hatch)
        parts.append(svg.text("strong", plot.left + 8, _TOP + 16, words.acceptable))
    if edge:
        parts += _frontier(edge, scale, y, end)
        parts.append(svg.text("end-label strong", end - 8, y(0) - 10, words.accessible))
    parts += _products(marks, scale, y, end)
    if human:
        across, down = scale(human[0]), y(human[1])
        parts.append(
            format_html(
                '<polygon class="s-ink" points="{},{} {},{} {},{} {},{}"/>',
                across, round(down - 6, 1), round(across + 6, 1), down,
                across, round(down + 6, 1), round(across - 6, 1), down,
            )
        )  # fmt: skip
        parts.append(svg.text("mid-label name", min(across, end - 24), down - 12, words.human))
    parts.append(svg.text("mid-label", (plot.left + end) / 2, plot.height - 8, words.cost))
    parts.append(
        format_html(
            '<text class="mid-label" transform="translate(14 {}) rotate(-90)">{}</text>',
            y(50),
            words.score,
        )
    )
    return svg.svg(plot.width, plot.height, words.title, parts, plot.css)


_Scale = Callable[[float], float]


def _scale(amounts: Sequence[float], plot: _Plot) -> tuple[_Scale, list[float]]:
    """Return where an amount stands, and the amounts to label."""
    room = plot.width - plot.left - plot.right
    if not is_logarithmic(amounts):
        step = _nice(max(amounts) * 1.15 / 5 or 0.2)
        last = step * math.ceil(max(amounts) * 1.15 / step or 1)

        def linear(amount: float) -> float:
            return round(plot.left + amount / last * room, 1)

        return linear, [round(step * n, 10) for n in range(round(last / step) + 1)]
    low = math.floor(math.log10(min(amounts) * 0.7))
    high = math.ceil(math.log10(max(amounts) * 1.3))

    def logarithmic(amount: float) -> float:
        share = (math.log10(amount) - low) / (high - low)
        return round(plot.left + min(1.0, max(0.0, share)) * room, 1)

    return logarithmic, [10.0**n for n in range(low, high + 1)]


def _nice(step: float) -> float:
    """Return the next of 1, 2 and 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(step))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= step * 0.999)


def _market(demand: Sequence[Line], scale: _Scale, y: _Scale, plot: _Plot) -> list[SafeString]:
    """Draw the acceptable region and its boundary."""
    edge = [(scale(amount), y(score)) for score, amount in _steps(demand)]
    first, last = demand[0], demand[-1]
    outline = [(plot.left, y(first.start)), *edge, (plot.left, y(last.end))]
    return [
        format_html('<polygon class="band" points="{}"/>', _points(outline)),
        format_html('<polyline class="ref" points="{}"/>', _points(outline[:-1])),
    ]


def _frontier(edge: Sequence[Mark], scale: _Scale, y: _Scale, end: float) -> list[SafeString]:
    """Draw the stairs of what technology reaches: the best score for a price."""
    corners = [(scale(edge[0].price), y(0))]
    for mark, following in zip(edge, [*edge[1:], None], strict=True):
        corners.append((scale(mark.price), y(mark.score)))
        right = end if following is None else scale(following.price)
        corners.append((right, y(mark.score)))
    return [format_html('<polyline class="s1-line" points="{}"/>', _points(corners))]


def _intersection(
    edge: Sequence[Mark], demand: Sequence[Line], scale: _Scale, y: _Scale, hatch: str
) -> list[SafeString]:
    """Hatch where demand is above the cheapest product that scores as much."""
    parts, below = [], 0.0
    for mark in edge:
        corners = [
            (score, amount)
            for line in demand
            for score, amount in _part(line, below, mark.score, mark.price)
        ]
        if len(corners) > 1:
            right = [(scale(amount), y(score)) for score, amount in corners]
            left = [(scale(mark.price), y(score)) for score, _amount in reversed(corners)]
            parts.append(
                format_html(
                    '<polygon fill="url(#{})" points="{}"/>', hatch, _points([*right, *left])
                )
            )
        below = max(below, mark.score)
    return parts


def _part(line: Line, low: float, high: float, price: float) -> list[tuple[float, float]]:
    """Return the corners of a piece of demand between two scores where it is above a price."""
    start, end = max(line.start, low), min(line.end, high)
    if start >= end:
        return []

    def amount(score: float) -> float:
        share = (score - line.start) / (line.end - line.start)
        return line.left + share * (line.right - line.left)

    if amount(end) <= price:
        return []
    if amount(start) < price:
        start += (price - amount(start)) * (end - start) / (amount(end) - amount(start))
    return [
        (score, max(price, amount(score)))
        for score in (start + (end - start) * n / _STEPS for n in range(_STEPS + 1))
    ]


def _steps(demand: Sequence[Line]) -> list[tuple[float, float]]:
    """Return points along demand, close enough for a curve."""
    found = []
    for line in demand:
        number = 1 if line.left == line.right else _STEPS
        for n in range(number + 1):
            share = n / number
            found.append(
                (
                    line.start + share * (line.end - line.start),
                    line.left + share * (line.right - line.left),
                )
            )
    return found


def _products(marks: Sequence[Mark], scale: _Scale, y: _Scale, end: float) -> list[SafeString]:
    parts = []
    for mark in marks:
        across, down = scale(mark.price), y(mark.score)
        if mark.on_frontier:
            parts.append(
                format_html(
                    '<rect class="s1" x="{}" y="{}" width="9" height="9"/>',
                    round(across - 4.5, 1),
                    round(down - 4.5, 1),
                )
            )
        else:
            parts.append(format_html('<circle class="s2" cx="{}" cy="{}" r="4.5"/>', across, down))
        parts.append(_label(across, down, str(mark.number), end))
    return parts


def _label(across: float, down: float, words: str, end: float) -> SafeString:
    """Write beside a mark, on the side where there is room."""
    if across > end - 60:
        return svg.text("end-label name", round(across - 9, 1), round(down - 7, 1), words)
    return svg.text("name", round(across + 8, 1), round(down - 7, 1), words)


def _hatch(plot: _Plot) -> SafeString:
    return format_html(
        '<defs><pattern id="{}" width="6" height="6" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)">{}</pattern></defs>',
        plot.hatch,
        svg.line("s1-line", 0, 0, 0, 6),
    )


def _points(corners: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{across},{down}" for across, down in corners)
