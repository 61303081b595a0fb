"""The score of a response: S = sum(w * x) / sum(w), in exact integers.

A score exists only over a complete set of verdicts. A line without a met or unmet verdict does
not count as FALSE: the score is `None`, and the coverage says how much was judged.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

State = Literal["met", "unmet", "abstained", "failed"]
Undefined = Literal["no lines", "incomplete", "no weight"]

_STATES = frozenset({"met", "unmet", "abstained", "failed", None})
_IMPORTANCE_ORDER = {"essential": 0, "important": 1, "optional": 2}


class Line(NamedTuple):
    """A line with a scorer's or judge's verdict. `state` None: no verdict yet."""

    weight: int
    importance: str
    dimension: str
    state: State | None


@dataclass(frozen=True, slots=True)
class Score:
    """S as `numerator / denominator`, with the counts behind its coverage.

    `numerator` is the weight of the lines met, None while any verdict is missing; `denominator` is
    the weight of all lines, judged or not.
    """

    numerator: int | None
    denominator: int
    lines: int
    judged: int
    abstained: int
    failed: int
    pending: int

    @property
    def fraction(self) -> Fraction | None:
        """S in 0..1, exact; None where undefined (see `why`)."""
        if self.numerator is None or self.denominator == 0:
            return None
        return Fraction(self.numerator, self.denominator)

    @property
    def percent(self) -> float | None:
        """S in points of 100; None where undefined."""
        fraction = self.fraction
        return None if fraction is None else float(100 * fraction)

    @property
    def coverage(self) -> Fraction | None:
        """Share of the lines with a verdict met or unmet, 0 to 1; None without lines."""
        return Fraction(self.judged, self.lines) if self.lines else None

    @property
    def complete(self) -> bool:
        return self.judged == self.lines

    @property
    def why(self) -> Undefined | None:
        """Why there is no score; None where there is one."""
        if self.lines == 0:
            return "no lines"
        if not self.complete:
            return "incomplete"
        return "no weight" if self.denominator == 0 else None


def score(lines: Iterable[Line]) -> Score:
    """Score one response over all lines of its rubric version.

    A weight of 0 counts in the coverage but not in S.

    Raises:
        ValueError: a weight is not a whole number of at least 0, or a state is unknown.
    """
    states: Counter[State | None] = Counter()
    met = total = 0
    for line in lines:
        _check(line)
        states[line.state] += 1
        total += line.weight
        if line.state == "met":
            met += line.weight
    judged = states["met"] + states["unmet"]
    count = states.total()
    return Score(
        numerator=met if judged == count else None,
        denominator=total,
        lines=count,
        judged=judged,
        abstained=states["abstained"],
        failed=states["failed"],
        pending=states[None],
    )


def score_by_dimension(lines: Iterable[Line]) -> dict[str, Score]:
    """Return one score per dimension present, in alphabetical order of the keys.

    A dimension whose lines are all judged has a score even where the whole rubric has none.
    """
    return _grouped(lines, key=lambda line: line.dimension, order=lambda name: (0, name))


def score_by_importance(lines: Iterable[Line]) -> dict[str, Score]:
    """Return one score per importance class present: essential, important, optional."""
    return _grouped(
        lines,
        key=lambda line: line.importance,
        order=lambda name: (_IMPORTANCE_ORDER.get(name, len(_IMPORTANCE_ORDER)), name),
    )


def mean(scores: Iterable[Score]) -> Fraction | None:
    """Return the mean S of the complete sheets on one response; None if no sheet is complete."""
    fractions = [s.fraction for s in scores if s.fraction is not None]
    return sum(fractions, Fraction(0)) / len(fractions) if fractions else None


def _grouped(
    lines: Iterable[Line], *, key: Callable[[Line], str], order: Callable[[str], tuple[int, str]]
) -> dict[str, Score]:
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(key(line), []).append(line)
    return {name: score(groups[name]) for name in sorted(groups, key=order)}


def _check(line: Line) -> None:
    if not isinstance(line.weight, int) or isinstance(line.weight, bool) or line.weight < 0:
        raise ValueError(f"a weight is a whole number of at least 0, not {line.weight!r}")
    if line.state not in _STATES:
        raise ValueError(f"unknown state of a verdict: {line.state!r}")
