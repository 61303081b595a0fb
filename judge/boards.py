"""The leaderboard of a run: candidates in order, with what the tasks can and cannot tell apart.

For staff only: whoever is still to score responses blind must not learn which candidate is good.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext as _

from curation.errors import BadInput
from curation.models import Domain
from judge.alignment.gather import NOT_ASKED
from judge.models import JudgeRun, Judgment, RunItem, Verdict
from judge.stats.leaderboard import Leaderboard, Standing, leaderboard
from judge.stats.numbers import Number, TaskId
from rubrics.dimensions import Dimension, Importance

BY = ("domain", "dimension", "importance")
_MET, _UNMET = Verdict.Outcome.MET, Verdict.Outcome.UNMET


@dataclass(frozen=True, slots=True)
class Place:
    """One candidate's row. `by` holds its mean S of each group, None without a score there."""

    standing: Standing
    responses: int
    judged: int
    by: Mapping[str, float | None]

    @property
    def coverage(self) -> float | None:
        """Share of its responses in the run that have a score."""
        return self.judged / self.responses if self.responses else None

    def as_dict(self) -> dict[str, Any]:
        return {
            **self.standing.as_dict(),
            "responses": self.responses,
            "judged": self.judged,
            "coverage": self.coverage,
            "by": dict(self.by),
        }


@dataclass(frozen=True, slots=True)
class Board:
    """The leaderboard of one run. `columns` maps a group's key to its name."""

    run: JudgeRun
    by: str
    columns: Mapping[str, str]
    places: tuple[Place, ...]
    result: Leaderboard
    tasks: int
    seed: int
    asked_for: int
    left_out: Mapping[str, int]  # candidate -> responses the plan put aside

    def as_dict(self) -> dict[str, Any]:
        """What `leaderboard --json` prints."""
        return {
            "run": self.run.pk,
            "method": self.run.method,
            "judge": f"{self.run.provider} {self.run.model}",
            "state": self.run.state,
            "by": self.by,
            "tasks": self.tasks,
            "standings": [place.as_dict() for place in self.places],
            "comparisons": [comparison.as_dict() for comparison in self.result.comparisons],
            "brackets": [list(bracket) for bracket in self.result.brackets],
            "left_out": dict(self.left_out),
            "bootstrap": self.asked_for,
            "resamples": self.result.resamples,
            "seed": self.seed,
        }


def find_run(name: str | int | None = None) -> JudgeRun | None:
    """A run by its number; without one the newest finished one-shot run, None if there is none.

    Raises BadInput for a number there is no run of, naming some there are.
    """
    if name in (None, ""):
        return JudgeRun.objects.filter(
            method=JudgeRun.Method.ONE_SHOT, state=JudgeRun.State.FINISHED
        ).first()
    text = str(name).strip()
    run = None
    if text.isascii() and text.isdigit() and len(text) < 19:
        run = JudgeRun.objects.filter(pk=int(text)).first()
    if run is None:
        known = ", ".join(str(pk) for pk in JudgeRun.objects.values_list("pk", flat=True)[:12])
        detail = (
            _("There is no run “%(name)s”. Runs: %(known)s.") % {"name": text, "known": known}
            if known
            else _("There is no run yet. Start one first: manage.py judge")
        )
        raise BadInput(detail, code="unknown_run", fields={"run": [detail]})
    return run


def board(run: JudgeRun, *, by: str = "domain", resamples: int = 10_000, seed: int = 0) -> Board:
    """Rank the candidates of a run. Raises BadInput for an unknown grouping."""
    if by not in BY:
        raise BadInput(
            _("Group by domain, dimension or importance."),
            fields={"by": [_("Choose one of the three.")]},
        )
    rows = list(
        RunItem.objects.filter(run=run)
        .exclude(state=RunItem.State.SKIPPED, reason__in=NOT_ASKED)
        .order_by("response_id")
        .values_list(
            "response_id",
            "response__candidate__name",
            "response__task__key",
            "response__task__domain__key",
            "judgment__state",
            "judgment__score_numerator",
            "judgment__score_denominator",
        )
    )
    samples: dict[str, dict[str, list[Fraction]]] = defaultdict(lambda: defaultdict(list))
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    domains: dict[str, dict[str, list[Fraction]]] = defaultdict(lambda: defaultdict(list))
    for _response, candidate, task, domain, state, above, below in rows:
        counts[candidate][0] += 1
        scores = samples[candidate][task]
        if state == Judgment.State.COMPLETE and above is not None and below:
            counts[candidate][1] += 1
            scores.append(Fraction(above, below))
            domains[candidate][domain].append(scores[-1])
    results: dict[str, dict[TaskId, Number | None]] = {
        candidate: {task: _mean(scores) for task, scores in tasks.items()}
        for candidate, tasks in samples.items()
    }
    ranked = leaderboard(results, seed=seed, resamples=resamples)
    groups = domains if by == "domain" else _by_lines(run, by)
    columns = _columns(by, {key for group in groups.values() for key in group})
    places = tuple(
        Place(
            standing,
            responses=counts[standing.candidate][0],
            judged=counts[standing.candidate][1],
            by={
                key: None
                if (mean := _mean(groups[standing.candidate].get(key, []))) is None
                else float(mean)
                for key in columns
            },
        )
        for standing in ranked.standings
    )
    return Board(
        run=run,
        by=by,
        columns=columns,
        places=places,
        result=ranked,
        tasks=len({row[2] for row in rows}),
        seed=seed,
        asked_for=resamples,
        left_out=_left_out(run),
    )


def _mean(scores: list[Fraction]) -> Fraction | None:
    return sum(scores, Fraction(0)) / len(scores) if scores else None


def _by_lines(run: JudgeRun, by: str) -> dict[str, dict[str, list[Fraction]]]:
    """Candidate -> group -> S of each response over the group's lines, where all are decided."""
    decided = Q(outcome__in=(_MET, _UNMET))
    rows = (
        Verdict.objects.filter(judgment__items__run=run)
        .order_by()
        .values_list("judgment__response__candidate__name", "judgment_id", f"criterion__{by}")
        .annotate(
            above=Sum("criterion__weight", filter=Q(outcome=_MET), default=0),
            below=Sum("criterion__weight"),
            open=Count("id", filter=~decided),
        )
    )
    groups: dict[str, dict[str, list[Fraction]]] = defaultdict(lambda: defaultdict(list))
    for candidate, _judgment, key, above, below, undecided in rows:
        if below and not undecided:
            groups[candidate][key].append(Fraction(above, below))
    return groups


def _columns(by: str, keys: set[str]) -> dict[str, str]:
    """The groups that occur, in the order people know, with their names."""
    if by == "domain":
        return {d.key: str(d) for d in Domain.objects.filter(key__in=keys)}
    choices = Dimension if by == "dimension" else Importance
    return {str(value): str(label) for value, label in choices.choices if value in keys}


def _left_out(run: JudgeRun) -> dict[str, int]:
    rows = (
        RunItem.objects.filter(run=run, state=RunItem.State.SKIPPED, reason__in=NOT_ASKED)
        .exclude(reason="baseline")
        .values_list("response__candidate__name")
        .annotate(n=Count("id"))
        .order_by("response__candidate__name")
    )
    return dict(rows)
