"""The leaderboard of a run: candidates ranked by their mean score, with intervals and comparisons.

For staff only: a scorer who still has to score blind must not learn which candidate is good.
"""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext as _

from curation.domains.models import Domain
from curation.text import storable
from curation.web.refusals import BadInput
from judge.alignment.gather import NOT_ASKED
from judge.engine.models import JudgeRun, Judgment, RunItem, Verdict
from judge.stats.numbers import Interval, Number, TaskId, as_list
from rubrics.policy.dimensions import Dimension, Importance

if TYPE_CHECKING:
    from judge.stats.leaderboard import Leaderboard, Standing

BY = ("domain", "dimension", "importance")
_MET, _UNMET = Verdict.Outcome.MET, Verdict.Outcome.UNMET


class RunResponse(NamedTuple):
    """One response of the run: its score, or in `gap` the code of why it has none."""

    response: int
    candidate: str
    task: str
    domain: str
    score: Fraction | None
    gap: str
    latency_ms: int | None
    cost_micro: int | None


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """A candidate with its rank and figures.

    `by` maps each group to the mean S in it, None without a score there; `by_ci95` holds the
    intervals. `cost_usd` is the mean price of a response and `latency_s` its median time, over the
    responses where they are known, else None. `gaps` counts responses without a score by the code
    of the reason.
    """

    standing: "Standing"
    responses: int
    judged: int
    by: Mapping[str, float | None]
    by_ci95: Mapping[str, Interval | None]
    cost_usd: float | None
    latency_s: float | None
    gaps: Mapping[str, int]

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
            "cost_usd": self.cost_usd,
            "latency_s": self.latency_s,
            "by": dict(self.by),
            "by_ci95": {key: as_list(interval) for key, interval in self.by_ci95.items()},
        }


@dataclass(frozen=True, slots=True)
class Board:
    """The leaderboard of one run. `columns` maps a group's key to its name.

    `group` is the key of the only group ranked, None if all are. `bootstrap` is the number of
    resamples asked for.
    """

    run: JudgeRun
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

    def as_dict(self) -> dict[str, Any]:
        """Return what `leaderboard --json` prints."""
        return {
            "run": self.run.pk,
            "method": self.run.method,
            "judge": f"{self.run.provider} {self.run.model}",
            "state": self.run.state,
            "by": self.by,
            "group": self.group,
            "tasks": self.tasks,
            "standings": [entry.as_dict() for entry in self.candidates],
            "comparisons": [comparison.as_dict() for comparison in self.result.comparisons],
            "brackets": [list(bracket) for bracket in self.result.brackets],
            "left_out": dict(self.left_out),
            "bootstrap": self.bootstrap,
            "resamples": self.result.resamples,
            "seed": self.seed,
        }


def without_example(run: JudgeRun) -> str:
    """Return a note on a run whose judge saw no example; "" for a one-shot run."""
    if run.method == JudgeRun.Method.ONE_SHOT:
        return ""
    return _("Run %(n)s is zero-shot: its judge saw no scored example.") % {"n": run.pk}


def find_run(name: str | int | None = None) -> JudgeRun | None:
    """Return a run by its number, by default the newest finished one-shot run.

    Without a finished one-shot run the default is the newest finished run, None if there is none.
    Raises BadInput for an unknown number, naming some runs.
    """
    if name in (None, ""):
        finished = JudgeRun.objects.filter(state=JudgeRun.State.FINISHED)
        return finished.filter(method=JudgeRun.Method.ONE_SHOT).first() or finished.first()
    wanted = str(name).strip()
    number = storable.whole_number(wanted)
    run = None if number is None else JudgeRun.objects.filter(pk=number).first()
    if run is None:
        known = ", ".join(str(pk) for pk in JudgeRun.objects.values_list("pk", flat=True)[:12])
        detail = (
            _("There is no run “%(name)s”. Runs: %(known)s.") % {"name": wanted, "known": known}
            if known
            else _("There is no run yet. Start one first: manage.py judge")
        )
        raise BadInput(detail, code="unknown_run", fields={"run": [detail]})
    return run


def board(
    run: JudgeRun,
    *,
    by: str = "domain",
    group: str | None = None,
    resamples: int = 10_000,
    seed: int = 0,
) -> Board:
    """Rank the candidates of a run, over everything or over one group of its grouping.

    Raises BadInput for an unknown grouping, or a group without a score (naming those with one).
    """
    if by not in BY:
        raise BadInput(
            _("Group by domain, dimension or importance."),
            fields={"by": [_("Choose one of the three.")]},
        )
    # Imported here because it loads numpy, which takes 10 MB in every process.
    from judge.stats.leaderboard import leaderboard, mean_intervals

    answers = _answers(run)
    groups = _by_domain(answers) if by == "domain" else _by_lines(run, by)
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
    mine: dict[str, list[RunResponse]] = defaultdict(list)
    for answer in answers:
        mine[answer.candidate].append(answer)
    aside = _skipped(run)
    return Board(
        run=run,
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
    )


_Results = dict[str, dict[TaskId, Number | None]]  # candidate -> task -> mean S of its samples


def _ranked_candidate(
    standing: "Standing",
    answers: list[RunResponse],
    columns: Mapping[str, str],
    cells: Mapping[str, _Results],
    spans: Mapping[str, Mapping[str, Interval | None]],
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
        by_ci95={key: spans[key].get(who) for key in columns},
        cost_usd=statistics.fmean(prices) / 1e6 if prices else None,
        latency_s=statistics.median(times) / 1000 if times else None,
        gaps=Counter(answer.gap for answer in answers if answer.score is None),
    )


def _answers(run: JudgeRun) -> list[RunResponse]:
    """Return the responses the run was to judge. One query, no model instances."""
    rows = (
        RunItem.objects.filter(run=run)
        .exclude(state=RunItem.State.SKIPPED, reason__in=NOT_ASKED)
        .order_by("response_id")
        .values_list(
            "response_id",
            "response__candidate__name",
            "response__task__key",
            "response__task__domain__key",
            "state",
            "reason",
            "judgment__state",
            "judgment__reason",
            "judgment__score_numerator",
            "judgment__score_denominator",
            "response__latency_ms",
            "response__cost_micro",
        )
    )
    found = []
    for pk, who, task, domain, state, reason, judged, why, above, below, ms, micro in rows:
        score = None
        if judged == Judgment.State.COMPLETE and above is not None and below:
            score = Fraction(above, below)
        gap = "" if score is not None else why or reason or state
        found.append(RunResponse(pk, who, task, domain, score, gap, ms, micro))
    return found


def _by_task(answers: Iterable[RunResponse]) -> _Results:
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
    return sum(scores, Fraction(0)) / len(scores) if scores else None


_Groups = Mapping[str, Mapping[int, Fraction | None]]  # group -> response -> S, None if undecided


def _only(
    answers: list[RunResponse], groups: _Groups, group: str, columns: Mapping[str, str]
) -> list[RunResponse]:
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


def _by_domain(answers: Iterable[RunResponse]) -> _Groups:
    groups: dict[str, dict[int, Fraction | None]] = defaultdict(dict)
    for answer in answers:
        groups[answer.domain][answer.response] = answer.score
    return {
        key: scores
        for key, scores in groups.items()
        if any(score is not None for score in scores.values())
    }


def _by_lines(run: JudgeRun, by: str) -> _Groups:
    """Return S over each group's lines by response; None where one of them is undecided."""
    decided = Q(outcome__in=(_MET, _UNMET))
    rows = (
        Verdict.objects.filter(judgment__items__run=run)
        .order_by()
        .values_list("judgment__response_id", f"criterion__{by}")
        .annotate(
            above=Sum("criterion__weight", filter=Q(outcome=_MET), default=0),
            below=Sum("criterion__weight"),
            open=Count("id", filter=~decided),
        )
    )
    groups: dict[str, dict[int, Fraction | None]] = defaultdict(dict)
    for response, key, above, below, undecided in rows:
        if below:
            groups[key][response] = None if undecided else Fraction(above, below)
    return groups


def _columns(by: str, keys: set[str]) -> dict[str, str]:
    """Return the names of the groups that occur, by key, in their usual order."""
    if by == "domain":
        return {d.key: str(d) for d in Domain.objects.filter(key__in=keys)}
    choices = Dimension if by == "dimension" else Importance
    return {str(value): str(label) for value, label in choices.choices if value in keys}


def _skipped(run: JudgeRun) -> dict[str, dict[str, int]]:
    """Count the responses the plan skipped, by code of the reason and candidate."""
    rows = (
        RunItem.objects.filter(run=run, state=RunItem.State.SKIPPED, reason__in=NOT_ASKED)
        .exclude(reason="baseline")
        .values_list("reason", "response__candidate__name")
        .annotate(n=Count("id"))
        .order_by("reason", "response__candidate__name")
    )
    found: dict[str, dict[str, int]] = {}
    for reason, candidate, number in rows:
        found.setdefault(reason, {})[candidate] = number
    return found
