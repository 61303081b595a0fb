"""The pool of tasks for gold, and seeded, stratified draws from it. Nothing is written here."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from curation.domains.models import Domain
from curation.process.lifecycle import AnchorStage, Stage
from curation.tasks.models import Origin, Task
from curation.text.wording import clauses, listed
from curation.web.refusals import BadInput
from judge.anchors.exemplar_validity import fitting
from judge.anchors.models import Anchor
from judge.releases.models import Allocation
from judge.stats.sampling import Sample, ShortfallError, allocate, draw
from rubrics.versions.models import RubricVersion
from rubrics.versions.queries import versions_that_count

STRATA = ("domain",)
MOST = 100_000  # tasks in one sample


@dataclass(frozen=True, slots=True)
class Entry:
    """An approved task written here. `anchor` is its validated anchor, if that fits its rubric."""

    pk: int
    key: str
    title: str
    domain: str
    version: RubricVersion
    anchor: int | None
    anchor_stage: str
    outdated: bool  # validated, but for an older rubric
    text_version: int = 0  # of the task's text

    @property
    def lacks_anchor(self) -> bool:
        """Whether a draw starts scoring: it has no anchor, or one for an older rubric."""
        return not self.anchor_stage or self.outdated


@dataclass(frozen=True, slots=True)
class Pool:
    """All tasks that may be drawn, and counts of those that may not."""

    entries: tuple[Entry, ...]
    domains: Mapping[str, Domain]
    external: int
    without_rubric: int

    def ready(self, *, allow_unanchored: bool) -> tuple[Entry, ...]:
        """Return the entries a release may hold."""
        return tuple(e for e in self.entries if allow_unanchored or e.anchor is not None)


@dataclass(frozen=True, slots=True)
class DrawSpec:
    """The settings of a draw. `quotas` (stratum -> number) replace the allocation if given."""

    size: int
    seed: int = 0
    strata: str = "domain"
    allocation: str = Allocation.PROPORTIONAL
    quotas: Mapping[str, int] | None = None
    redistribute: bool = False
    allow_unanchored: bool = False

    def check(self) -> None:
        """Raise BadInput for invalid settings."""
        fields: dict[str, list[str]] = {}
        if not 1 <= self.size <= MOST:
            fields["size"] = [_("A sample has at least 1 task.")]
        if not 0 <= self.seed < 2**63:
            fields["seed"] = [_("A seed is a whole number of at least 0.")]
        if self.strata not in STRATA:
            fields["strata"] = [_("Samples are drawn per domain.")]
        if self.allocation not in Allocation.values:
            fields["allocation"] = [_("Choose proportional or equal shares.")]
        if self.quotas is not None and any(quota < 0 for quota in self.quotas.values()):
            fields["quotas"] = [_("A quota is at least 0.")]
        if fields:
            raise BadInput(" ".join(m for each in fields.values() for m in each), fields=fields)


@dataclass(frozen=True, slots=True)
class Row:
    """One stratum of a plan."""

    stratum: str
    name: str
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
class Plan:
    """The result of a draw: rows by stratum, in the order of the domains."""

    spec: DrawSpec
    rows: tuple[Row, ...]

    @property
    def drawn(self) -> tuple[Entry, ...]:
        """All tasks drawn, sorted by stratum and key, as in every file."""
        return tuple(
            sorted((e for row in self.rows for e in row.drawn), key=lambda e: (e.domain, e.key))
        )

    @property
    def missing(self) -> int:
        return sum(row.short for row in self.rows)


def pool() -> Pool:
    """Return the approved tasks written here, with rubric and anchor; external ones never enter."""
    tasks = list(
        Task.objects.filter(origin=Origin.OWN, stage=Stage.APPROVED)
        .order_by("key")
        .values_list("pk", "key", "title", "domain__key", "version")
    )
    versions = versions_that_count(row[0] for row in tasks)
    anchors: dict[int, tuple[int | None, str, int | None]] = {
        task: (pk, stage, version)
        for task, pk, stage, version in Anchor.objects.filter(
            task__origin=Origin.OWN, task__stage=Stage.APPROVED
        ).values_list("task_id", "pk", "stage", "sheet__version_id")
    }
    fine = fitting(
        (version, versions[task].pk)
        for task, (_pk, stage, version) in anchors.items()
        if stage == AnchorStage.VALIDATED and task in versions
    )
    entries = []
    for pk, key, title, domain, text_version in tasks:
        if pk not in versions:
            continue
        anchor, stage, version = anchors.get(pk, (None, "", None))
        validated = stage == AnchorStage.VALIDATED
        fits = (version, versions[pk].pk) in fine
        entries.append(
            Entry(
                pk=pk,
                key=key,
                title=title,
                domain=domain,
                version=versions[pk],
                anchor=anchor if validated and fits else None,
                anchor_stage=stage,
                outdated=validated and not fits,
                text_version=text_version,
            )
        )
    return Pool(
        entries=tuple(entries),
        domains={d.key: d for d in Domain.objects.filter(external=False)}
        | {d.key: d for d in Domain.objects.filter(key__in={e.domain for e in entries})},
        external=Task.objects.filter(origin=Origin.EXTERNAL).count(),
        without_rubric=len(tasks) - len(entries),
    )


def plan(found: Pool, spec: DrawSpec, *, partial: bool = False) -> Plan:
    """Allocate the sample to the strata and draw it.

    Quotas follow the approved tasks; only tasks that are ready (anchored, unless unanchored ones
    are allowed) can be drawn. A stratum that cannot fill its quota is refused, unless
    redistribution is on; with `partial` the plan draws what there is instead.

    Raises:
        BadInput: invalid settings, or `shortfall` with the strata in `data`.
    """
    spec.check()
    approved = Counter(entry.domain for entry in found.entries)
    ready = found.ready(allow_unanchored=spec.allow_unanchored)
    by_stratum: dict[str, dict[str, Entry]] = {name: {} for name in approved}
    for entry in ready:
        by_stratum[entry.domain][entry.key] = entry
    quotas = _quotas(spec, approved)
    short = {n: q - len(by_stratum[n]) for n, q in quotas.items() if q > len(by_stratum[n])}
    spread = spec.redistribute and bool(short) and spec.size <= len(ready)
    if short and not spread and not partial:
        raise _shortfall(found, quotas, by_stratum, enough=spec.size <= len(ready))
    # Without enough tasks, a partial plan draws what every stratum has.
    wanted = quotas if spread or not short else _capped(quotas, by_stratum)
    sample = _draw(by_stratum, wanted, spec.seed, redistribute=spread)
    anchored = Counter(entry.domain for entry in found.entries if entry.anchor is not None)
    return Plan(
        spec,
        tuple(
            Row(
                stratum=name,
                name=str(found.domains[name]),
                approved=approved[name],
                anchored=anchored[name],
                wanted=len(sample.strata[name]) if spread else quotas.get(name, 0),
                drawn=tuple(by_stratum[name][key] for key in sample.strata[name]),
            )
            for name in sorted(approved, key=lambda n: (found.domains[n].position, n))
        ),
    )


def _quotas(spec: DrawSpec, approved: Mapping[str, int]) -> dict[str, int]:
    """Return the quota of each stratum by its approved tasks, whether ready or not."""
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
                fields={"quotas": [_("Ask for tasks of other domains.")]},
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
    detail = _("Some domains have too few tasks that are ready. %(strata)s.") % {
        "strata": clauses(parts)
    }
    way_on = (
        _("Lower the quotas, spread the rest over the others, or ask for anchors.")
        if enough
        else _("All domains together have too few. Draw fewer tasks, or ask for anchors.")
    )
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
