"""The index: abilities of versions over periods, with growth and breakthroughs.

An ability belongs to a version in a period, so that a product which drifts shows it. Periods are
linked by the tasks they share and by the versions measured on both sides (docs/product_index.md).
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from curation.base.text.wording import listed
from curation.base.web.refusals import BadInput
from judge.base.stats import growth, irt
from judge.base.stats.growth import Step, Velocity
from judge.base.stats.irt import Ability, TaskFit
from judge.results.product_index.cells import Cell
from judge.results.product_index.dates import months_in

Key = tuple[str, str, str]  # product, version, period


@dataclass(frozen=True, slots=True)
class Row:
    """The ability of a version in a period; `linked` if versions alone give it its place."""

    product: str
    version: str
    period: str
    ability: Ability
    tasks: int
    linked: bool
    months: float | None

    def as_dict(self) -> dict[str, Any]:
        found = self.ability
        return {
            "product": self.product,
            "version": self.version,
            "period": self.period,
            "theta": found.theta,
            "se": found.se,
            "ci95": list(found.ci95) if found.ci95 else None,
            "tasks": self.tasks,
            "linked": self.linked,
            "why": found.why.value if found.why else None,
        }


@dataclass(frozen=True, slots=True)
class VersionStep:
    """A step from one version of a product to the next."""

    product: str
    before: Row
    after: Row
    step: Step


@dataclass(frozen=True)
class Index:
    """A computed index.

    Attributes:
        periods: all periods in their order; `reference` is one of them.
        velocities: of each product with an ability, by name.
    """

    rows: list[Row]
    tasks: dict[str, TaskFit]
    periods: list[str]
    reference: str
    cells: int
    cells_used: int
    log_likelihood: float | None
    dispersion: float
    pooled: bool
    velocities: dict[str, Velocity] = field(default_factory=dict)
    steps: list[VersionStep] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return it as the command prints it; None with a reason where nothing is known."""
        return {
            "abilities": [row.as_dict() for row in self.rows],
            "tasks": [
                {
                    "task": name,
                    "a": one.a,
                    "b": one.b,
                    "se_a": one.se_a,
                    "se_b": one.se_b,
                    "fit": one.infit,
                    "outfit": one.outfit,
                    "versions": one.versions,
                    "why": one.why.value if one.why else None,
                }
                for name, one in self.tasks.items()
            ],
            "reference": self.reference,
            "cells": self.cells,
            "cells_used": self.cells_used,
            "log_likelihood": self.log_likelihood,
            "dispersion": self.dispersion,
            "unit": "all periods" if self.pooled else "reference",
            "velocity": [
                {
                    "product": name,
                    "per_month": one.per_month,
                    "ci95": list(one.ci95) if one.ci95 else None,
                    "why": one.why.value if one.why else None,
                }
                for name, one in self.velocities.items()
            ],
            "steps": [
                {
                    "product": one.product,
                    "from": one.before.version,
                    "to": one.after.version,
                    "gain": one.step.gain,
                    "ci": list(one.step.ci),
                    "breakthrough": one.step.breakthrough,
                }
                for one in self.steps
            ],
        }


def build(
    cells: Sequence[Cell],
    *,
    reference: str = "",
    months: Mapping[str, float] | None = None,
    released: Mapping[tuple[str, str], float] | None = None,
) -> Index:
    """Return the index of these scores.

    Args:
        reference: the period whose abilities have mean 0 and standard deviation 1; "" is the
            first one.
        months: period -> its middle in months, where it is known better than from its key.
        released: (product, version) -> its release in months, which orders the versions.

    Raises:
        BadInput: there are no scores, or no such period.
    """
    periods, dates = check(cells, months or {}, reference)
    measured = [cell for cell in cells if cell.score is not None]
    first = reference or periods[0]
    keys = sorted(
        {(cell.product, cell.version, cell.period) for cell in cells},
        key=lambda key: (key[0], periods.index(key[2]), key[1]),
    )
    tasks = sorted({cell.task for cell in cells}, key=_natural)
    scores = _matrix(cells, keys, tasks)
    names = sorted({key[:2] for key in keys})
    fitted = irt.fit(
        scores,
        np.array([periods.index(key[2]) for key in keys]),
        np.array([names.index(key[:2]) for key in keys]),
        periods.index(first),
    )
    counts = (~np.isnan(scores)).sum(axis=1)
    rows = [
        Row(*key, ability, int(count), bool(linked), dates[key[2]])
        for key, ability, count, linked in zip(
            keys, fitted.abilities, counts, fitted.linked, strict=True
        )
    ]
    known = [n for n, row in enumerate(rows) if row.ability.theta is not None]
    place = {at: n for n, at in enumerate(known)}
    return Index(
        rows=rows,
        tasks=dict(zip(tasks, fitted.tasks, strict=True)),
        periods=periods,
        reference=first,
        cells=len(measured),
        cells_used=fitted.cells_used,
        log_likelihood=fitted.log_likelihood,
        dispersion=fitted.dispersion,
        pooled=fitted.pooled,
        velocities=_velocities(rows, place, fitted.contrasts),
        steps=_steps(rows, place, fitted.contrasts, dict(released or {})),
    )


def check(
    cells: Sequence[Cell], months: Mapping[str, float], reference: str
) -> tuple[list[str], dict[str, float | None]]:
    """Return the periods of some scores in their order, and the date of each in months.

    Raises:
        BadInput: there are no scores, or no such period.
    """
    dates: dict[str, float | None] = {key: months_in(key) for key in {c.period for c in cells}}
    dates |= dict(months)
    if all(cell.score is None for cell in cells):
        raise BadInput(_("There are no scores to make an index of."), code="no_scores")
    periods = _in_order({cell.period for cell in cells}, dates)
    if reference and reference not in periods:
        detail = _("There is no period “%(name)s” among these scores. Periods: %(known)s.") % {
            "name": reference,
            "known": listed(periods),
        }
        raise BadInput(detail, code="unknown_period", fields={"reference": [detail]})
    return periods, dates


def _in_order(periods: set[str], dates: Mapping[str, float | None]) -> list[str]:
    """Return periods by their dates; by their keys if the date of one is unknown."""
    known = {key: found for key in periods if (found := dates[key]) is not None}
    if len(known) < len(periods):
        return sorted(periods)
    return sorted(periods, key=lambda key: (known[key], key))


def _natural(name: str) -> list[tuple[int, str]]:
    """Return what sorts q2 before q10."""
    parts = re.split(r"([0-9]+)", name)
    return [(int(part), "") if n % 2 else (0, part) for n, part in enumerate(parts)] + [(0, name)]


def _matrix(cells: Sequence[Cell], keys: Sequence[Key], tasks: Sequence[str]) -> irt.Matrix:
    row_of = {key: n for n, key in enumerate(keys)}
    column_of = {task: n for n, task in enumerate(tasks)}
    scores = np.full((len(keys), len(tasks)), np.nan)
    for cell in cells:
        if cell.score is not None:
            at = row_of[cell.product, cell.version, cell.period], column_of[cell.task]
            scores[at] = cell.score
    return scores


def _velocities(
    rows: Sequence[Row], place: Mapping[int, int], covariance: irt.Matrix
) -> dict[str, Velocity]:
    found: dict[str, Velocity] = {}
    for product in sorted({row.product for row in rows}):
        mine = [n for n in place if rows[n].product == product]
        if not mine:
            continue
        at = [place[n] for n in mine]
        thetas = [rows[n].ability.theta or 0.0 for n in mine]
        found[product] = growth.velocity(
            [rows[n].months for n in mine], thetas, covariance[np.ix_(at, at)]
        )
    return found


def _steps(
    rows: Sequence[Row],
    place: Mapping[int, int],
    covariance: irt.Matrix,
    released: Mapping[tuple[str, str], float],
) -> list[VersionStep]:
    """Return the steps between consecutive versions of each product.

    Versions follow each other by release, else by the first period they were measured in. Each is
    taken at the mean of its abilities in all periods, which is all that is known of it.
    """
    by_version: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at in place:
        by_version[rows[at].product, rows[at].version].append(at)
    order: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for version in by_version:  # in the order of their first periods, as the rows are
        order[version[0]].append(version)
    pairs: list[tuple[tuple[str, str], tuple[str, str]]] = []
    for versions in order.values():
        if all(one in released for one in versions):
            versions.sort(key=lambda one: (released[one], one[1]))
        pairs.extend(zip(versions, versions[1:], strict=False))
    thetas = np.array([rows[at].ability.theta for at in place])
    changes = []
    for before, after in pairs:
        mean = np.zeros(len(thetas))
        for version, sign in ((before, -1), (after, 1)):
            mine = [place[at] for at in by_version[version]]
            mean[mine] = sign / len(mine)
        variance = float(mean @ covariance @ mean)
        changes.append((float(mean @ thetas), max(variance, 0.0) ** 0.5))
    return [
        VersionStep(before[0], rows[by_version[before][-1]], rows[by_version[after][0]], step)
        for (before, after), step in zip(pairs, growth.steps(changes), strict=True)
    ]
