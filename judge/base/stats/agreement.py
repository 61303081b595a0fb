"""Agreement among experts, which is the upper limit for any judge.

A unit is what several raters labelled, usually one criterion of one response: a mapping of rater
to label, None where the rater gave none. The order of raters and units does not matter.

Alpha: K. Krippendorff, Content Analysis (3rd ed., 2013), ch. 12, nominal metric, missing data.
"""

import itertools
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from judge.base.stats.numbers import Reason, as_float, as_reasons

Label = Hashable
Unit = Mapping[Hashable, Label | None]
Pattern = frozenset[tuple[Hashable, Label | None]]  # (rater, label) pairs of a unit


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """Agreement measures; a measure that is None has its reason in `why`.

    Attributes:
        units: units with at least two labels.
        raters: raters who gave at least one label.
    """

    units: int
    raters: int
    percent: Fraction | None
    kappa: Fraction | None
    alpha: Fraction | None
    why: Mapping[str, Reason]

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON; `percent` is from 0 to 100."""
        return {
            "percent": None if self.percent is None else float(100 * self.percent),
            "kappa": as_float(self.kappa),
            "alpha": as_float(self.alpha),
            "units": self.units,
            "raters": self.raters,
            "why": as_reasons(self.why),
        }


def agreement(units: Iterable[Unit], *, nothing: Reason = Reason.NO_OVERLAP) -> AgreementReport:
    """Compute pairwise agreement, Cohen's kappa (two raters only) and Krippendorff's alpha.

    Args:
        nothing: why nothing is known if no unit has two labels.
    """
    # Few distinct patterns of labels occur, each many times, so they are counted first.
    patterns = Counter(frozenset(unit.items()) for unit in units)
    return agreement_of(patterns, nothing=nothing)


def agreement_of(
    patterns: Mapping[Pattern, int], *, nothing: Reason = Reason.NO_OVERLAP
) -> AgreementReport:
    """Compute the same as `agreement` from the number of units of each pattern."""
    given: Counter[Pattern] = Counter()
    for pattern, times in patterns.items():
        given[frozenset(entry for entry in pattern if entry[1] is not None)] += times
    raters = {rater for pattern in given for rater, _ in pattern}
    compared = {pattern: times for pattern, times in given.items() if len(pattern) > 1}
    if not compared:
        why = dict.fromkeys(("percent", "kappa", "alpha"), nothing)
        return AgreementReport(0, len(raters), None, None, None, why)
    why = {}
    kappa = None
    if len(raters) != 2:
        why["kappa"] = Reason.NOT_TWO_RATERS
    elif (kappa := _cohen_kappa(compared)) is None:
        why["kappa"] = Reason.ONE_CLASS
    profiles: Counter[_Profile] = Counter()
    for pattern, times in compared.items():
        profiles[frozenset(Counter(label for _, label in pattern).items())] += times
    alpha = _alpha(profiles)
    if alpha is None:
        why["alpha"] = Reason.ONE_CLASS
    units_counted = sum(compared.values())
    return AgreementReport(units_counted, len(raters), _percent(profiles), kappa, alpha, why)


_Profile = frozenset[tuple[Label, int]]  # how many raters gave each label to a unit


def _percent(profiles: Mapping[_Profile, int]) -> Fraction:
    """Return the share of agreeing pairs of raters, pooled over units."""
    agree = pairs = 0
    for profile, units in profiles.items():
        raters = sum(count for _, count in profile)
        agree += units * sum(count * (count - 1) for _, count in profile)
        pairs += units * raters * (raters - 1)
    return Fraction(agree, pairs)


def _cohen_kappa(patterns: Mapping[Pattern, int]) -> Fraction | None:
    """Return the kappa of two raters; None if both give the same single label throughout."""
    agree = total = 0
    marginals: dict[Hashable, Counter[Label]] = {}
    for pattern, times in patterns.items():
        total += times
        agree += times * (len({label for _, label in pattern}) == 1)
        for rater, label in pattern:
            marginals.setdefault(rater, Counter())[label] += times
    first, second = marginals.values()
    chance = Fraction(sum(first[label] * second[label] for label in first), total * total)
    return None if chance == 1 else (Fraction(agree, total) - chance) / (1 - chance)


def _alpha(profiles: Mapping[_Profile, int]) -> Fraction | None:
    """Return 1 - observed / expected disagreement; None if only one label occurs."""
    disagreement = Fraction(0)
    labels: Counter[Label] = Counter()
    for profile, units in profiles.items():
        raters = sum(count for _, count in profile)
        different = raters * raters - sum(count * count for _, count in profile)
        disagreement += Fraction(units * different, raters - 1)
        for label, count in profile:
            labels[label] += units * count
    values = labels.total()
    expected = sum(2 * a * b for a, b in itertools.combinations(labels.values(), 2))
    if expected == 0:
        return None
    return 1 - disagreement * (values - 1) / expected
