"""The pictures of coverage as SVG: pure functions from numbers to markup.

Colours are classes of the stylesheet. Each series has a place, a number and an outline of its
own, so that the picture reads without colour; the page has the same numbers in a table.
"""

from collections.abc import Sequence
from decimal import Decimal

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from curation.tasks.coverage.figures import Bar
from curation.tasks.coverage.queries import Row

NUMBERS, PHONE = 74, 358  # room for the numbers; width on a phone
WIDE, HALF = (720, 230), (480, 170)  # width, and room for the names: a whole page, half of one
_SERIES = ("s1", "s2", "s-ink")  # filled accent, hollow, filled ink


def coverage_chart(rows: Sequence[Row], *, title: str, narrow: bool = False) -> SafeString:
    """Draw three bars for each work type: its share of time, of the tasks and of their value."""
    groups = [
        (str(row.work_type), (row.work_type.share, row.of_tasks, row.of_value)) for row in rows
    ]
    return _grouped(groups, title=title, narrow=narrow, size=WIDE)


def histogram(found: Sequence[Bar], *, title: str, narrow: bool = False) -> SafeString:
    """Draw one bar for each group of tasks, with count and percentage at its end."""
    groups = [(bar.label, (bar.percent,)) for bar in found]
    ends = [f"{bar.count} · {_percent(bar.percent)}" for bar in found]
    return _grouped(groups, title=title, narrow=narrow, size=HALF, ends=ends)


def _grouped(
    groups: Sequence[tuple[str, tuple[Decimal | None, ...]]],
    *,
    title: str,
    narrow: bool,
    size: tuple[int, int],
    ends: Sequence[str] = (),
) -> SafeString:
    width, left = (PHONE, 0) if narrow else size
    room = width - left - NUMBERS
    most = max((float(v) for _n, values in groups for v in values if v), default=0.0) or 100.0
    parts, top = [], 4.0
    for at, (name, values) in enumerate(groups):
        parts.append(
            format_html(
                '<text class="name" x="0" y="{}">{}</text>',
                top + 11,
                _short(name, 48 if narrow else left // 6),
            )
        )
        top += 18 if narrow else 0
        for series, value in enumerate(values):
            css = "bar" if len(values) == 1 else _SERIES[series]
            length = round(room * float(value or 0) / most, 1)
            if value:
                parts.append(
                    format_html(
                        '<rect class="{}" x="{}" y="{}" width="{}" height="8"/>',
                        css,
                        left,
                        top + 3,
                        max(length, 1.5),
                    )
                )
            words = ends[at] if ends else _percent(value)
            parts.append(
                format_html('<text x="{}" y="{}">{}</text>', left + length + 8, top + 11, words)
            )
            top += 14
        top += 8
    return format_html(
        '<svg class="chart{}" viewBox="0 0 {} {}" role="img" aria-label="{}" focusable="false">'
        "<title>{}</title>{}</svg>",
        " is-narrow" if narrow else "",
        width,
        round(top),
        title,
        title,
        format_html_join("", "{}", ((part,) for part in parts)),
    )


def _percent(value: Decimal | None) -> str:
    if value is None:
        return _("not known")
    return f"{value.normalize():f}\u00a0%" if value else "0\u00a0%"


def _short(name: str, letters: int) -> str:
    """Cut a name to the room beside the bars; a Chinese character counts twice."""
    wide = sum(2 if ord(letter) > 0x2E7F else 1 for letter in name)
    kept = letters - 2 if wide == len(name) else letters // 2 - 1
    return name if wide <= letters else f"{name[:kept]}…"
