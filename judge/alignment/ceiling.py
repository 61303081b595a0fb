"""How far experts agree among themselves: the ceiling for any judge, in the judge's own figures.

Where two experts scored the same responses, each is measured as the judge against the other, so the
figures do not depend on their order.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from judge.alignment.rows import Experts
from judge.stats.agreement import AgreementReport, agreement
from judge.stats.criterion import Cell, CriterionReport, criterion
from judge.stats.numbers import TaskId, as_float, as_list, as_reasons
from judge.stats.preference import PairCounts, PreferenceReport, count_pairs, summarise


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The agreement of all raters at once, and `pairs` and `lines` of every two experts."""

    agreement: AgreementReport
    pairs: PreferenceReport
    lines: CriterionReport

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON; counts of pairs and cells hold both directions."""
        return {
            **self.agreement.as_dict(),
            "cdr_micro": as_float(self.pairs.cdr_micro),
            "ci95": as_list(self.pairs.ci95),
            "tasks": self.pairs.tasks,
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
    return Ceiling(
        agreement=agreement(units.values()),
        pairs=summarise(_pairs(truth, units), seed=seed, resamples=resamples),
        lines=criterion(cells, seed=seed, resamples=resamples),
    )


def _pairs(
    truth: Experts, units: Mapping[tuple[int, int], Mapping[Hashable, int]]
) -> dict[TaskId, PairCounts]:
    """Count each task's pairs of responses that the same two experts scored, in both directions."""
    marks: dict[int, dict[Hashable, dict[int, int]]] = defaultdict(lambda: defaultdict(dict))
    for (response, line), labels in units.items():
        for rater, met in labels.items():
            marks[response][rater][line] = met
    sizes = Counter(line.version for line in truth.lines.values())
    scores: dict[str, dict[Hashable, dict[int, Fraction]]] = defaultdict(lambda: defaultdict(dict))
    for response, by_rater in marks.items():
        for rater, given in by_rater.items():
            lines = [truth.lines[line] for line in given]
            total = sum(line.weight for line in lines)
            if total and len(lines) == sizes[lines[0].version]:
                met = sum(truth.lines[line].weight for line, yes in given.items() if yes)
                scores[truth.responses[response].task][rater][response] = Fraction(met, total)
    found: dict[TaskId, PairCounts] = {}
    for task, given_by in scores.items():
        counts = PairCounts()
        for one, other in itertools.permutations(sorted(given_by, key=str), 2):
            both = sorted(given_by[one].keys() & given_by[other].keys())
            counts += count_pairs([(given_by[one][r], given_by[other][r]) for r in both])
        found[task] = counts
    return found
