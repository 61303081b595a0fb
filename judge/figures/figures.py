"""Figures of an alignment report as text, each with a gloss that says what it means."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from curation.text.figures import percent
from judge.figures import sentences


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of figures: both judges' values as text, and a gloss."""

    name: str
    first: str
    second: str
    gloss: str


def shown(value: Any, why: Any = None, places: int = 2) -> str:
    """Two decimals and a real minus sign; a dash with the reason where it is undefined."""
    if value is None:
        return f"– ({sentences.why(why)})" if why else "–"
    text = f"{float(value):.{places}f}"
    return text.replace("-", "−") if float(text) else text.replace("-", "")


def with_interval(value: Any, interval: Any, why: Any = None) -> str:
    """A value with its interval, in words."""
    if value is None or not interval:
        return shown(value, why)
    return _("%(value)s (95 %% interval %(low)s to %(high)s)") % {
        "value": shown(value),
        "low": shown(interval[0]),
        "high": shown(interval[1]),
    }


def span(interval: Any, why: Any) -> str:
    """An interval in words, or why there is none."""
    if not interval:
        return str(sentences.why(why))
    return _("%(low)s to %(high)s") % {"low": shown(interval[0]), "high": shown(interval[1])}


def whole(value: Any) -> str:
    """A count; votes that were split may make it a fraction."""
    return sentences.tally(value)


def share_of(share: Any) -> str:
    """A share as percent; a dash without one."""
    return percent(share, 1)
