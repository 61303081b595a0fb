"""How far experts agree among themselves: the ceiling for any judge, in the judge's own figures.

Where two experts scored the same responses, each is measured as the judge against the other, so the
figures do not depend on their order.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from judge.base.stats.agreement import AgreementReport, agreement
from judge.base.stats.criterion import Cell, CriterionReport, criterion
from judge.base.stats.numbers import (
    Number,
    Reason,
    TaskId,
    as_float,
    as_list,
    as_reasons,
    comparable,
)
from judge.base.stats.preference import PairCounts, PreferenceReport, count_pairs, summarise
from judge.results.alignment.rows import Experts


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The agreement of all raters at once, and `pairs` and `lines` of every two experts.

    `agreement` is on lines, `preferences` on which of two responses is better or that they tie,
    whether the scores come from lines, grades or single numbers.
    """

    agreement: AgreementReport
    preferences: AgreementReport
    pairs: PreferenceReport
    lines: CriterionReport

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON; counts of pairs and cells hold both directions."""
        return {
            **self.agreement.as_dict(),
            "cdr_micro": as_float(self.pairs.cdr_micro),
            "ci95": as_list(self.pairs.ci95),
            "accuracy": as_float(self.pairs.accuracy),
            "tasks": self.pairs.tasks,
            "preferences": self.preferences.as_dict(),
            "j": as_float(self.lines.j),
            "j_ci95": as_list(self.lines.j_ci95),
            "why": {
                **as_reasons(self.lines.why),
                **as_reasons(self.pairs.why),
                **as_reasons(self.agreement.why),
            },
        }


def ceiling(truth: Experts, *, seed: int, resamples: int) -> Ceiling:
    """Measure the experts' agreement on lines and responses that several of them scored."""
    responses = {sheet: response for sheet, response, _line, _met in truth.labels}
    times = Counter(responses.values())
    units: dict[tuple[int, int], dict[Hashable, int]] = defaultdict(dict)
    for sheet, response, line, met in truth.labels:
        if times[response] > 1 and line in truth.lines:
            units[response, line][truth.rater_of[sheet]] = met
    cells = [
        Cell(truth.responses[response].task, one, other, truth.lines[line].weight)
        for (response, line), labels in units.items()
        for one, other in itertools.permutations(labels.values(), 2)
    ]
    nothing = Reason.NO_OVERLAP if truth.labels else Reason.NO_CELLS
    tasks = _by_task(truth)
    return Ceiling(
        agreement=agreement(units.values(), nothing=nothing),
        preferences=agreement(_outcomes(tasks)),
        pairs=summarise(_pairs(tasks), seed=seed, resamples=resamples),
        lines=criterion(cells, seed=seed, resamples=resamples, nothing=nothing),
    )


Scores = dict[Hashable, dict[int, Number]]  # rater -> response -> score


def _by_task(truth: Experts) -> dict[TaskId, Scores]:
    """Return the scores of each task, of whatever kind they are, by rater."""
    found: dict[TaskId, Scores] = defaultdict(lambda: defaultdict(dict))
    for response, given in truth.given.items():
        for rater, score in given.items():
            found[truth.responses[response].task][rater][response] = score
    return found


def _pairs(tasks: Mapping[TaskId, Scores]) -> dict[TaskId, PairCounts]:
    """Count each task's pairs of responses that the same two experts scored, in both directions."""
    found: dict[TaskId, PairCounts] = {}
    for task, scores in tasks.items():
        counts = PairCounts()
        for one, other in itertools.permutations(sorted(scores, key=str), 2):
            both = sorted(scores[one].keys() & scores[other].keys())
            counts += count_pairs([(scores[one][r], scores[other][r]) for r in both])
        found[task] = counts
    return found


def _outcomes(tasks: Mapping[TaskId, Scores]) -> Iterator[dict[Hashable, int]]:
    """Yield what each rater says of a pair of responses: 1 the first, -1 the second, 0 a tie."""
    for scores in tasks.values():
        exact = {
            rater: dict(zip(mine, comparable(mine.values()), strict=True))
            for rater, mine in scores.items()
        }
        responses = sorted({response for mine in scores.values() for response in mine})
        for one, other in itertools.combinations(responses, 2):
            yield {
                rater: (mine[one] > mine[other]) - (mine[one] < mine[other])  # type: ignore[operator]
                for rater, mine in exact.items()
                if one in mine and other in mine
            }
