"""What the comparison of two judges gives: figures with their differences, and kinds of changes.

Pages import this; `judge.base.stats.paired`, which computes it, loads numpy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from judge.base.stats.numbers import Interval, Reason, as_float, as_list, as_reasons


class Outcome(StrEnum):
    """What a paired difference says."""

    BETTER = "better"  # the second, and by more than chance explains
    WORSE = "worse"
    SAME = "same"  # nothing differs
    UNKNOWN = "unknown"  # chance may explain the difference, or it has no interval


@dataclass(frozen=True, slots=True)
class PairedFigure:
    """One figure of both judges and its difference; a None has its reason in `why`.

    Attributes:
        tasks: those the interval rests on.
    """

    first: Fraction | None
    second: Fraction | None
    difference: Fraction | None
    ci95: Interval | None
    tasks: int
    why: Mapping[str, Reason]

    @property
    def outcome(self) -> Outcome:
        """What the interval says."""
        if self.ci95 is None:
            nothing = not self.difference and self.why.get("ci95") is Reason.NO_SPREAD
            return Outcome.SAME if nothing else Outcome.UNKNOWN
        low, high = self.ci95
        if low > 0:
            return Outcome.BETTER
        return Outcome.WORSE if high < 0 else Outcome.UNKNOWN

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON."""
        return {
            "first": as_float(self.first),
            "second": as_float(self.second),
            "difference": as_float(self.difference),
            "ci95": as_list(self.ci95),
            "tasks": self.tasks,
            "outcome": self.outcome.value,
            "why": as_reasons(self.why),
        }


@dataclass(frozen=True, slots=True)
class PairedLines:
    """Two judges compared on lines: the share on which each agrees with the experts, and J."""

    cells: int
    agreement: PairedFigure
    j: PairedFigure


class ChangeKind(StrEnum):
    """What became of a verdict that differs between two judges, measured by the experts."""

    FIXED = "fixed"  # the second is right, the first was not
    BROKEN = "broken"  # the first was right, the second is not
    NEITHER = "neither"  # neither is right, or the experts are divided


def kind_of_change(expert: bool | None, first: bool | None, second: bool | None) -> ChangeKind:
    """Classify a verdict that changed. A line without a verdict is never right.

    Args:
        expert: the verdict of most experts; None if they are divided.

    Raises:
        ValueError: nothing changed.
    """
    if first == second:
        raise ValueError("the two verdicts are the same")
    if expert is not None and second == expert:
        return ChangeKind.FIXED
    if expert is not None and first == expert:
        return ChangeKind.BROKEN
    return ChangeKind.NEITHER
