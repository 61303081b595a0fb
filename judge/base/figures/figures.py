"""Figures of an alignment report as text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from curation.base.text.wording import percent
from judge.base.figures import sentences
from judge.base.stats.numbers import Reason


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


def format_with_interval(value: Any, interval: Any, why: Mapping[str, Reason], name: str) -> str:
    """Format a value with its interval, or with the reason why one is missing.

    Args:
        name: of the value in `why`; its interval is there as `<name>_ci95`, or as `ci95`.
    """
    if value is None:
        return format_number(value, why.get(name))
    if not interval:
        return _("%(value)s (no interval: %(why)s)") % {
            "value": format_number(value),
            "why": sentences.reason_text(why.get(f"{name}_ci95") or why.get("ci95")),
        }
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
