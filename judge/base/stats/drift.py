"""A scorer's verdicts beside the known ones: agreement, bias, and the last lines of many sheets."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from judge.base.stats.agreement import agreement_of
from judge.base.stats.numbers import Reason
from judge.base.stats.proportions import wilson

Pair = tuple[bool, bool]  # what the scorer says of a line, what is known of it


@dataclass(frozen=True, slots=True)
class Comparison:
    """Lines with a scorer's and a known verdict.

    Attributes:
        lines: the number of lines.
        agreed: lines with the same verdict.
        lenient: lines that the scorer called TRUE and that are FALSE.
        strict: lines that the scorer called FALSE and that are TRUE.
        kappa: Cohen's κ; None where it is undefined, with the reason in `why_no_kappa`.
    """

    lines: int
    agreed: int
    lenient: int
    strict: int
    kappa: Fraction | None
    why_no_kappa: Reason | None

    @property
    def agreement(self) -> Fraction | None:
        """Return the share of lines with the same verdict; None without a line."""
        return Fraction(self.agreed, self.lines) if self.lines else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return Wilson's 95 % interval of the agreement; None without a line."""
        return wilson(self.agreed, self.lines)

    @property
    def bias(self) -> Fraction | None:
        """Return (lenient − strict) / lines, from −1 to 1: above 0 the scorer is more lenient."""
        return Fraction(self.lenient - self.strict, self.lines) if self.lines else None

    def reaches(self, percent: int) -> bool:
        """Return whether the agreement is at least so many percent; False without a line."""
        return bool(self.lines) and self.agreed * 100 >= percent * self.lines


def compare(pairs: Iterable[Pair]) -> Comparison:
    """Compare a scorer's verdicts with the known ones."""
    counts = Counter(pairs)
    report = agreement_of(
        {frozenset({("scorer", said), ("known", known)}): n for (said, known), n in counts.items()}
    )
    return Comparison(
        lines=sum(counts.values()),
        agreed=counts[True, True] + counts[False, False],
        lenient=counts[True, False],
        strict=counts[False, True],
        kappa=report.kappa,
        why_no_kappa=report.why.get("kappa"),
    )


def last_lines(sheets: Sequence[Sequence[Pair]], n: int) -> Comparison:
    """Compare the last n lines of sheets in the order of time; fewer if there are not so many."""
    lines = [pair for sheet in sheets for pair in sheet]
    return compare(lines[max(0, len(lines) - n) :])
