"""Figures of an alignment report as text."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from curation.text.figures import percent
from judge.figures import sentences


@dataclass(frozen=True, slots=True)
class Figure:
    """A row of figures: both judges' values as text, and a gloss that says what they mean."""

    name: str
    first: str
    second: str
    gloss: str


def format_number(value: Any, why: Any = None, places: int = 2) -> str:
    """Format a number with a minus sign; None becomes a dash with the reason."""
    if value is None:
        return f"– ({sentences.reason_text(why)})" if why else "–"
    text = f"{float(value):.{places}f}"
    return text.replace("-", "−") if float(text) else text.replace("-", "")


def format_with_interval(value: Any, interval: Any, why: Any = None) -> str:
    """Format a value with its interval."""
    if value is None or not interval:
        return format_number(value, why)
    return _("%(value)s (95 %% interval %(low)s to %(high)s)") % {
        "value": format_number(value),
        "low": format_number(interval[0]),
        "high": format_number(interval[1]),
    }


def format_interval(interval: Any, why: Any) -> str:
    """Format an interval, or the reason why there is none."""
    if not interval:
        return sentences.reason_text(why)
    return _("%(low)s to %(high)s") % {
        "low": format_number(interval[0]),
        "high": format_number(interval[1]),
    }


def format_share(share: Any) -> str:
    """Format a share as percent; None becomes a dash."""
    return percent(share, 1)
