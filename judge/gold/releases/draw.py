"""Seeded, stratified draws from the pool of tasks for gold. Nothing is written here."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text.wording import clauses, listed
from curation.base.web.refusals import BadInput
from judge.base.gold_sets.models import Allocation
from judge.base.stats.sampling import Sample, ShortfallError, allocate, draw
from judge.gold.releases.pool import Entry, Pool, SetAside
from judge.gold.releases.strata import STRATA

MOST = 100_000  # tasks in one sample


@dataclass(frozen=True, slots=True)
class DrawSpec:
    """The settings of a draw.

    Attributes:
        strata: one of `STRATA`.
        quotas: stratum -> number; replace the allocation if given.
        minimum: strata with fewer approved tasks are set aside; 0 for none.
    """

    size: int
    seed: int = 0
    strata: str = "domain"
    allocation: str = Allocation.PROPORTIONAL
    quotas: Mapping[str, int] | None = None
    redistribute: bool = False
    allow_unanchored: bool = False
    minimum: int = 0

    def check(self) -> None:
        """Raise BadInput for invalid settings."""
        fields: dict[str, list[str]] = {}
        if not 1 <= self.size <= MOST:
            fields["size"] = [_("A sample has at least 1 task.")]
        if not 0 <= self.seed < 2**63:
            fields["seed"] = [_("A seed is a whole number of at least 0.")]
        if self.strata not in STRATA:
            fields["strata"] = [
                _("The strata are one of: %(known)s.") % {"known": ", ".join(STRATA)}
            ]
        if self.allocation not in Allocation.values:
            fields["allocation"] = [_("Choose proportional or equal shares.")]
        if self.quotas is not None and any(quota < 0 for quota in self.quotas.values()):
            fields["quotas"] = [_("A quota is at least 0.")]
        if not 0 <= self.minimum <= MOST:
            fields["minimum"] = [_("The minimum is a whole number of at least 0.")]
        if fields:
            raise BadInput(" ".join(m for each in fields.values() for m in each), fields=fields)


@dataclass(frozen=True, slots=True)
class Row:
    """One stratum of a plan; `name` is in the reader's language."""

    stratum: str
    name: str
    in_english: str
    approved: int
    anchored: int
    wanted: int
    drawn: tuple[Entry, ...]

    @property
    def short(self) -> int:
        return max(0, self.wanted - len(self.drawn))

    @property
    def spare(self) -> int:
        """Anchored tasks that are not drawn."""
        return max(0, self.anchored - len(self.drawn))


@dataclass(frozen=True, slots=True)
class LeftOutTask:
    """A drawn task that staff leave out of a release: its anchor's state as a code, and why."""

    task: int
    key: str
    state: str
    reason: str

    def as_dict(self) -> dict[str, str]:
        """Return plain data for a manifest."""
        return {"task": self.key, "state": self.state, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Origin:
    """The draw that a release is frozen from.

    Attributes:
        drawn: the number of tasks drawn.
        drawn_on: the day of the draw (UTC), as YYYY-MM-DD.
        not_drawn: approved tasks of today that are not in the draw.
    """

    draw: int
    drawn: int
    drawn_on: str
    not_drawn: int
    exceptions: tuple[LeftOutTask, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The result of a draw: rows by stratum, in the order of pages.

    Attributes:
        pool: the tasks it was drawn from, without the strata set aside.
        approved: all approved tasks, those of strata set aside included.
        origin: the draw it was frozen from; None where tasks are drawn for it.
    """

    spec: DrawSpec
    rows: tuple[Row, ...]
    pool: Pool
    approved: int
    aside: tuple[SetAside, ...] = ()
    origin: Origin | None = None

    @property
    def drawn(self) -> tuple[Entry, ...]:
        """All tasks drawn, sorted by domain and key, as in every file."""
        return tuple(
            sorted((e for row in self.rows for e in row.drawn), key=lambda e: (e.domain, e.key))
        )

    @property
    def sha256(self) -> str:
        """A hash of the keys of the tasks drawn, which tells two draws apart."""
        keys = "\n".join(entry.key for entry in self.drawn)
        return hashlib.sha256(keys.encode()).hexdigest()

    @property
    def missing(self) -> int:
        return sum(row.short for row in self.rows)

    @property
    def not_drawn(self) -> int:
        """Tasks that could have been drawn and were not."""
        if self.origin is not None:
            return self.origin.not_drawn
        ready = self.pool.ready(allow_unanchored=self.spec.allow_unanchored)
        return len(ready) - len(self.drawn)


def plan(found: Pool, spec: DrawSpec, *, partial: bool = False) -> Plan:
    """Allocate the sample to the strata and draw it.

    Quotas follow the approved tasks; only tasks that are ready (anchored, unless unanchored ones
    are allowed) can be drawn. A stratum that cannot fill its quota is refused, unless
    redistribution is on; with `partial` the plan draws what there is instead.

    Raises:
        BadInput: invalid settings, or `shortfall` with the strata in `data`.
    """
    spec.check()
    everything = len(found.entries)
    aside = found.set_aside(spec.minimum)
    found = found.without(aside)
    _check_quotas_of(aside, found, spec)
    approved = Counter(entry.stratum for entry in found.entries)
    ready = found.ready(allow_unanchored=spec.allow_unanchored)
    by_stratum: dict[str, dict[str, Entry]] = {name: {} for name in approved}
    for entry in ready:
        by_stratum[entry.stratum][entry.key] = entry
    quotas = _quotas(spec, approved, found.retired)
    short = {n: q - len(by_stratum[n]) for n, q in quotas.items() if q > len(by_stratum[n])}
    spread = spec.redistribute and bool(short) and spec.size <= len(ready)
    if short and not spread and not partial:
        raise _shortfall(found, quotas, by_stratum, enough=spec.size <= len(ready))
    # Without enough tasks, a partial plan draws what every stratum has.
    wanted = quotas if spread or not short else _capped(quotas, by_stratum)
    sample = _draw(by_stratum, wanted, spec.seed, redistribute=spread)
    anchored = Counter(entry.stratum for entry in found.entries if entry.anchor is not None)
    return Plan(
        spec,
        tuple(
            Row(
                stratum=name,
                name=found.strata[name].label,
                in_english=found.strata[name].name,
                approved=approved[name],
                anchored=anchored[name],
                wanted=len(sample.strata[name]) if spread else quotas.get(name, 0),
                drawn=tuple(by_stratum[name][key] for key in sample.strata[name]),
            )
            for name in found.strata
        ),
        found,
        everything,
        aside,
    )


def _check_quotas_of(aside: tuple[SetAside, ...], left: Pool, spec: DrawSpec) -> None:
    """Refuse a quota for a stratum that is set aside, and a draw from which nothing is left."""
    asked = [one for one in aside if (spec.quotas or {}).get(one.stratum)]
    if asked:
        one = asked[0]
        detail = _(
            "%(name)s has %(approved)s approved tasks, fewer than the minimum of %(minimum)s, so "
            "it is set aside. Lower the minimum, or give it no quota."
        ) % {"name": one.label, "approved": one.approved, "minimum": one.minimum}
        raise BadInput(detail, code="set_aside", fields={"minimum": [detail]})
    if aside and not left.entries:
        detail = _("Every stratum has fewer than %(n)s approved tasks. Lower the minimum.") % {
            "n": spec.minimum
        }
        raise BadInput(detail, code="set_aside", fields={"minimum": [detail]})


def _quotas(spec: DrawSpec, approved: Mapping[str, int], retired: int) -> dict[str, int]:
    """Return the quota of each stratum by its approved tasks, whether ready or not."""
    if not approved and retired:
        raise BadInput(
            _("Every approved task is retired from draws, so nothing can be drawn."),
            code="shortfall",
        )
    if not approved:
        raise BadInput(
            _("There is no approved task yet, so nothing can be drawn."), code="shortfall"
        )
    if spec.quotas is not None:
        unknown = sorted(set(spec.quotas) - set(approved))
        given = {name: spec.quotas.get(name, 0) for name in sorted(approved)}
        if any(spec.quotas[name] for name in unknown):
            raise BadInput(
                _("There is no approved task in: %(names)s.") % {"names": listed(unknown)},
                fields={"quotas": [_("Ask for tasks of other strata.")]},
            )
        if sum(given.values()) != spec.size:
            raise BadInput(
                _("The quotas add up to %(sum)s, the size is %(size)s. Make them agree.")
                % {"sum": sum(given.values()), "size": spec.size},
                fields={"size": [_("The quotas add up to another number.")]},
            )
        return given
    if spec.allocation == Allocation.EQUAL:
        # Pretend that every stratum is large enough: shortfalls are found later, by ready tasks.
        return allocate({n: c + spec.size for n, c in approved.items()}, spec.size, "equal")
    return _proportional(approved, spec.size)


def _proportional(approved: Mapping[str, int], size: int) -> dict[str, int]:
    """Allocate by largest remainder over the approved tasks, even beyond their number."""
    try:
        return allocate(approved, size, "proportional")
    except ShortfallError as shortfall:
        quotas = dict(approved)
        for short in shortfall.strata:
            quotas[short.stratum] = short.wanted
        return quotas


def _capped(
    quotas: Mapping[str, int], by_stratum: Mapping[str, Mapping[str, Entry]]
) -> dict[str, int]:
    return {name: min(quota, len(by_stratum[name])) for name, quota in quotas.items()}


def _draw(
    by_stratum: Mapping[str, Mapping[str, Entry]],
    quotas: Mapping[str, int],
    seed: int,
    *,
    redistribute: bool,
) -> Sample:
    return draw(
        {name: list(entries) for name, entries in by_stratum.items()},
        sum(quotas.values()),
        seed,
        quotas,
        redistribute=redistribute,
    )


def _shortfall(
    found: Pool,
    quotas: Mapping[str, int],
    by_stratum: Mapping[str, Mapping[str, Any]],
    *,
    enough: bool,
) -> BadInput:
    parts = [
        _("%(name)s: wanted %(wanted)s, available %(available)s")
        % {"name": name, "wanted": quota, "available": len(by_stratum[name])}
        for name, quota in quotas.items()
        if quota > len(by_stratum[name])
    ]
    detail = _("Some strata have too few tasks that are ready. %(strata)s.") % {
        "strata": clauses(parts)
    }
    way_on = (
        _("Lower the quotas, spread the rest over the others, or ask for anchors.")
        if enough
        else _("All strata together have too few. Draw fewer tasks, or ask for anchors.")
    )
    if found.retired:
        left_out = ngettext(
            "%(n)s approved task is retired from draws.",
            "%(n)s approved tasks are retired from draws.",
            found.retired,
        )
        way_on = f"{way_on} {left_out % {'n': f'{found.retired:,}'}}"
    return BadInput(
        f"{detail} {way_on}",
        code="shortfall",
        fields={"size": [detail]},
        data={
            "strata": [
                {"stratum": name, "wanted": quota, "available": len(by_stratum[name])}
                for name, quota in quotas.items()
                if quota > len(by_stratum[name])
            ]
        },
    )
