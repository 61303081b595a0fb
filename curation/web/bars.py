"""Bars of several segments: what is in them, and where each begins. Pure."""

from collections.abc import Iterable, Sequence
from typing import Any


def parts(segments: Iterable[Any] | str) -> list[tuple[float, str, str]]:
    """(count, kind, label) of each segment: mappings, sequences in that order, or one string.

    The string form is for templates: ``"12 yes met; 3 no unmet"``.
    """
    given: Iterable[Any] = segments
    if isinstance(segments, str):
        given = [part.split(maxsplit=2) for part in segments.split(";") if part.strip()]
    found = []
    for segment in given:
        if isinstance(segment, dict):
            found.append((segment["count"], segment.get("kind", "ink-2"), segment.get("label", "")))
        else:
            count, kind, *label = segment
            found.append((count, kind, label[0] if label else ""))
    return [(max(0.0, float(count or 0)), str(kind), str(label)) for count, kind, label in found]


def bar_geometry(counts: Sequence[float], total: float | None = None) -> list[tuple[float, float]]:
    """(x, width) in percent for each count; ``total`` is the full scale, by default the sum.

    A count above zero is never thinner than 0.4, so that a few failures among thousands show.
    """
    whole = total or sum(counts)
    if whole <= 0:
        return [(0.0, 0.0) for _count in counts]
    x, spans = 0.0, []
    for count in counts:
        width = max(100 * count / whole, 0.4) if count else 0.0
        width = min(width, 100 - x)
        spans.append((round(x, 2), round(width, 2)))
        x += width
    return spans
