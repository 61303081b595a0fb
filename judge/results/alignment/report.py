"""The alignment report: a judge's agreement with the experts, and whether to trust it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from judge.base.stats.criterion import CriterionReport, Table, criterion
from judge.base.stats.grades import GradeReport
from judge.base.stats.numbers import Number, TaskId
from judge.base.stats.preference import Difference, PreferenceReport, difference, summarise
from judge.base.stats.reliability import Band, reliability
from judge.base.stats.scores import ScoreReport, scores_by_group
from judge.base.stats.self_preference import SelfPreference, bias_by_task, self_preference
from judge.base.stats.trust import Finding, Trust, assess
from judge.results.alignment.ceiling import Ceiling, ceiling
from judge.results.alignment.gather_experts import gather_experts
from judge.results.alignment.gather_judge import gather_judge
from judge.results.alignment.measuring import (
    Cells,
    grade_ceiling,
    grades_of,
    pairs_by_task,
    score_pairs,
)
from judge.results.alignment.models import TrustThresholds
from judge.results.alignment.outcomes import OutcomePart, find_experts, measure_outcomes
from judge.results.alignment.raters import find_rater
from judge.results.alignment.restrict import restrict_to_domain, restrict_to_set
from judge.results.alignment.rows import UNKNOWN_FAMILY, Experts, JudgeData
from judge.results.alignment.set_coverage import SetCoverage, cover, set_of_report

MOST_RESAMPLES = 100_000

T = TypeVar("T")
ScorePair = tuple[int, float, float | None]  # response, S of the experts, S of the judge


@dataclass(frozen=True, slots=True)
class Measures:
    """A judge measured against the experts over some responses.

    `preference` is None for groups of lines or by family, as a pair of responses belongs to no
    single dimension, importance or family.
    """

    preference: PreferenceReport | None
    criterion: CriterionReport
    score: ScoreReport | None

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON."""
        parts = {"criterion": self.criterion.as_dict()}
        if self.preference is not None:
            parts = {"preference": self.preference.as_dict(), **parts}
        if self.score is not None:
            parts["score"] = self.score.as_dict()
        return parts


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """One judge, measured overall and by group."""

    data: JudgeData
    overall: Measures
    by_domain: Mapping[str, Measures]
    by_dimension: Mapping[str, Measures]
    by_importance: Mapping[str, Measures]
    by_family: Mapping[str, Measures]
    ranking: Mapping[str, Finding]  # per domain
    reliability: tuple[Band, ...]
    self_preference: SelfPreference
    grades: GradeReport | None = None  # None where it gave no grades, or the experts none

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as in the JSON format, with `may_rank` for each domain."""
        assert self.overall.preference is not None
        assert self.overall.score is not None
        own = self.data.rater.family
        return {
            "preference": self.overall.preference.as_dict(),
            "criterion": self.overall.criterion.as_dict(),
            "score": self.overall.score.as_dict(),
            "reliability": [band.as_dict() for band in self.reliability],
            "self_preference": self.self_preference.as_dict(),
            "grades": self.grades.as_dict() if self.grades else None,
            "by": {
                "domain": {
                    name: {
                        **group.as_dict(),
                        "may_rank": self.ranking[name].answer,
                        "more_tasks": self.ranking[name].more_tasks,
                    }
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
    """The whole report."""

    judge: JudgeReport
    compare: JudgeReport | None
    difference: Difference | None
    experts: Experts
    named: str | None
    domain: str | None
    ceiling: Ceiling
    grade_ceiling: GradeReport | None  # of experts among themselves
    trust: Trust
    bootstrap: int
    seed: int
    coverage: SetCoverage
    outcomes: OutcomePart | None = None

    @property
    def points(self) -> list[tuple[int, Number, Number | None]]:
        """(response, expert S, judge S or None), for the scatter plot."""
        judged = self.judge.data.scores
        return [
            (response, self.experts.scores[response], judged.get(response))
            for response in sorted(self.experts.shares)
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return what `alignment --json` prints."""
        answer: dict[str, Any] = {
            "judge": self.judge.data.rater.name,
            "experts": self.named or "all",
            "raters": list(self.experts.raters),
            "flagged_left_out": len(self.experts.flagged),
            "earlier_text_left_out": len(self.experts.stale),
            "domain": self.domain,
            "task_set": self.coverage.as_dict(),
            "held_out": self.coverage.looks.as_dict(),
            **self.judge.as_dict(),
            "expert_agreement": {
                **self.ceiling.as_dict(),
                "grades": self.grade_ceiling.as_dict() if self.grade_ceiling else None,
            },
            "trust": {
                "ranking": _finding(self.trust.ranking),
                "better_than_zero_shot": _finding(self.trust.better_than_zero_shot),
                "single_answers": _finding(self.trust.single_answers),
            },
            "bootstrap": self.bootstrap,
            "seed": self.seed,
        }
        if self.outcomes is not None:
            answer["outcomes"] = self.outcomes.as_dict()
        if self.compare is not None and self.difference is not None:
            answer["compare"] = {
                "judge": self.compare.data.rater.name,
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
    domain: str | None = None,
) -> dict[str, Any]:
    """Return the result of `align` as `alignment --json` prints it."""
    return align(judge, experts, compare, bootstrap, seed, domain).as_dict()


def align(
    judge: str,
    experts: str | None = None,
    compare: str | None = None,
    bootstrap: int = 10_000,
    seed: int = 0,
    domain: str | None = None,
    *,
    with_flagged: bool = False,
    tasks: str | None = None,
) -> Alignment:
    """Measure a judge against the experts, and against another judge on the same responses.

    Args:
        judge, compare: the number of a run, or the name of a rater.
        experts: the name of an expert rater, or of one of real outcomes; None for all of them.
        bootstrap: number of resamples of tasks; 0 for no intervals.
        seed: of the resampling.
        domain: key of the only domain to look at; None for all.
        with_flagged: as in `gather_experts`.
        tasks: name of a set of tasks (judge/base/gold_sets); None for the set a run was planned on.

    Raises:
        BadInput: an unknown rater, run or domain (naming those there are), or a number that is
            out of range.
    """
    if not 0 <= bootstrap <= MOST_RESAMPLES:
        raise BadInput(
            _("The number of resamples must be between 0 and %(most)s.") % {"most": MOST_RESAMPLES},
            fields={"bootstrap": [_("Choose another number.")]},
        )
    if not 0 <= seed < 2**63:
        raise BadInput(
            _("A seed is a whole number of at least 0."),
            fields={"seed": [_("Choose another number.")]},
        )
    rater = find_rater(judge)
    other = find_rater(compare, field="compare") if compare else None
    named, outcome_of = find_experts(experts) if experts else (None, None)
    chosen = set_of_report(rater, tasks)
    truth = gather_experts(rater, named, other, with_flagged=with_flagged)
    if chosen is not None:
        truth = restrict_to_set(truth, chosen)
    if domain:
        truth = restrict_to_domain(truth, domain)
    first = measure(gather_judge(rater, truth), truth, bootstrap, seed)
    second = gap = None
    if other is not None:
        judged = gather_judge(other, truth)
        both = _asked_of(judged, truth)
        second = measure(judged, truth, bootstrap, seed, both)
        assert second.overall.preference is not None
        # Compare both on the same pairs: what one was not asked about is no gap of it.
        ours = summarise(pairs_by_task(first.data, truth, both), resamples=0)
        gap = difference(ours, second.overall.preference, seed=seed, resamples=bootstrap)
    return Alignment(
        judge=first,
        compare=second,
        difference=gap,
        experts=truth,
        named=named,
        domain=domain or None,
        ceiling=ceiling(truth, seed=seed, resamples=bootstrap),
        grade_ceiling=grade_ceiling(truth, seed=seed, resamples=bootstrap),
        trust=_trust(first.overall, gap),
        bootstrap=bootstrap,
        seed=seed,
        coverage=cover(
            rater,
            chosen,
            {row.task_id for row in truth.responses.values()},
            with_sheets=True,
            domain=domain,
        ),
        outcomes=measure_outcomes(
            rater, outcome_of, domain=domain, tasks=chosen, resamples=bootstrap, seed=seed
        ),
    )


# -- one judge ------------------------------------------------------------------------------------


def _asked_of(judged: JudgeData, truth: Experts) -> set[int]:
    """Return the experts' responses that a judge was asked about.

    A rater from outside has no plan: assume that it was asked about all responses to each task it
    said anything about.
    """
    if judged.asked is not None:
        return set(judged.asked & truth.responses.keys())
    said = frozenset(judged.scores) | {response for response, _c in judged.verdicts}
    tasks = {truth.responses[response].task_id for response in said if response in truth.responses}
    return {pk for pk, row in truth.responses.items() if row.task_id in tasks}


def measure(
    judged: JudgeData, truth: Experts, resamples: int, seed: int, only: set[int] | None = None
) -> JudgeReport:
    """Measure a judge against the experts, overall and by group.

    Args:
        only: measure on these of the experts' responses; None for all.
    """
    rows = truth.responses

    def of_task(pairs: Iterable[ScorePair]) -> Iterator[tuple[TaskId, float, float | None]]:
        return ((rows[response].task, expert, judge) for response, expert, judge in pairs)

    inside = set(rows) if only is None else only
    pairs = pairs_by_task(judged, truth, inside)
    cells = Cells(judged, truth, inside)
    scores = score_pairs(judged, truth, inside)
    domain_of: dict[TaskId, str] = {row.task: row.domain for row in rows.values()}

    def bias_of(groups: Mapping[str, Iterable[ScorePair]]) -> dict[str, ScoreReport]:
        known = {name: of_task(group) for name, group in groups.items()}
        return scores_by_group(known, seed=seed, resamples=resamples)

    overall = Measures(
        summarise(pairs, seed=seed, resamples=resamples),
        cells.table.report(seed=seed, resamples=resamples),
        bias_of({"": scores})[""],
    )
    pairs_in = _grouped(pairs.items(), lambda item: domain_of[item[0]])
    cells_in = cells.by_response(lambda response: rows[response].domain)
    scores_in = _grouped(scores, lambda pair: rows[pair[0]].domain)
    by_domain = {
        name: Measures(
            summarise(dict(pairs_in.get(name, ())), seed=seed, resamples=resamples),
            cells_in[name].report(seed=seed, resamples=resamples)
            if name in cells_in
            else criterion(()),
            bias_of({"": scores_in.get(name, ())})[""],
        )
        for name in sorted(pairs_in.keys() | cells_in.keys())
    }
    family_of = {response: row.family or UNKNOWN_FAMILY for response, row in rows.items()}
    scores_of_family = _grouped(scores, lambda pair: family_of[pair[0]])
    lines_of_family = cells.by_response(lambda response: family_of[response])
    biases = bias_of({name: scores_of_family.get(name, ()) for name in lines_of_family})
    by_family = {
        name: Measures(None, table.report(resamples=0), biases[name])
        for name, table in lines_of_family.items()
    }
    limits = TrustThresholds.current()
    own = judged.rater.family
    return JudgeReport(
        data=judged,
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
        reliability=reliability(of_task(scores), seed=seed, resamples=resamples),
        self_preference=self_preference(
            bias_by_task(of_task(s for s in scores if own and rows[s[0]].family == own)),
            bias_by_task(of_task(s for s in scores if own and rows[s[0]].family != own)),
            own,
            seed=seed,
            resamples=resamples,
        ),
        grades=grades_of(judged, truth, inside, seed=seed, resamples=resamples),
    )


def _without_pairs(tables: Mapping[str, Table]) -> dict[str, Measures]:
    return {name: Measures(None, table.report(resamples=0), None) for name, table in tables.items()}


def _grouped(rows: Iterable[T], key: Callable[[T], str]) -> dict[str, list[T]]:
    groups: dict[str, list[T]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


# -- trust ----------------------------------------------------------------------------------------


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
