"""The segments of a bar and their geometry. Pure functions."""

from collections.abc import Iterable, Sequence
from typing import Any


def parts(segments: Iterable[Any] | str) -> list[tuple[float, str, str]]:
    """Return (count, kind, label) of each segment.

    Args:
        segments: mappings with these keys, sequences in this order, or, for templates, a string
            such as ``"12 yes met; 3 no unmet"``.
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
    """Return (x, width) in percent for each count.

    A count above zero is at least 0.4 wide, so that a few failures among thousands are visible.

    Args:
        total: the full scale; None for the sum of the counts.
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
