"""The plot of the item analysis: each task by its difficulty and its discrimination."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString

from judge.base.figures import svg

_WIDTH, _HEIGHT = 460, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 16, 12, 44


class TaskPoint(NamedTuple):
    """A task: difficulty 0 to 1, discrimination −1 to 1; `marked` if it needs a look."""

    difficulty: float
    discrimination: float
    marked: bool


def difficulty_and_discrimination(
    tasks: Sequence[TaskPoint], *, title: str, x_label: str, y_label: str
) -> SafeString | str:
    """Draw a mark for each task, those that need a look as rings; "" without any task.

    The dashed line is a discrimination of 0: below it weaker candidates do better.
    """
    if not tasks:
        return ""

    def x(value: float) -> float:
        return round(_LEFT + value * (_WIDTH - _LEFT - _RIGHT), 1)

    def y(value: float) -> float:
        return round(_TOP + (1 - value) / 2 * (_HEIGHT - _TOP - _BOTTOM), 1)

    parts = []
    for value in (-1.0, -0.5, 0.0, 0.5, 1.0):
        parts.append(svg.line("ref" if value == 0 else "grid", x(0), y(value), x(1), y(value)))
        parts.append(svg.text("end-label", x(0) - 8, y(value) + 4, f"{value:g}".replace("-", "−")))
    for value in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(svg.line("grid", x(value), y(1), x(value), y(-1)))
        parts.append(svg.text("mid-label", x(value), y(-1) + 16, f"{value:g}"))
    # Tasks on the same pixel become one mark.
    marks = {
        (round(x(task.difficulty)), round(y(task.discrimination)), task.marked) for task in tasks
    }
    for across, down, marked in sorted(marks):
        css, radius = ("ring", 4.5) if marked else ("dot", 2.6)
        parts.append(
            format_html('<circle class="{}" cx="{}" cy="{}" r="{}"/>', css, across, down, radius)
        )
    parts.append(svg.text("mid-label", x(0.5), _HEIGHT - 6, x_label))
    parts.append(
        format_html(
            '<text class="mid-label" transform="translate(12 {}) rotate(-90)">{}</text>',
            y(0),
            y_label,
        )
    )
    return svg.svg(_WIDTH, _HEIGHT, title, parts)
