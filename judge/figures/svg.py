"""The markup that all charts are made of. Every colour is a class of the stylesheet."""

from collections.abc import Iterable

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe


def svg(
    width: float, height: float, title: str, parts: Iterable[SafeString], css: str = "chart"
) -> SafeString:
    """An image of that box with a sentence that says its finding."""
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
    """An image as wide as its table cell; silent without a title."""
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
    """Parts that are safe already, one after the other."""
    return mark_safe("".join(parts))  # noqa: S308 - each part went through format_html


def line(css: str, x1: float, y1: float, x2: float, y2: float) -> SafeString:
    """A straight line from (x1, y1) to (x2, y2)."""
    return format_html('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>', css, x1, y1, x2, y2)


def text(css: str, x: float, y: float, words: str) -> SafeString:
    """Words at a place; they are escaped."""
    return format_html('<text class="{}" x="{}" y="{}">{}</text>', css, x, y, words)
