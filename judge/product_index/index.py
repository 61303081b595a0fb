"""The index: abilities of versions over periods, with growth and breakthroughs.

An ability belongs to a version in a period, so that a product which drifts shows it. Periods are
linked by the tasks they share. Where all tasks were replaced, versions measured on both sides link
them: they are then held to be unchanged (docs/product_index.md).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from curation.text.wording import listed
from curation.web.refusals import BadInput
from judge.product_index.cells import Cell
from judge.product_index.dates import months_in
from judge.stats import growth, irt
from judge.stats.growth import Step, Velocity
from judge.stats.irt import Ability, TaskFit
from judge.stats.irt_cells import components, usable
from judge.stats.reasons import Reason

MOST_KEPT = 100_000  # cells of an index that stays in memory, about 10 MB

Key = tuple[str, str, str]  # product, version, period


@dataclass(frozen=True, slots=True)
class Row:
    """The ability of a version in a period; `linked` if it is held to be equal in others."""

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
    one_in_reference: bool
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
    """Return the index of these scores. It is not to be changed: it may be another request's, too.

    A fit takes seconds, and most requests ask for the one before. So the last few are kept in this
    process by all that they were made of; any other score is another key.

    Args:
        reference: the period whose abilities have mean 0 and standard deviation 1; "" is the
            first one.
        months: period -> its middle in months, where it is known better than from its key.
        released: (product, version) -> its release in months, which orders the versions.

    Raises:
        BadInput: there are no scores, or no such period.
    """
    kept = len(cells) <= MOST_KEPT
    return (_built if kept else _built.__wrapped__)(
        tuple(cells),
        reference,
        tuple(sorted((months or {}).items())),
        tuple(sorted((released or {}).items())),
    )


@lru_cache(maxsize=2)
def _built(
    cells: tuple[Cell, ...],
    reference: str,
    months: tuple[tuple[str, float], ...],
    released: tuple[tuple[tuple[str, str], float], ...],
) -> Index:
    """Compute an index. A refusal is in the reader's language; exceptions are not kept."""
    dates: dict[str, float | None] = {key: months_in(key) for key in {c.period for c in cells}}
    dates |= dict(months)
    measured = [cell for cell in cells if cell.score is not None]
    if not measured:
        raise BadInput(_("There are no scores to make an index of."), code="no_scores")
    periods = _in_order({cell.period for cell in cells}, dates)
    if reference and reference not in periods:
        detail = _("There is no period “%(name)s” among these scores. Periods: %(known)s.") % {
            "name": reference,
            "known": listed(periods),
        }
        raise BadInput(detail, code="unknown_period", fields={"reference": [detail]})
    first = reference or periods[0]
    keys = sorted(
        {(cell.product, cell.version, cell.period) for cell in cells},
        key=lambda key: (key[0], periods.index(key[2]), key[1]),
    )
    tasks = sorted({cell.task for cell in cells})
    scores = _matrix(cells, keys, tasks)
    subject = _subjects(scores, keys, periods, first)
    joined, groups = _joined(scores, keys, subject, periods, first)
    fitted = irt.fit(joined, groups, periods.index(first))
    shared = {at for at in set(subject) if subject.count(at) > 1}
    counts = (~np.isnan(scores)).sum(axis=1)
    rows = [
        Row(*key, fitted.abilities[at], int(count), at in shared, dates[key[2]])
        for key, at, count in zip(keys, subject, counts, strict=True)
    ]
    place = _places(fitted.abilities)
    return Index(
        rows=rows,
        tasks=dict(zip(tasks, fitted.tasks, strict=True)),
        periods=periods,
        reference=first,
        cells=len(measured),
        cells_used=fitted.cells_used,
        log_likelihood=fitted.log_likelihood,
        dispersion=fitted.dispersion,
        one_in_reference=fitted.one_in_reference,
        velocities=_velocities(rows, subject, place, fitted.contrasts),
        steps=_steps(rows, subject, place, fitted.contrasts, dict(released), periods),
    )


def _in_order(periods: set[str], dates: Mapping[str, float | None]) -> list[str]:
    """Return periods by their dates; by their keys if the date of one is unknown."""
    known = {key: found for key in periods if (found := dates[key]) is not None}
    if len(known) < len(periods):
        return sorted(periods)
    return sorted(periods, key=lambda key: (known[key], key))


def _matrix(cells: Sequence[Cell], keys: Sequence[Key], tasks: Sequence[str]) -> irt.Matrix:
    row_of = {key: n for n, key in enumerate(keys)}
    column_of = {task: n for n, task in enumerate(tasks)}
    scores = np.full((len(keys), len(tasks)), np.nan)
    for cell in cells:
        if cell.score is not None:
            at = row_of[cell.product, cell.version, cell.period], column_of[cell.task]
            scores[at] = cell.score
    return scores


def _subjects(
    scores: irt.Matrix, keys: Sequence[Key], periods: Sequence[str], reference: str
) -> list[int]:
    """Return for each row the number of the ability it measures.

    Rows of one version in parts that no task connects share one; all others have their own.
    """
    in_reference = np.array([key[2] == reference for key in keys])
    use = usable(scores, in_reference)
    # What hangs together is looked at before the rest is dropped as disconnected.
    rows = np.array([why in (None, Reason.DISCONNECTED) for why in use.why_rows])
    columns = np.array([why in (None, Reason.DISCONNECTED) for why in use.why_columns])
    part_of, _columns = components(scores, rows, columns)
    first_of: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    for at in sorted(range(len(keys)), key=lambda n: periods.index(keys[n][2])):
        if part_of[at] >= 0:
            first_of[keys[at][:2]].setdefault(part_of[at], at)
    leader = list(range(len(keys)))
    for parts in first_of.values():
        firsts = sorted(parts.values(), key=lambda n: (not in_reference[n], n))
        for at in firsts:
            leader[at] = firsts[0]
    number = {at: n for n, at in enumerate(sorted(set(leader)))}
    return [number[at] for at in leader]


def _joined(
    scores: irt.Matrix,
    keys: Sequence[Key],
    subject: Sequence[int],
    periods: Sequence[str],
    reference: str,
) -> tuple[irt.Matrix, irt.Groups]:
    """Return the scores with one row for each ability, and the period of each."""
    joined = np.full((max(subject) + 1, scores.shape[1]), np.nan)
    groups = np.full(len(joined), -1, dtype=np.int64)
    for at, key in enumerate(keys):
        own = joined[subject[at]]
        joined[subject[at]] = np.where(np.isnan(scores[at]), own, scores[at])
        period = periods.index(key[2])
        if groups[subject[at]] < 0 or key[2] == reference:
            groups[subject[at]] = period
    return joined, groups


def _places(abilities: Sequence[Ability]) -> dict[int, int]:
    """Return the place of each ability in the covariance matrix, of those that have one."""
    known = [n for n, found in enumerate(abilities) if found.theta is not None]
    return {at: place for place, at in enumerate(known)}


def _velocities(
    rows: Sequence[Row], subject: Sequence[int], place: Mapping[int, int], covariance: irt.Matrix
) -> dict[str, Velocity]:
    found: dict[str, Velocity] = {}
    for product in sorted({row.product for row in rows}):
        mine = [n for n, row in enumerate(rows) if row.product == product and subject[n] in place]
        if not mine:
            continue
        at = [place[subject[n]] for n in mine]
        thetas = [theta for n in mine if (theta := rows[n].ability.theta) is not None]
        found[product] = growth.velocity(
            [rows[n].months for n in mine], thetas, covariance[np.ix_(at, at)]
        )
    return found


def _steps(
    rows: Sequence[Row],
    subject: Sequence[int],
    place: Mapping[int, int],
    covariance: irt.Matrix,
    released: Mapping[tuple[str, str], float],
    periods: Sequence[str],
) -> list[VersionStep]:
    """Return the steps between consecutive versions of each product.

    Versions follow each other by release, else by the first period they were measured in. Two of
    them are compared in a period that has both, else the earlier one's last with the later one's
    first.
    """
    by_version: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        if subject[at] in place:
            by_version[row.product, row.version].append(at)
    order: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for version in by_version:
        order[version[0]].append(version)
    pairs: list[tuple[int, int]] = []
    for versions in order.values():
        if all(one in released for one in versions):
            versions.sort(key=lambda one: (released[one], one[1]))
        else:
            versions.sort(key=lambda one: (periods.index(rows[by_version[one][0]].period), one[1]))
        for before, after in zip(versions, versions[1:], strict=False):
            pairs.append(_compared(rows, by_version[before], by_version[after]))
    changes = []
    for one, two in pairs:
        first, last = place[subject[one]], place[subject[two]]
        variance = covariance[first, first] + covariance[last, last] - 2 * covariance[first, last]
        gain = (rows[two].ability.theta or 0.0) - (rows[one].ability.theta or 0.0)
        changes.append((gain, float(np.sqrt(max(variance, 0.0)))))
    return [
        VersionStep(rows[one].product, rows[one], rows[two], step)
        for (one, two), step in zip(pairs, growth.steps(changes), strict=True)
    ]


def _compared(rows: Sequence[Row], before: list[int], after: list[int]) -> tuple[int, int]:
    in_period = {rows[at].period: at for at in before}
    for at in after:
        if (same := in_period.get(rows[at].period)) is not None:
            return same, at
    return before[-1], after[0]
