"""The leaderboard of a judge: candidates by mean score, with intervals and comparisons.

For staff only: a scorer who still has to score blind must not learn which candidate is good.
"""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from curation.joining.domains.models import Category, Domain
from judge.asking.candidates.earlier_text import LABELS
from judge.base.gold_sets.models import Half
from judge.base.gold_sets.task_sets import EVERY_TASK, TaskSet
from judge.base.stats.numbers import Number, Reason, TaskId, as_list
from judge.methods.base import registry
from judge.methods.base.values import Part
from judge.results.alignment.raters import Rater
from judge.results.alignment.set_coverage import SetCoverage, cover, set_of_report
from judge.results.leaderboard.open_boards import TakenOff, taken_off
from judge.results.leaderboard.overruled import OverruledBoard, OverruledRow, overruled_scores
from judge.results.leaderboard.sources import (
    Groups,
    JudgedResponse,
    category_key,
    responses_of,
    scores_by,
    skipped_by,
)
from judge.runs.pages.method_report import method_report
from rubrics.policy.dimensions import Dimension, Importance

if TYPE_CHECKING:
    from judge.base.stats.bootstrap import Bounds
    from judge.base.stats.leaderboard import Leaderboard, Standing

BY = ("domain", "category", "dimension", "importance")


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """A candidate with its rank and figures.

    `by` maps each group to the mean S in it, None without a score there; `by_ci95` holds the
    intervals, or why there is none. `cost_usd` is the mean price of a response and `latency_s` its
    median time, over the responses where they are known, else None. `gaps` counts responses without
    a score by the code of the reason, `zeros` those that count 0 because there was nothing to
    judge.
    """

    standing: "Standing"
    responses: int
    judged: int
    by: Mapping[str, float | None]
    by_ci95: Mapping[str, "Bounds"]
    cost_usd: float | None
    latency_s: float | None
    gaps: Mapping[str, int]
    zeros: Mapping[str, int]

    @property
    def coverage(self) -> float | None:
        """The share of its responses in the run that have a score."""
        return self.judged / self.responses if self.responses else None

    def as_dict(self) -> dict[str, Any]:
        return {
            **self.standing.as_dict(),
            "responses": self.responses,
            "judged": self.judged,
            "coverage": self.coverage,
            "gaps": dict(self.gaps),
            "zeros": dict(self.zeros),
            "cost_usd": self.cost_usd,
            "latency_s": self.latency_s,
            "by": dict(self.by),
            "by_ci95": {key: as_list(interval) for key, (interval, _why) in self.by_ci95.items()},
            "by_why": {key: why.value for key, (_interval, why) in self.by_ci95.items() if why},
        }


@dataclass(frozen=True, slots=True)
class Board:
    """The leaderboard of one judge. `columns` maps a group's key to its name.

    `group` is the key of the only group ranked, None if all are. `bootstrap` is the number of
    resamples asked for.
    """

    judge: Rater
    by: str
    group: str | None
    columns: Mapping[str, str]
    candidates: tuple[RankedCandidate, ...]
    result: "Leaderboard"
    tasks: int
    seed: int
    bootstrap: int
    left_out: Mapping[str, int]  # candidate -> responses the plan skipped
    skipped: Mapping[str, Mapping[str, int]]  # code of the reason -> the same
    coverage: SetCoverage  # of the set of tasks it ranks over
    report: Part | None = None  # figures of the judge's method beside scores
    domain: str | None = None  # key of the only domain whose tasks count, None for all
    taken_off: tuple[TakenOff, ...] = ()  # candidates with responses that are not ranked
    overruled: OverruledBoard | None = None  # None where nothing is overruled

    def as_dict(self) -> dict[str, Any]:
        """Return what `leaderboard --json` prints; `run` and `state` are None without a run."""
        run = self.judge.run
        return {
            "run": run.pk if run else None,
            "method": self.judge.method,
            "judge": f"{run.provider} {run.model}" if run else self.judge.name,
            "state": run.state if run else None,
            "by": self.by,
            "group": self.group,
            "tasks": self.tasks,
            "task_set": self.coverage.as_dict(),
            "held_out": self.coverage.looks.as_dict(),
            "standings": [entry.as_dict() for entry in self.candidates],
            "comparisons": [comparison.as_dict() for comparison in self.result.comparisons],
            "brackets": [list(bracket) for bracket in self.result.brackets],
            "left_out": dict(self.left_out),
            "taken_off": [one.as_dict() for one in self.taken_off],
            "bootstrap": self.bootstrap,
            "tasks_compared": self.result.tasks_compared,
            "tasks_needed": self.result.tasks_needed,
            "resamples": self.result.resamples,
            "seed": self.seed,
            "extras": self.report.data.as_dict() if self.report else None,
            "overrules": self.overruled.as_dict() if self.overruled else None,
        }


def without_example(judge: Rater) -> str:
    """Return a note on a run whose judge saw no example; "" for any other judge."""
    if judge.run is None:
        return ""
    other = registry.get(judge.method).counterpart
    if not other or not registry.get(other).needs_example:
        return ""
    return _("Run %(n)s is zero-shot: its judge saw no scored example.") % {"n": judge.name}


def board(
    judge: Rater,
    *,
    by: str = "domain",
    group: str | None = None,
    resamples: int = 10_000,
    seed: int = 0,
    tasks: str | None = None,
    domain: str | None = None,
) -> Board:
    """Rank the candidates by what a judge said, over everything or over one group of its grouping.

    Args:
        tasks: name of a set of tasks (judge/base/gold_sets); None for the set a run was planned on.
        domain: key of the only domain whose tasks count; None for all domains.

    Candidates that staff took off the open board are not ranked, except on a held-out half.

    Raises BadInput for an unknown grouping or set, a group without a score (naming those with one),
    or a judge without verdicts on lines.
    """
    if by not in BY:
        raise BadInput(
            _("Group by domain, category, dimension or importance."),
            fields={"by": [_("Choose one of the four.")]},
        )
    # Imported here because it loads numpy, which takes 10 MB in every process.
    from judge.base.stats.leaderboard import leaderboard, mean_intervals

    chosen = set_of_report(judge, tasks)
    within = EVERY_TASK if chosen is None else chosen
    answers = responses_of(judge, within)
    if domain is not None:
        answers = [answer for answer in answers if answer.domain == domain]
    answers, off = _on_the_board(answers, within)
    scored = {answer.task_id for answer in answers if answer.score is not None}
    coverage = cover(judge, chosen, scored, with_sheets=False, domain=domain)
    groups = (
        _by_field(answers, by) if by in ("domain", "category") else scores_by(judge, by, within)
    )
    columns = _columns(by, set(groups))
    if group:
        answers = _only(answers, groups, group, columns)
    ranked = leaderboard(_by_task(answers), seed=seed, resamples=resamples)
    whose = {answer.response: answer for answer in answers}
    cells = {
        key: _by_task([whose[r]._replace(score=score) for r, score in scores.items() if r in whose])
        for key, scores in groups.items()
        if key in columns
    }
    spans = {
        key: mean_intervals(results, seed=seed, resamples=resamples)
        for key, results in cells.items()
    }
    mine: dict[str, list[JudgedResponse]] = defaultdict(list)
    for answer in answers:
        mine[answer.candidate].append(answer)
    aside = skipped_by(judge, within)
    return Board(
        judge=judge,
        by=by,
        group=group or None,
        columns=columns,
        candidates=tuple(
            _ranked_candidate(standing, mine[standing.candidate], columns, cells, spans)
            for standing in ranked.standings
        ),
        result=ranked,
        tasks=len({answer.task for answer in answers}),
        seed=seed,
        bootstrap=resamples,
        left_out=dict(sum((Counter(n) for n in aside.values()), Counter[str]())),
        skipped=aside,
        coverage=coverage,
        report=method_report(judge.run, within) if judge.run and not group else None,
        domain=domain,
        taken_off=off,
        overruled=None if group else _overruled(judge, answers),
    )


def _overruled(judge: Rater, answers: list[JudgedResponse]) -> OverruledBoard | None:
    """Return how candidates stand with what people overruled. One query where there can be any."""
    scores = overruled_scores(judge.run)
    own = {a.response: a for a in answers if a.response in scores and a.gap not in LABELS}
    if not own:
        return None
    after = [a._replace(score=scores[a.response]) if a.response in own else a for a in answers]
    differ = Counter(
        a.candidate for a in after if a.response in own and a.score != own[a.response].score
    )
    names = dict.fromkeys(answer.candidate for answer in own.values())
    before, then = _by_task(answers), _by_task(after)
    rows = [
        OverruledRow(who, _over_tasks(before[who]), _over_tasks(then[who]), differ[who])
        for who in names
    ]
    rows.sort(key=lambda row: (-(row.score if row.score is not None else -1), row.candidate))
    return OverruledBoard(tuple(rows), len(own), differ.total())


def _over_tasks(tasks: Mapping[TaskId, Number | None]) -> float | None:
    mean = _mean([score for score in tasks.values() if isinstance(score, Fraction)])
    return None if mean is None else float(mean)


def candidate_scores(judge: Rater, tasks: TaskSet) -> "_Results":
    """Return candidate -> task -> mean S in 0..1 over a set, None without a score."""
    return _by_task(responses_of(judge, tasks))


def scores_by_domain(
    judge: Rater, tasks: str | None = None
) -> tuple[dict[str, "_Results"], tuple[TakenOff, ...], TaskSet]:
    """Return domain -> candidate -> task -> mean S, who is off the open board, and the set.

    Args:
        tasks: as in `board`.

    Raises BadInput as `board`.
    """
    within = set_of_report(judge, tasks) or EVERY_TASK
    answers, off = _on_the_board(responses_of(judge, within), within)
    found: dict[str, list[JudgedResponse]] = defaultdict(list)
    for answer in answers:
        found[answer.domain].append(answer)
    return {key: _by_task(mine) for key, mine in found.items()}, off, within


_Results = dict[str, dict[TaskId, Number | None]]  # candidate -> task -> mean S of its samples


def _ranked_candidate(
    standing: "Standing",
    answers: list[JudgedResponse],
    columns: Mapping[str, str],
    cells: Mapping[str, _Results],
    spans: Mapping[str, Mapping[str, "Bounds"]],
) -> RankedCandidate:
    who = standing.candidate
    prices = [a.cost_micro for a in answers if a.cost_micro is not None]
    times = [a.latency_ms for a in answers if a.latency_ms is not None]
    by: dict[str, float | None] = {}
    for key in columns:
        scores = [s for s in cells[key].get(who, {}).values() if isinstance(s, Fraction)]
        by[key] = None if (mean := _mean(scores)) is None else float(mean)
    return RankedCandidate(
        standing,
        responses=len(answers),
        judged=sum(answer.score is not None for answer in answers),
        by=by,
        by_ci95={key: spans[key].get(who, (None, Reason.NO_SCORES)) for key in columns},
        cost_usd=statistics.fmean(prices) / 1e6 if prices else None,
        latency_s=statistics.median(times) / 1000 if times else None,
        gaps=Counter(answer.gap for answer in answers if answer.score is None),
        zeros=Counter(answer.gap for answer in answers if answer.score is not None and answer.gap),
    )


def _by_task(answers: Iterable[JudgedResponse]) -> _Results:
    samples: dict[str, dict[TaskId, list[Fraction]]] = defaultdict(lambda: defaultdict(list))
    for answer in answers:
        scores = samples[answer.candidate][answer.task]
        if answer.score is not None:
            scores.append(answer.score)
    return {
        who: {task: _mean(scores) for task, scores in tasks.items()}
        for who, tasks in samples.items()
    }


def _mean(scores: list[Fraction]) -> Fraction | None:
    if len(scores) == 1:  # most tasks are answered once, and sums of fractions take long
        return scores[0]
    return sum(scores, Fraction(0)) / len(scores) if scores else None


def _only(
    answers: list[JudgedResponse], groups: Groups, group: str, columns: Mapping[str, str]
) -> list[JudgedResponse]:
    """Return the responses to the tasks of one group, with their scores in it."""
    if group not in columns:
        detail = _("There is no score in the group “%(name)s”. Available: %(known)s.") % {
            "name": group,
            "known": ", ".join(columns) or "–",
        }
        raise BadInput(detail, code="unknown_group", fields={"group": [detail]})
    scores = groups[group]
    tasks = {answer.task for answer in answers if answer.response in scores}
    return [
        answer._replace(score=scores.get(answer.response), gap=answer.gap or "undecided")
        for answer in answers
        if answer.task in tasks
    ]


def _on_the_board(
    answers: list[JudgedResponse], tasks: TaskSet
) -> tuple[list[JudgedResponse], tuple[TakenOff, ...]]:
    """Set the candidates apart that staff took off the open board; a held-out half has all."""
    if tasks.half == Half.HELD_OUT:
        return answers, ()
    off = {one.candidate: one for one in taken_off()}
    if not off:
        return answers, ()
    there = {answer.candidate for answer in answers}
    return (
        [answer for answer in answers if answer.candidate not in off],
        tuple(one for name, one in off.items() if name in there),
    )


def _by_field(answers: Iterable[JudgedResponse], by: str) -> Groups:
    """Group by domain or category; a group without a score is no column."""
    groups: dict[str, dict[int, Fraction | None]] = defaultdict(dict)
    for answer in answers:
        groups[getattr(answer, by)][answer.response] = answer.score
    return {
        key: scores
        for key, scores in groups.items()
        if any(score is not None for score in scores.values())
    }


def _columns(by: str, keys: set[str]) -> dict[str, str]:
    """Return the names of the groups that occur, by key, in their usual order."""
    if by == "domain":
        return {d.key: str(d) for d in Domain.objects.filter(key__in=keys)}
    if by == "category":
        return _categories(keys)
    choices = Dimension if by == "dimension" else Importance
    return {str(value): str(label) for value, label in choices.choices if value in keys}


def _categories(keys: set[str]) -> dict[str, str]:
    """Return the names of categories; with their domain where there is more than one."""
    domains = {key.partition("/")[0] for key in keys}
    found: dict[str, str] = {}
    named = Category.objects.filter(domain__key__in=domains).select_related("domain")
    rows = {category_key(one.domain.key, one.key): str(one) for one in named}
    for domain in Domain.objects.filter(key__in=domains):
        rows[category_key(domain.key, None)] = _("Without a category")
        for key, name in rows.items():
            if key in keys and key.partition("/")[0] == domain.key:
                found[key] = (
                    name
                    if len(domains) == 1
                    else _("%(domain)s: %(name)s") % {"domain": domain, "name": name}
                )
    return found
