"""The SVG elements of all charts; colours are classes of the stylesheet."""

from collections.abc import Iterable

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe


def svg(
    width: float, height: float, title: str, parts: Iterable[SafeString], css: str = "chart"
) -> SafeString:
    """Return an image with this view box, labelled by a sentence that says its finding."""
    return format_html(
        '<svg class="{}" viewBox="0 0 {} {}" role="img" aria-label="{}" focusable="false">'
        "<title>{}</title>{}</svg>",
        css,
        width,
        height,
        title,
        title,
        joined(parts),
    )


def strip(css: str, title: str, parts: Iterable[SafeString]) -> SafeString:
    """Return an image as wide as its table cell; without a title it is hidden from readers."""
    label = (
        format_html('role="img" aria-label="{}"', title)
        if title
        else mark_safe('aria-hidden="true"')
    )
    return format_html(
        '<svg class="{}" width="100%" height="20" {} focusable="false">{}</svg>',
        css,
        label,
        joined(parts),
    )


def joined(parts: Iterable[SafeString]) -> SafeString:
    """Join parts that are safe markup already."""
    return mark_safe("".join(parts))  # noqa: S308 - each part went through format_html


def line(css: str, x1: float, y1: float, x2: float, y2: float) -> SafeString:
    """Return a straight line from (x1, y1) to (x2, y2)."""
    return format_html('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>', css, x1, y1, x2, y2)


def text(css: str, x: float, y: float, words: str) -> SafeString:
    """Return text at a position; the words are escaped."""
    return format_html('<text class="{}" x="{}" y="{}">{}</text>', css, x, y, words)
