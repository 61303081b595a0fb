"""From the coverage of a gold list to a grade, by a table; nothing of it is asked of a model. Pure.

The source (xbench, table 12) names coverages for its grades: 2 at 50 %, 3 at 85 %, 4 at 95 %, 5 at
100 %. It leaves open what lies between two of them, what comes below 50 %, and how much made-up
content is "unacceptable" or "a small amount". Our reading: a grade needs at least its coverage, so
what lies between two grades has the lower one; below the first it is 1; and the share of invented
entries limits the grade. The figures are a table that staff can change (`models.BandTable`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

LOWEST, HIGHEST = 1, 5


@dataclass(frozen=True, slots=True)
class Bands:
    """A table of bands.

    Attributes:
        coverage: least coverage in percent of the grades 2, 3, 4, 5, rising.
        invented: (percent, grade), rising: where more than so many percent of the counted entries
            are invented, the grade is at most this one.
        number: of the table; 0 for the built-in one.
    """

    coverage: tuple[int, ...] = (50, 85, 95, 100)
    invented: tuple[tuple[int, int], ...] = ((0, 4), (10, 3), (30, 2))
    number: int = 0


@dataclass(frozen=True, slots=True)
class Graded:
    """The grade of a list, with what it follows from.

    `by_coverage` is what the coverage alone gives; `of` how many gold items could be covered.
    """

    grade: int
    by_coverage: int
    covered: int
    of: int
    invented: int
    entries: int


def grade_of(covered: int, of: int, invented: int, entries: int, bands: Bands) -> Graded:
    """Look a grade up.

    Args:
        covered: gold items that the counted entries match.
        of: gold items that could be matched: all of them, or the demanded number if that is less.
        invented: counted entries that are invented, of `entries`.

    Raises:
        ValueError: the numbers contradict each other.
    """
    if not 0 <= covered <= of or of < 1 or not 0 <= invented <= entries:
        raise ValueError("the numbers of a list contradict each other")
    by_coverage = LOWEST + sum(100 * covered >= least * of for least in bands.coverage)
    most = min(
        (grade for percent, grade in bands.invented if 100 * invented > percent * entries),
        default=HIGHEST,
    )
    return Graded(min(by_coverage, most), by_coverage, covered, of, invented, entries)


def problem_with(coverage: Sequence[int], invented: Sequence[Sequence[int]]) -> str:
    """Return what is wrong with a table as a code; "" if it can be used."""
    if len(coverage) != HIGHEST - LOWEST or not all(0 < one <= 100 for one in coverage):
        return "coverage"
    if list(coverage) != sorted(set(coverage)):
        return "rising"
    percents = [percent for percent, _grade in invented]
    grades = [grade for _percent, grade in invented]
    if not all(0 <= percent < 100 for percent in percents) or percents != sorted(set(percents)):
        return "invented"
    if not all(LOWEST <= grade < HIGHEST for grade in grades):
        return "grades"
    return "" if grades == sorted(set(grades), reverse=True) else "falling"
