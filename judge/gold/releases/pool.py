"""The pool of tasks for gold: approved, written here, each with its rubric, anchor and stratum."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import Exists, OuterRef

from curation.base.process.lifecycle import AnchorStage, Stage
from curation.joining.domains.models import Domain
from curation.tasks.business.reverification_queries import expired
from curation.tasks.task.models import THROUGH_THE_PROCESS, Origin, Task
from judge.base.gold_sets.retirements import retired
from judge.gold.releases.strata import DOMAIN, Stratum, stratify
from judge.scoring.anchors.exemplar_validity import fitting
from judge.scoring.anchors.models import Anchor
from rubrics.versions.models import RubricVersion
from rubrics.versions.queries import versions_that_count


@dataclass(frozen=True, slots=True)
class Entry:
    """An approved task written here. `anchor` is its validated anchor, if that fits its rubric."""

    pk: int
    key: str
    title: str
    domain: str
    stratum: str
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
class SetAside:
    """A stratum set aside because it has too few approved tasks."""

    stratum: str
    name: str
    label: str
    approved: int
    minimum: int

    def as_dict(self) -> dict[str, str | int]:
        """Return plain data for rows and manifests, in English."""
        return {"stratum": self.stratum, "name": self.name, "approved": self.approved}


@dataclass(frozen=True, slots=True)
class Pool:
    """All tasks that may be drawn, and counts of those that may not.

    Attributes:
        kind: what the strata are, one of `judge.gold.releases.strata.STRATA`.
        strata: every stratum with an approved task, in the order of pages.
        retired: approved tasks that staff retired from draws; they are no entries.
        expired: approved tasks whose dynamic answer nobody has verified since its last day.
    """

    entries: tuple[Entry, ...]
    domains: Mapping[str, Domain]
    kind: str
    strata: Mapping[str, Stratum]
    external: int
    without_rubric: int
    retired: int = 0
    expired: int = 0

    def ready(self, *, allow_unanchored: bool) -> tuple[Entry, ...]:
        """Return the entries a release may hold."""
        return tuple(e for e in self.entries if allow_unanchored or e.anchor is not None)

    def set_aside(self, minimum: int) -> tuple[SetAside, ...]:
        """Return the strata with fewer approved tasks than `minimum`, in the order of pages."""
        approved = Counter(entry.stratum for entry in self.entries)
        return tuple(
            SetAside(key, stratum.name, stratum.label, approved[key], minimum)
            for key, stratum in self.strata.items()
            if approved[key] < minimum
        )

    def without(self, aside: tuple[SetAside, ...]) -> "Pool":
        """Return the pool without the tasks of strata that are set aside."""
        gone = {one.stratum for one in aside}
        if not gone:
            return self
        return replace(
            self,
            entries=tuple(e for e in self.entries if e.stratum not in gone),
            strata={key: s for key, s in self.strata.items() if key not in gone},
        )


def pool(
    kind: str = DOMAIN,
    *,
    today: date | None = None,
    with_retired: bool = False,
    with_expired: bool = False,
) -> Pool:
    """Return the approved tasks written here, with rubric and anchor; external ones never enter.

    Tasks collected from business are part of it. Dynamic answers that have expired are left out
    until an expert has verified them again.

    Args:
        kind: what the strata are, one of `judge.gold.releases.strata.STRATA`.
        with_retired: also the tasks retired from draws, for a draw that took them before.
        today: the day on which answers must hold; None for the present one.
        with_expired: whether expired answers stay in it, for a draw that was made before.
    """
    every = Task.objects.filter(origin__in=THROUGH_THE_PROCESS, stage=Stage.APPROVED)
    approved = every if with_expired else every.exclude(expired(today))
    stratified = stratify(approved, kind)
    rows = list(
        approved.order_by("key")
        .annotate(out=Exists(retired().filter(task=OuterRef("pk"))))
        .values_list("pk", "key", "title", "domain__key", "version", "out")
    )
    tasks = [row[:-1] for row in rows if with_retired or not row[-1]]
    versions = versions_that_count(row[0] for row in tasks)
    anchors: dict[int, tuple[int | None, str, int | None]] = {
        task: (pk, stage, version)
        for task, pk, stage, version in Anchor.objects.filter(
            task__origin__in=THROUGH_THE_PROCESS, task__stage=Stage.APPROVED
        ).values_list("task_id", "pk", "stage", "sheet__version_id")
    }
    fine = fitting(
        (version, versions[task].pk)
        for task, (_pk, stage, version) in anchors.items()
        if stage == AnchorStage.VALIDATED and task in versions
    )
    entries = []
    for pk, key, title, domain, text_version in tasks:
        if pk not in versions or pk not in stratified.of:  # approved a moment ago
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
                stratum=stratified.of[pk],
                version=versions[pk],
                anchor=anchor if validated and fits else None,
                anchor_stage=stage,
                outdated=validated and not fits,
                text_version=text_version,
            )
        )
    there = {entry.stratum for entry in entries}
    return Pool(
        entries=tuple(entries),
        domains={d.key: d for d in Domain.objects.filter(external=False)}
        | {d.key: d for d in Domain.objects.filter(key__in={e.domain for e in entries})},
        kind=kind,
        strata={key: stratum for key, stratum in stratified.strata.items() if key in there},
        external=Task.objects.filter(origin=Origin.EXTERNAL).count(),
        without_rubric=len(tasks) - len(entries),
        retired=sum(row[-1] for row in rows),
        expired=0 if with_expired else every.filter(expired(today)).count(),
    )
