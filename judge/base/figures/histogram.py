"""A histogram of shares: one bar for each bin, its count on top."""

from collections.abc import Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

from judge.base.figures import svg

_WIDTH, _HEIGHT = 460, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 12, 22, 44


def shares(
    counts: Sequence[int], *, title: str, x_label: str, y_label: str, marked: Sequence[bool] = ()
) -> SafeString | str:
    """Draw counts of equally wide bins from 0 to 100 %; "" where nothing is counted.

    Args:
        title: the finding, as a sentence.
        marked: which bins need attention; their bars have another colour and a mark on top.
    """
    most = max(counts, default=0)
    if not most:
        return ""
    step = max(1, -(-most // 4))
    top = step * -(-most // step)
    width = (_WIDTH - _LEFT - _RIGHT) / len(counts)
    floor = _HEIGHT - _BOTTOM

    def y(value: float) -> float:
        return round(floor - value / top * (floor - _TOP), 1)

    parts = []
    for value in range(0, top + 1, step):
        css = "zero" if value == 0 else "grid"
        parts.append(svg.line(css, _LEFT, y(value), _WIDTH - _RIGHT, y(value)))
        parts.append(svg.text("end-label", _LEFT - 8, y(value) + 4, f"{value}"))
    for n, count in enumerate(counts):
        left = _LEFT + n * width
        noted = bool(marked[n]) if n < len(marked) else False
        if count:
            parts.append(
                format_html(
                    '<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>',
                    "attention" if noted else "bar",
                    round(left + 2, 1),
                    y(count),
                    round(width - 4, 1),
                    round(floor - y(count), 1),
                )
            )
            label = f"{count} !" if noted else f"{count}"
            parts.append(svg.text("mid-label", round(left + width / 2, 1), y(count) - 5, label))
    for n in range(0, len(counts) + 1, max(1, len(counts) // 5)):
        words = f"{round(100 * n / len(counts))}\u00a0%"
        parts.append(svg.text("mid-label", round(_LEFT + n * width, 1), floor + 16, words))
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(svg.text("mid-label", middle, _HEIGHT - 6, x_label))
    parts.append(svg.text("", 4, 12, y_label))
    return svg.svg(_WIDTH, _HEIGHT, title, parts)


def course(
    points: Sequence[tuple[str, float, int]], *, title: str, y_label: str
) -> SafeString | str:
    """Draw a share over periods, each with its value; "" with fewer than two periods.

    Args:
        points: (name of the period, share from 0 to 1, number of tasks), in order.
    """
    if len(points) < 2:
        return ""
    floor = _HEIGHT - _BOTTOM
    step = (_WIDTH - _LEFT - _RIGHT - 60) / (len(points) - 1)

    def y(value: float) -> float:
        return round(floor - value * (floor - _TOP), 1)

    parts = []
    for value in (0.0, 0.25, 0.5, 0.75, 1.0):
        css = "zero" if value == 0 else "grid"
        parts.append(svg.line(css, _LEFT, y(value), _WIDTH - _RIGHT, y(value)))
        parts.append(svg.text("end-label", _LEFT - 6, y(value) + 4, f"{round(100 * value)}\u00a0%"))
    places = [
        (round(_LEFT + 30 + n * step, 1), y(share)) for n, (_k, share, _t) in enumerate(points)
    ]
    line = " ".join(f"{across},{down}" for across, down in places)
    parts.append(format_html('<polyline class="s1-line" points="{}"/>', line))
    every = max(1, -(-len(points) // 8))
    for n, ((across, down), (name, share, _tasks)) in enumerate(zip(places, points, strict=True)):
        parts.append(format_html('<circle class="s1" cx="{}" cy="{}" r="3.5"/>', across, down))
        if n % every == 0:
            shown = f"{round(100 * share)}\u00a0%"
            parts.append(svg.text("mid-label", across, down - 9, shown))
            parts.append(svg.text("mid-label", across, floor + 16, name))
    parts.append(svg.text("", 4, 12, y_label))
    return svg.svg(_WIDTH, _HEIGHT, title, parts)
