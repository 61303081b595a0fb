"""CDR at the level of preferences: does the judge order responses as the experts do?

It counts, within each task, the unordered pairs of responses for which the experts have a strict
preference: A agree, D reversed, T tied by the judge, U without a judge score. Pairs that the
experts tie are H0 and do not count.

    CDR = (A - D) / (A + D + T + U)

A tie or a missing score of the judge thus costs the agreement it could have had, without counting
as a reversal. The anchor's own response must not be among the responses.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from judge.base.stats import bootstrap
from judge.base.stats.numbers import (
    Interval,
    Number,
    Reason,
    TaskId,
    as_float,
    as_list,
    as_reasons,
    comparable,
    plain,
    reasons,
)

Count = int | Fraction


@dataclass(frozen=True, slots=True)
class PairCounts:
    """The counts A, D, T, U and H0; whole numbers unless split votes make them fractions."""

    agree: Count = 0
    reversed: Count = 0
    judge_ties: Count = 0
    missing: Count = 0
    expert_ties: Count = 0

    @property
    def strict(self) -> Count:
        """Return the number of pairs with a strict preference of the experts."""
        return self.agree + self.reversed + self.judge_ties + self.missing

    @property
    def cdr(self) -> Fraction | None:
        return Fraction(self.agree - self.reversed) / self.strict if self.strict else None

    def __add__(self, other: "PairCounts") -> "PairCounts":
        return PairCounts(
            self.agree + other.agree,
            self.reversed + other.reversed,
            self.judge_ties + other.judge_ties,
            self.missing + other.missing,
            self.expert_ties + other.expert_ties,
        )


class VotedPair(NamedTuple):
    """Two responses that experts compared directly instead of scoring each.

    A vote is 1 for the first response, -1 for the second, 0 for a tie. `first` and `second` are
    the judge's scores; None if missing.
    """

    votes: Sequence[int]
    first: Number | None
    second: Number | None


@dataclass(frozen=True, slots=True)
class PreferenceReport:
    """The statistics at the level of preferences; `tasks` counts those with a strict pair."""

    counts: PairCounts
    by_task: Mapping[TaskId, PairCounts]
    tasks: int
    cdr_micro: Fraction | None
    cdr_macro: Fraction | None
    coverage: Fraction | None
    ci95: Interval | None
    macro_ci95: Interval | None
    why: Mapping[str, Reason]

    @property
    def accuracy(self) -> Fraction | None:
        """The share of strict pairs in the experts' order, pooled; a tie or a gap is wrong."""
        return Fraction(self.counts.agree) / self.counts.strict if self.counts.strict else None

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON, by the names of `alignment --json`."""
        return {
            "cdr_micro": as_float(self.cdr_micro),
            "cdr_macro": as_float(self.cdr_macro),
            "accuracy": as_float(self.accuracy),
            "ci95": as_list(self.ci95),
            "macro_ci95": as_list(self.macro_ci95),
            "agree": plain(self.counts.agree),
            "reversed": plain(self.counts.reversed),
            "judge_ties": plain(self.counts.judge_ties),
            "missing": plain(self.counts.missing),
            "expert_ties": plain(self.counts.expert_ties),
            "coverage": as_float(self.coverage),
            "tasks": self.tasks,
            "why": as_reasons(self.why),
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """The CDR of one judge minus that of another on their common tasks, paired by task."""

    cdr_micro: Fraction | None
    ci95: Interval | None
    tasks: int
    why: Mapping[str, Reason]

    def as_dict(self) -> dict[str, Any]:
        return {
            "cdr_micro": as_float(self.cdr_micro),
            "ci95": as_list(self.ci95),
            "tasks": self.tasks,
            "why": as_reasons(self.why),
        }


def count_pairs(responses: Sequence[tuple[Number, Number | None]]) -> PairCounts:
    """Count the pairs of one task.

    Scores are compared exactly, floats to 12 significant digits (see `numbers.comparable`). The
    two scorers may use different scales.

    Args:
        responses: (expert score, judge score or None) of each response.

    Raises:
        ValueError: a score is not finite, or an expert score is missing.
    """
    experts = comparable(expert for expert, _ in responses)
    judges = comparable(judge for _, judge in responses)
    if any(expert is None for expert in experts):
        raise ValueError("a response without an expert score takes no part in any pair")
    agree = reversals = ties = missing = expert_ties = 0
    ranked = zip(_ranks(experts), _ranks(judges), strict=True)
    for (expert, judge), (other_expert, other_judge) in itertools.combinations(ranked, 2):
        if expert == other_expert:
            expert_ties += 1
        elif judge is None or other_judge is None:
            missing += 1
        elif judge == other_judge:
            ties += 1
        elif (expert < other_expert) == (judge < other_judge):  # type: ignore[operator]
            agree += 1
        else:
            reversals += 1
    return PairCounts(agree, reversals, ties, missing, expert_ties)


def count_votes(pairs: Iterable[VotedPair]) -> PairCounts:
    """Count the directly compared pairs of one task; each counts 1, split over its strict votes.

    With two votes for the first response and one for the second, a judge that prefers the first
    agrees by 2/3 and reverses by 1/3. A pair with only tied votes is an expert tie; a pair
    without votes does not count.

    Raises:
        ValueError: a vote is not -1, 0 or 1.
    """
    total = PairCounts()
    for pair in pairs:
        total += _count_vote(pair)
    return total


def preference(
    tasks: Mapping[TaskId, Sequence[tuple[Number, Number | None]]],
    *,
    seed: int = 0,
    resamples: int = bootstrap.RESAMPLES,
) -> PreferenceReport:
    """Compute the report over scored responses.

    Args:
        tasks: task id -> (expert score, judge score or None) of each response.
    """
    counts = {task: count_pairs(responses) for task, responses in tasks.items()}
    return summarise(counts, seed=seed, resamples=resamples)


def summarise(
    counts: Mapping[TaskId, PairCounts], *, seed: int = 0, resamples: int = bootstrap.RESAMPLES
) -> PreferenceReport:
    """Compute the report from the counts of each task (`count_pairs`, `count_votes`).

    Micro pools all pairs; macro is the mean over tasks with a strict pair. `ci95` is the interval
    of micro and `macro_ci95` that of macro, both from the same draws of tasks.
    """
    total = sum(counts.values(), PairCounts())
    ratios = [cdr for count in counts.values() if (cdr := count.cdr) is not None]
    if not ratios:
        undefined = ("cdr_micro", "cdr_macro", "accuracy", "coverage", "ci95", "macro_ci95")
        missing = dict.fromkeys(undefined, Reason.NO_PAIRS)
        return PreferenceReport(total, dict(counts), 0, None, None, None, None, None, missing)
    (ci95, reason), (macro_ci95, macro_reason) = bootstrap.ratio_intervals(
        {
            task: (
                (float(count.agree - count.reversed), float(count.strict)),
                (0.0, 0.0) if (cdr := count.cdr) is None else (float(cdr), 1.0),
            )
            for task, count in counts.items()
        },
        seed=seed,
        resamples=resamples,
        span=(-1.0, 1.0),
    )
    return PreferenceReport(
        counts=total,
        by_task=dict(counts),
        tasks=len(ratios),
        cdr_micro=total.cdr,
        cdr_macro=sum(ratios, Fraction(0)) / len(ratios),
        coverage=Fraction(total.strict - total.missing) / total.strict,
        ci95=ci95,
        macro_ci95=macro_ci95,
        why=reasons({"ci95": reason, "macro_ci95": macro_reason}),
    )


def difference(
    first: PreferenceReport,
    second: PreferenceReport,
    *,
    seed: int = 0,
    resamples: int = bootstrap.RESAMPLES,
) -> Difference:
    """Compare two judges on the tasks that both reports have, by paired bootstrap.

    Both have to be measured against the same expert scores of the same responses; a response
    that a judge did not judge has None as its score.

    Raises:
        ValueError: the experts' pairs of a task differ between the reports.
    """
    common = first.by_task.keys() & second.by_task.keys()
    for task in common:
        one, two = first.by_task[task], second.by_task[task]
        if (one.strict, one.expert_ties) != (two.strict, two.expert_ties):
            raise ValueError(f"the two judges were not measured on the same pairs of task {task}")
    ours = {task: first.by_task[task] for task in common}
    theirs = {task: second.by_task[task] for task in common}
    one, two = sum(ours.values(), PairCounts()), sum(theirs.values(), PairCounts())
    if one.cdr is None or two.cdr is None:
        why = Reason.NO_PAIRS if common else Reason.NO_COMMON_TASKS
        return Difference(None, None, 0, {"cdr_micro": why, "ci95": why})
    tasks = sum(1 for count in ours.values() if count.strict)
    ci95, reason = bootstrap.difference_interval(
        _ratios(ours), _ratios(theirs), seed=seed, resamples=resamples, most=2.0
    )
    return Difference(one.cdr - two.cdr, ci95, tasks, reasons({"ci95": reason}))


def _ranks(column: Sequence[Number | None]) -> list[int | None]:
    # Comparing exact fractions is slow, so it is done once per score instead of once per pair.
    order = {value: rank for rank, value in enumerate(sorted({v for v in column if v is not None}))}
    return [None if value is None else order[value] for value in column]


def _count_vote(pair: VotedPair) -> PairCounts:
    if any(vote not in (-1, 0, 1) for vote in pair.votes):
        raise ValueError("a vote is 1 for the first response, -1 for the second, or 0")
    strict = [vote for vote in pair.votes if vote]
    if not strict:
        return PairCounts(expert_ties=1 if len(pair.votes) else 0)
    first, second = comparable((pair.first, pair.second))
    if first is None or second is None:
        return PairCounts(missing=1)
    if first == second:
        return PairCounts(judge_ties=1)
    for_first = Fraction(strict.count(1), len(strict))
    with_judge = for_first if first > second else 1 - for_first
    return PairCounts(agree=with_judge, reversed=1 - with_judge)


def _ratios(counts: Mapping[TaskId, PairCounts]) -> dict[TaskId, tuple[float, float]]:
    return {
        task: (float(count.agree - count.reversed), float(count.strict))
        for task, count in counts.items()
    }
