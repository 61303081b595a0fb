"""The share of models that are right on a task, and the answer that the others agree on.

Sources: xbench-DeepSearch, difficulty distribution (a task's difficulty is the share of the models
that solve it) and quality control (above 80 % the task is dropped; below 10 %, or where most models
agree on another answer, the answer may be wrong). Where the paper leaves a hole:

- A model with several answers to a task counts with the share of them that is right, so that every
  model counts once.
- "Most models" are more than half of those that answered, also by shares of answers.
- The limits themselves are fair: 80 % exactly is not dropped, 10 % exactly is not looked at again.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class Finding(StrEnum):
    """What the share of models says of a task."""

    EASY = "easy"  # proposed to be dropped
    FEW_RIGHT = "few_right"  # a second look
    OTHER_ANSWER = "other_answer"  # a second look
    FAIR = "fair"
    UNKNOWN = "unknown"  # too few models


@dataclass(frozen=True, slots=True)
class Limits:
    """When something is said of a task; shares in per cent.

    Attributes:
        models: the fewest models with a scored answer.
        drop: above this share of models that are right, the task is too easy.
        look: below this share, its answer is looked at again.
        agree: above this share of models with one and the same other answer, likewise.
    """

    models: int = 5
    drop: int = 80
    look: int = 10
    agree: int = 50


@dataclass(frozen=True, slots=True)
class Answer:
    """One scored answer of a model.

    Attributes:
        right: whether the judge found it right.
        said: the extracted answer, in one spelling; "" where none was found.
    """

    model: str
    right: bool
    said: str = ""


@dataclass(frozen=True, slots=True)
class TaskShare:
    """What models made of one task.

    Attributes:
        models: how many have a scored answer.
        right: the share of them that is right; None without any.
        other: the most frequent answer that was not found right; "" where there is none.
        other_share: the share of models that gave it.
    """

    models: int
    right: Fraction | None
    other: str
    other_share: Fraction
    finding: Finding


def share_of(answers: Sequence[Answer], limits: Limits) -> TaskShare:
    """Return the share of models that are right on one task.

    Args:
        answers: the scored answers of all models; answers without a score are left out before.
    """
    by_model: dict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        by_model[answer.model].append(answer)
    n = len(by_model)
    if not n:
        return TaskShare(0, None, "", Fraction(0), Finding.UNKNOWN)
    right = Fraction(0)
    others: dict[str, Fraction] = defaultdict(Fraction)
    for own in by_model.values():
        each = Fraction(1, len(own) * n)
        for answer in own:
            if answer.right:
                right += each
            elif answer.said:
                others[answer.said] += each
    # Of equally frequent ones the first in the alphabet, so that the order of answers is no matter.
    other = min(others, key=lambda said: (-others[said], said), default="")
    most = others[other] if other else Fraction(0)
    return TaskShare(n, right, other, most, _finding(n, right, most, limits))


def _finding(models: int, right: Fraction, other: Fraction, limits: Limits) -> Finding:
    if models < limits.models:
        return Finding.UNKNOWN
    if right * 100 > limits.drop:
        return Finding.EASY
    if other * 100 > limits.agree:
        return Finding.OTHER_ANSWER
    if right * 100 < limits.look:
        return Finding.FEW_RIGHT
    return Finding.FAIR


def histogram(shares: Sequence[Fraction], bins: int = 10) -> list[int]:
    """Return how many shares fall into each of equally wide bins from 0 to 1.

    A share on a border belongs to the bin above it, except 1, which belongs to the last.
    """
    counts = [0] * bins
    for share in shares:
        counts[min(bins - 1, int(share * bins))] += 1
    return counts


def mean_of(shares: Sequence[Fraction]) -> Fraction | None:
    """Return the mean of shares; None of none."""
    return sum(shares, Fraction(0)) / len(shares) if shares else None
