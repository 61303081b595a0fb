"""A judge's selection of profiles against who was really chosen.

A case is one profile that a response recommends and the judge looked at: selected or not, chosen
or not. Precision, recall and F1 take "chosen" as the truth (van Rijsbergen 1979, chapter 7), kappa
is Cohen's (1960). Profiles that no response recommends are no cases, so recall is over the
recommended ones. The re-selection rate of a response is estimated as selected / demanded, and real
as chosen / demanded. Intervals resample tasks (`judge.base.stats.bootstrap`).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from judge.base.stats import bootstrap
from judge.base.stats.numbers import (
    Interval,
    Reason,
    TaskId,
    as_float,
    as_list,
    as_reasons,
    reasons,
    task_order,
)

MEASURES = ("precision", "recall", "f1", "kappa", "estimated", "real", "bias", "mae")


class Rates(NamedTuple):
    """A response: its cases and the demanded number (at least 1).

    `both` counts profiles selected and chosen, `selected` and `chosen` those selected or chosen
    alone, `neither` the others.
    """

    task: TaskId
    both: int
    selected: int
    chosen: int
    neither: int
    demanded: int


@dataclass(frozen=True, slots=True)
class SelectionReport:
    """The measures; one that is None has its reason in `why`.

    Attributes:
        bias: mean of estimated minus real rate, over responses; positive if the judge is kinder.
        mae: mean of the absolute difference.
        ci95: measure -> interval, or None with its reason under `<measure>_ci95`.
    """

    cases: int
    responses: int
    tasks: int
    both: int
    selected: int
    chosen: int
    neither: int
    values: Mapping[str, Fraction | None]
    ci95: Mapping[str, Interval | None]
    why: Mapping[str, Reason] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON."""
        return {
            **{name: as_float(self.values[name]) for name in MEASURES},
            "ci95": {name: as_list(self.ci95[name]) for name in MEASURES},
            "counts": {
                "selected_and_chosen": self.both,
                "selected_only": self.selected,
                "chosen_only": self.chosen,
                "neither": self.neither,
            },
            "cases": self.cases,
            "responses": self.responses,
            "tasks": self.tasks,
            "why": as_reasons(self.why),
        }


def selections(
    rows: Iterable[Rates], *, seed: int = 0, resamples: int = bootstrap.RESAMPLES
) -> SelectionReport:
    """Measure selections.

    Raises:
        ValueError: a count is negative, or a response demands nothing.
    """
    table: dict[TaskId, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * 8)
    for row in rows:
        if min(row[1:5]) < 0 or row.demanded < 1:
            raise ValueError("counts are at least 0, and a response demands at least one profile")
        gap = Fraction(row.selected - row.chosen, row.demanded)
        own = (
            *(Fraction(count) for count in row[1:5]),
            Fraction(row.both + row.selected, row.demanded),
            Fraction(row.both + row.chosen, row.demanded),
            abs(gap),
            Fraction(1),
        )
        table[row.task] = [a + b for a, b in zip(table[row.task], own, strict=True)]
    sums = [sum(column, Fraction(0)) for column in zip(*table.values(), strict=True)] or [
        Fraction(0)
    ] * 8
    values = _values(sums)
    why = reasons({name: _why(name, values, sums) for name in MEASURES})
    found = _intervals(table, seed, resamples)
    why |= reasons({f"{name}_ci95": found[name][1] for name in MEASURES if name not in why})
    both, selected, chosen, neither = (int(count) for count in sums[:4])
    return SelectionReport(
        cases=both + selected + chosen + neither,
        responses=int(sums[7]),
        tasks=len(table),
        both=both,
        selected=selected,
        chosen=chosen,
        neither=neither,
        values=values,
        ci95={name: ci95 for name, (ci95, _reason) in found.items()},
        why=why,
    )


def _values(sums: Sequence[Fraction]) -> dict[str, Fraction | None]:
    both, selected, chosen, neither, estimated, real, apart, responses = sums
    total = both + selected + chosen + neither
    kappa = None
    if total:
        judge, truth = (both + selected) / total, (both + chosen) / total
        chance = judge * truth + (1 - judge) * (1 - truth)
        kappa = None if chance == 1 else ((both + neither) / total - chance) / (1 - chance)
    return {
        "precision": _share(both, both + selected),
        "recall": _share(both, both + chosen),
        "f1": _share(2 * both, 2 * both + selected + chosen),
        "kappa": kappa,
        "estimated": _share(estimated, responses),
        "real": _share(real, responses),
        "bias": _share(estimated - real, responses),
        "mae": _share(apart, responses),
    }


def _share(above: Fraction, below: Fraction) -> Fraction | None:
    return above / below if below else None


def _why(
    name: str, values: Mapping[str, Fraction | None], sums: Sequence[Fraction]
) -> Reason | None:
    if values[name] is not None:
        return None
    if name in ("estimated", "real", "bias", "mae"):
        return Reason.NO_SCORES
    return Reason.ONE_CLASS if any(sums[:4]) else Reason.NO_CELLS


def _intervals(
    table: Mapping[TaskId, Sequence[Fraction]], seed: int, resamples: int
) -> dict[str, bootstrap.Bounds]:
    if not table:
        return dict.fromkeys(MEASURES, (None, Reason.FEW_TASKS))
    tasks = sorted(table, key=task_order)
    rows = np.array([[float(value) for value in table[task]] for task in tasks])
    sums = bootstrap.resampled_rows(rows, seed=seed, resamples=resamples)
    drawn = _resampled(sums)
    return {name: bootstrap.interval(drawn[name], len(tasks)) for name in MEASURES}


def _resampled(sums: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    both, selected, chosen, neither, estimated, real, apart, responses = sums.T
    total = both + selected + chosen + neither
    judge = bootstrap.ratio(both + selected, total)
    truth = bootstrap.ratio(both + chosen, total)
    chance = judge * truth + (1 - judge) * (1 - truth)
    return {
        "precision": bootstrap.ratio(both, both + selected),
        "recall": bootstrap.ratio(both, both + chosen),
        "f1": bootstrap.ratio(2 * both, 2 * both + selected + chosen),
        "kappa": bootstrap.ratio(bootstrap.ratio(both + neither, total) - chance, 1 - chance),
        "estimated": bootstrap.ratio(estimated, responses),
        "real": bootstrap.ratio(real, responses),
        "bias": bootstrap.ratio(estimated - real, responses),
        "mae": bootstrap.ratio(apart, responses),
    }
