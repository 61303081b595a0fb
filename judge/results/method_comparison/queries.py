"""Runs of several methods on the same responses, beside the grades that experts gave them.

The tables of JADE (arXiv 2602.06486, tables 3 and 4, appendix I): how far each method agrees with
the trimmed mean of the experts' grades, how far the experts agree with each other, and what each
method took. Only responses count that every run scored and at least one expert graded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from judge.asking.candidates.earlier_text import rests_on_earlier_text
from judge.base.gold_sets.task_sets import closed_of
from judge.base.stats.numbers import as_list
from judge.base.stats.report_scores import (
    RESAMPLES,
    Correlation,
    Fifth,
    RaterAgreement,
    correlation,
    fifths,
    instability,
    rater_agreement,
    trimmed_mean,
)
from judge.methods.base import registry
from judge.methods.graded.scale import points_of
from judge.runs.engine.models import JudgeRun, RunItem
from judge.runs.pages.lifecycle import summary
from judge.runs.pages.repeats import repeats_of
from judge.scoring.graded_sheets.models import GradedSheet

State = GradedSheet.State


@dataclass(frozen=True, slots=True)
class MethodRow:
    """One run.

    Attributes:
        scored: responses it scored, of those it was asked about; beside them are those without a
            score.
        mean: of its scores on the common responses, in points of 100; None without one.
        agreement: with the experts' target, on the common responses.
        calibration: fifths of the common responses by score.
        repeats: how many runs of this configuration there are.
        instability: mean standard deviation of a response's score over them, in points of 100.
        cost: what it took for each response that it judged itself: calls, tokens, dollars; None if
            unknown, or if it reused every judgment.
    """

    run: int
    method: str
    label: str
    scored: int
    unscored: int
    mean: float | None
    agreement: Correlation
    calibration: Sequence[Fifth]
    repeats: int
    instability: float | None
    cost: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Runs of several methods.

    Attributes:
        common: responses that count.
        graded: responses that an expert graded, of those that some run was asked about.
        several: of the common ones, those graded by three experts or more, whose target is trimmed.
    """

    rows: Sequence[MethodRow]
    common: int
    graded: int
    several: int
    experts: RaterAgreement

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "common": self.common,
            "graded": self.graded,
            "trimmed": self.several,
            "experts": asdict(self.experts),
            "methods": [
                asdict(row)
                | {
                    "agreement": asdict(row.agreement)
                    | {
                        "pearson_ci95": as_list(row.agreement.pearson_ci95),
                        "spearman_ci95": as_list(row.agreement.spearman_ci95),
                    }
                }
                for row in self.rows
            ],
        }


def compare_methods(pks: Sequence[int], *, seed: int = 0, resamples: int = RESAMPLES) -> Comparison:
    """Compare runs on the responses that all of them scored. Some ten queries for each run.

    Scores and grades that rest on an earlier text of their task are left out, and so are tasks of a
    closed held-out half.

    Raises BadInput for an unknown run, and for none.
    """
    wanted = list(dict.fromkeys(pks))
    runs = JudgeRun.objects.in_bulk(wanted)
    if not wanted:
        raise BadInput(_("Name at least one run."))
    if missing := [pk for pk in wanted if pk not in runs]:
        raise BadInput(_("There is no run %(run)s.") % {"run": missing[0]})
    scores = {pk: _scores(pk) for pk in wanted}
    asked = set[int]().union(*map(set, scores.values()))
    grades = _grades(asked)
    given: dict[int, list[float]] = {}
    for by_response in grades.values():
        for response, grade in by_response.items():
            given.setdefault(response, []).append(grade)
    common = sorted(
        pk for pk in given if all(scores[run].get(pk, (0, None))[1] is not None for run in wanted)
    )
    target = {pk: trimmed_mean(given[pk]) for pk in common}
    rows = [_row(runs[pk], scores[pk], target, seed=seed, resamples=resamples) for pk in wanted]
    inside = {
        rater: {pk: grade for pk, grade in by_response.items() if pk in target}
        for rater, by_response in grades.items()
    }
    return Comparison(
        rows=rows,
        common=len(common),
        graded=len(given),
        several=sum(len(given[pk]) >= 3 for pk in common),
        experts=rater_agreement({rater: found for rater, found in inside.items() if found}),
    )


def _row(
    run: JudgeRun,
    scores: Mapping[int, tuple[int, float | None]],
    target: Mapping[int, float],
    *,
    seed: int,
    resamples: int,
) -> MethodRow:
    pairs = [
        (scores[pk][0], target[pk], score) for pk in target if (score := scores[pk][1]) is not None
    ]
    siblings = repeats_of(run)
    spread = instability([_known(_scores(sibling)) for sibling in siblings])
    scored = len(_known(scores))
    return MethodRow(
        run=run.pk,
        method=run.method,
        label=registry.label_of(run.method),
        scored=scored,
        unscored=len(scores) - scored,
        mean=100 * sum(score for *_rest, score in pairs) / len(pairs) if pairs else None,
        agreement=correlation(pairs, seed=seed, resamples=resamples),
        calibration=fifths(pairs),
        repeats=len(siblings),
        instability=None if spread is None else 100 * spread,
        cost=_cost(run),
    )


def _known(scores: Mapping[int, tuple[int, float | None]]) -> dict[int, float]:
    return {pk: score for pk, (_task, score) in scores.items() if score is not None}


def _scores(run: int) -> dict[int, tuple[int, float | None]]:
    """Return response -> (task, score from 0 to 1 or None) of all that a run was asked about."""
    rows = (
        RunItem.objects.filter(run=run, response__baseline=False)
        .exclude(state=RunItem.State.SKIPPED)
        .exclude(closed_of("response__task"))
        .exclude(rests_on_earlier_text(score="judgment__"))
        .values_list(
            "response",
            "response__task",
            "judgment__score_numerator",
            "judgment__score_denominator",
        )
    )
    return {
        response: (task, above / below if above is not None and below else None)
        for response, task, above, below in rows
    }


def _grades(responses: set[int]) -> dict[str, dict[int, float]]:
    """Return expert -> response -> grade from 0 to 1, without grades that a flag asked for."""
    rows = GradedSheet.objects.filter(
        kind=GradedSheet.Kind.EXPERT,
        state=State.SUBMITTED,
        grade__isnull=False,
        flagged_item__isnull=True,
    ).exclude(rests_on_earlier_text())
    found: dict[str, dict[int, float]] = {}
    for rater, response, grade in rows.values_list("rater", "response", "grade"):
        if response in responses and grade is not None:
            found.setdefault(rater, {})[response] = points_of(grade) / 100
    return found


def _cost(run: JudgeRun) -> dict[str, float | None]:
    facts = summary(run)
    judged = facts["judged"] - facts["reused"]
    names = ("calls", "input_tokens", "output_tokens", "cost_usd")
    return {
        name: facts[name] / judged if judged and facts[name] is not None else None for name in names
    }
