"""The alignment report: agreement with the experts in three views, and what may rest on it."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from curation.errors import BadInput
from judge.alignment.gather import (
    Experts,
    Judged,
    gather_experts,
    gather_judge,
)
from judge.alignment.measuring import Cells, marks_of, pairs_by_task
from judge.alignment.raters import check_experts, find_rater
from judge.models import TrustThresholds
from judge.stats.agreement import AgreementReport, agreement
from judge.stats.criterion import CriterionReport, Table, criterion
from judge.stats.numbers import Number, TaskId
from judge.stats.preference import (
    Difference,
    PreferenceReport,
    difference,
    summarise,
)
from judge.stats.scores import ScoreReport, scores
from judge.stats.trust import Finding, Trust, assess

MOST_RESAMPLES = 100_000
UNKNOWN_HOUSE = "other"  # of candidates whose name does not tell where they come from

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Measures:
    """A judge against the experts, over some responses. `preference` is None for groups of lines.

    A pair of responses belongs to no single dimension, importance or house.
    """

    preference: PreferenceReport | None
    criterion: CriterionReport
    score: ScoreReport | None

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers for JSON."""
        parts = {"criterion": self.criterion.as_dict()}
        if self.preference is not None:
            parts = {"preference": self.preference.as_dict(), **parts}
        if self.score is not None:
            parts["score"] = self.score.as_dict()
        return parts


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judge, measured overall and by group."""

    judged: Judged
    overall: Measures
    by_domain: Mapping[str, Measures]
    by_dimension: Mapping[str, Measures]
    by_importance: Mapping[str, Measures]
    by_family: Mapping[str, Measures]
    ranking: Mapping[str, Finding]  # per domain

    def as_dict(self) -> dict[str, Any]:
        """The contract's names; within a domain also whether the judge may rank there."""
        assert self.overall.preference is not None
        assert self.overall.score is not None
        own = self.judged.rater.family
        return {
            "preference": self.overall.preference.as_dict(),
            "criterion": self.overall.criterion.as_dict(),
            "score": self.overall.score.as_dict(),
            "by": {
                "domain": {
                    name: {**group.as_dict(), "may_rank": self.ranking[name].answer}
                    for name, group in self.by_domain.items()
                },
                "dimension": {name: group.as_dict() for name, group in self.by_dimension.items()},
                "importance": {name: group.as_dict() for name, group in self.by_importance.items()},
                "judge_family": {
                    name: {**group.as_dict(), "own": bool(own) and name == own}
                    for name, group in self.by_family.items()
                },
            },
        }


@dataclass(frozen=True, slots=True)
class Alignment:
    """The whole report. `points` are (response, expert S, judge S or None), for the scatter."""

    judge: Judgement
    compare: Judgement | None
    difference: Difference | None
    experts: Experts
    named: str | None
    ceiling: AgreementReport
    trust: Trust
    bootstrap: int
    seed: int

    @property
    def points(self) -> list[tuple[int, Number, Number | None]]:
        judged = self.judge.judged.scores
        return [
            (response, self.experts.scores[response], judged.get(response))
            for response in sorted(self.experts.lined)
        ]

    def as_dict(self) -> dict[str, Any]:
        """What `alignment --json` prints."""
        answer: dict[str, Any] = {
            "judge": self.judge.judged.rater.name,
            "experts": self.named or "all",
            "raters": list(self.experts.raters),
            **self.judge.as_dict(),
            "expert_agreement": self.ceiling.as_dict(),
            "trust": {
                "ranking": _finding(self.trust.ranking),
                "better_than_zero_shot": _finding(self.trust.better_than_zero_shot),
                "single_answers": _finding(self.trust.single_answers),
            },
            "bootstrap": self.bootstrap,
            "seed": self.seed,
        }
        if self.compare is not None and self.difference is not None:
            answer["compare"] = {
                "judge": self.compare.judged.rater.name,
                **self.compare.as_dict(),
                "difference": self.difference.as_dict(),
            }
        return answer


def report(
    judge: str,
    experts: str | None = None,
    compare: str | None = None,
    bootstrap: int = 10_000,
    seed: int = 0,
) -> dict[str, Any]:
    """`align` as plain data, under the names of `alignment --json`."""
    return align(judge, experts, compare, bootstrap, seed).as_dict()


def align(
    judge: str,
    experts: str | None = None,
    compare: str | None = None,
    bootstrap: int = 10_000,
    seed: int = 0,
) -> Alignment:
    """Measure a judge against the experts, and against another judge on the same responses.

    Args:
        judge, compare: the number of a run, or the name of a rater.
        experts: the name of an expert rater; None for all of them.
        bootstrap: number of resamples of tasks; 0 for no intervals.
        seed: of the resampling.

    Raises:
        BadInput: an unknown rater or run (naming those there are), or a number out of range.
    """
    if not 0 <= bootstrap <= MOST_RESAMPLES:
        raise BadInput(
            _("The number of resamples lies between 0 and %(most)s.") % {"most": MOST_RESAMPLES},
            fields={"bootstrap": [_("Choose another number.")]},
        )
    if not 0 <= seed < 2**63:
        raise BadInput(
            _("A seed is a whole number of at least 0."),
            fields={"seed": [_("Choose another number.")]},
        )
    rater = find_rater(judge)
    other = find_rater(compare, field="compare") if compare else None
    named = check_experts(experts) if experts else None
    truth = gather_experts(rater, named, other)
    first = _measure(gather_judge(rater, truth), truth, bootstrap, seed, None)
    second = gap = None
    if other is not None:
        judged = gather_judge(other, truth)
        second = _measure(judged, truth, bootstrap, seed, _tasks_asked(judged, truth))
        assert first.overall.preference is not None
        assert second.overall.preference is not None
        gap = difference(
            first.overall.preference, second.overall.preference, seed=seed, resamples=bootstrap
        )
    return Alignment(
        judge=first,
        compare=second,
        difference=gap,
        experts=truth,
        named=named,
        ceiling=_ceiling(truth),
        trust=_trust(first.overall, gap),
        bootstrap=bootstrap,
        seed=seed,
    )


# -- one judge ------------------------------------------------------------------------------------


def _tasks_asked(judged: Judged, truth: Experts) -> frozenset[int]:
    """The tasks a judge was asked about at all; elsewhere it cannot be compared."""
    if judged.asked is not None:
        responses = judged.asked & truth.responses.keys()
    else:
        responses = frozenset(judged.scores) | {response for response, _c in judged.verdicts}
    return frozenset(truth.responses[response].task_id for response in responses)


def _measure(
    judged: Judged, truth: Experts, resamples: int, seed: int, tasks: frozenset[int] | None
) -> Judgement:
    rows = truth.responses
    inside = {response for response, row in rows.items() if tasks is None or row.task_id in tasks}
    pairs = pairs_by_task(judged, truth, inside)
    cells = Cells(judged, truth, inside)
    marks = marks_of(judged, truth, inside)
    domain_of: dict[TaskId, str] = {row.task: row.domain for row in rows.values()}

    overall = Measures(
        summarise(pairs, seed=seed, resamples=resamples),
        cells.table.report(seed=seed, resamples=resamples),
        scores((expert, judge) for _, expert, judge in marks),
    )
    pairs_in = _grouped(pairs.items(), lambda item: domain_of[item[0]])
    cells_in = cells.by_response(lambda response: rows[response].domain)
    marks_in = _grouped(marks, lambda mark: rows[mark[0]].domain)
    by_domain = {
        name: Measures(
            summarise(dict(pairs_in.get(name, ())), seed=seed, resamples=resamples),
            cells_in[name].report(seed=seed, resamples=resamples)
            if name in cells_in
            else criterion(()),
            scores((expert, judge) for _, expert, judge in marks_in.get(name, ())),
        )
        for name in sorted(pairs_in.keys() | cells_in.keys())
    }
    # Beside these groups the page shows no interval: one less in the time a person waits.
    marks_by_house = _grouped(marks, lambda mark: rows[mark[0]].family or UNKNOWN_HOUSE)
    by_family = {
        name: Measures(
            None,
            table.report(resamples=0),
            scores((expert, judge) for _, expert, judge in marks_by_house.get(name, ())),
        )
        for name, table in cells.by_response(
            lambda response: rows[response].family or UNKNOWN_HOUSE
        ).items()
    }
    limits = TrustThresholds.current()
    return Judgement(
        judged=judged,
        overall=overall,
        by_domain=by_domain,
        by_dimension=_without_pairs(cells.by_line(lambda line: truth.lines[line].dimension)),
        by_importance=_without_pairs(cells.by_line(lambda line: truth.lines[line].importance)),
        by_family=by_family,
        ranking={
            name: assess(group.preference, group.criterion, group.score, thresholds=limits).ranking
            for name, group in by_domain.items()
            if group.preference is not None and group.score is not None
        },
    )


def _without_pairs(tables: Mapping[str, Table]) -> dict[str, Measures]:
    return {name: Measures(None, table.report(resamples=0), None) for name, table in tables.items()}


def _grouped(rows: Iterable[T], key: Callable[[T], str]) -> dict[str, list[T]]:
    groups: dict[str, list[T]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


# -- what may rest on it --------------------------------------------------------------------------


def _trust(overall: Measures, gap: Difference | None) -> Trust:
    assert overall.preference is not None
    assert overall.score is not None
    return assess(
        overall.preference,
        overall.criterion,
        overall.score,
        difference=gap,
        thresholds=TrustThresholds.current(),
    )


def _ceiling(truth: Experts) -> AgreementReport:
    """How far experts agree among themselves on the lines that several of them marked."""
    sheets: dict[int, set[int]] = defaultdict(set)
    for sheet, response, _line, _met in truth.labels:
        sheets[response].add(sheet)
    units: dict[tuple[int, int], dict[Hashable, int]] = defaultdict(dict)
    for sheet, response, line, met in truth.labels:
        if len(sheets[response]) > 1:
            units[response, line][truth.rater_of[sheet]] = met
    return agreement(units.values())


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "answer": finding.answer,
        "more_tasks": finding.more_tasks,
        "expected": finding.expected,
        "checks": [
            {
                "name": check.name.value,
                "passed": check.passed,
                "required": check.required,
                "actual": check.actual,
                "shortfall": check.shortfall,
                "why": check.why.value if check.why else None,
            }
            for check in finding.checks
        ],
    }
