"""How much of the machine's drafts is left in what experts sent, per task and per model.

Measured where a rubric counts: at the latest version its author sent. A drafted line was kept as it
was, edited (with how much of its words), or dropped; what has no drafted line behind it was added.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from django.db.models import Count

from curation.domains.models import Domain
from curation.tasks.models import Origin
from judge.drafts.models import DraftRequest
from rubrics.versions.draft_retention import changed
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.queries import AT_ONCE, versions_that_count

# Fewer are no ground for a percentage.
ENOUGH_LINES = 30
ENOUGH_TASKS = 3


@dataclass
class Fate:
    """What became of drafted lines: counts, and how much was changed of each edited one (0 to
    100 percent of its words)."""

    drafted: int = 0
    kept: int = 0
    added: int = 0
    changes: list[int] = field(default_factory=list)

    @property
    def edited(self) -> int:
        return len(self.changes)

    @property
    def dropped(self) -> int:
        return self.drafted - self.kept - self.edited

    @property
    def mean_change(self) -> float | None:
        """0 to 1, over the edited lines; None without any."""
        return fmean(self.changes) / 100 if self.changes else None

    @property
    def surviving(self) -> float | None:
        """0 to 1: kept lines count whole, edited ones by the share of words left; None for no
        drafted line."""
        if not self.drafted:
            return None
        return (self.kept + sum(100 - change for change in self.changes) / 100) / self.drafted

    def add(self, other: "Fate") -> None:
        self.drafted += other.drafted
        self.kept += other.kept
        self.added += other.added
        self.changes += other.changes


@dataclass
class TaskRow:
    """One rubric that was sent. `draft` and `version` are numbers of versions."""

    task: int
    key: str
    title: str
    domain: str
    model: str
    draft: int
    version: int
    fate: Fate

    @property
    def bar(self) -> list[tuple[int, str]]:
        """Kept, edited and dropped lines, for a bar."""
        return [
            (self.fate.kept, "ink"),
            (self.fate.edited, "ink-3"),
            (self.fate.dropped, "empty"),
        ]


@dataclass
class ModelRow:
    """All first drafts of one model, and the further ones it was asked for.

    Attributes:
        asked, failed: requests for further drafts (those that wait are in neither).
        offered, taken: lines of further drafts, and how many of them stand in what was sent.
    """

    model: str
    tasks: int = 0
    fate: Fate = field(default_factory=Fate)
    written: int = 0
    offered: int = 0
    taken: int = 0

    @property
    def tells(self) -> bool:
        """Whether there is enough for a percentage."""
        return self.tasks >= ENOUGH_TASKS and self.fate.drafted >= ENOUGH_LINES

    def _share(self, count: int) -> float | None:
        return count / self.fate.drafted if self.tells else None

    @property
    def kept(self) -> float | None:
        return self._share(self.fate.kept)

    @property
    def edited(self) -> float | None:
        return self._share(self.fate.edited)

    @property
    def dropped(self) -> float | None:
        return self._share(self.fate.dropped)

    @property
    def surviving(self) -> float | None:
        return self.fate.surviving if self.tells else None

    @property
    def added_per_task(self) -> float | None:
        return self.fate.added / self.tasks if self.tasks else None


@dataclass
class Report:
    """What staff read about drafts.

    Attributes:
        waiting: drafted rubrics that were not sent yet; nothing can be said of them.
        failures: reason -> how often a further draft was not written.
    """

    tasks: list[TaskRow]
    models: list[ModelRow]
    everything: ModelRow
    waiting: int
    failures: dict[str, int]


def survival(domain: str = "") -> Report:
    """The report over all domains, or one. Seven queries up to 5,000 rubrics."""
    drafts = list(
        RubricVersion.objects.filter(
            origin=RubricVersion.Origin.DRAFT,
            task__origin=Origin.OWN,
            **({"task__domain__key": domain} if domain else {}),
        )
        .annotate(n=Count("criteria"))
        .filter(n__gt=0)
        .order_by("task_id", "number")
        .values(
            "pk",
            "n",
            "number",
            "drafted_by",
            "task_id",
            "task__key",
            "task__title",
            "task__domain_id",
        )
    )
    counting = versions_that_count(draft["task_id"] for draft in drafts)
    kept, changes, added = _fates([version.pk for version in counting.values()])
    names = {one.pk: str(one) for one in Domain.objects.all()}
    tasks: list[TaskRow] = []
    models: dict[str, ModelRow] = {}
    everything = ModelRow("")
    seen: set[int] = set()
    for draft in drafts:
        version = counting.get(draft["task_id"])
        first = draft["task_id"] not in seen
        seen.add(draft["task_id"])
        model = models.setdefault(draft["drafted_by"], ModelRow(draft["drafted_by"]))
        if not first:
            model.written += 1
        if version is None:
            continue
        fate = Fate(draft["n"], kept[draft["pk"]], 0, changes[draft["pk"]])
        if not first:
            model.offered += fate.drafted
            model.taken += fate.kept + fate.edited
            continue
        fate.added = added[version.pk]
        for row in (model, everything):
            row.tasks += 1
            row.fate.add(fate)
        tasks.append(_task_row(draft, version, fate, names))
    return Report(
        tasks=sorted(tasks, key=lambda row: -row.task),
        models=sorted(models.values(), key=lambda row: (-row.fate.drafted, row.model)),
        everything=everything,
        waiting=len(seen) - len(tasks),
        failures=_failures(domain),
    )


def _task_row(
    draft: Mapping[str, Any], version: RubricVersion, fate: Fate, names: Mapping[int, str]
) -> TaskRow:
    return TaskRow(
        task=draft["task_id"],
        key=draft["task__key"],
        title=draft["task__title"],
        domain=names[draft["task__domain_id"]],
        model=draft["drafted_by"],
        draft=draft["number"],
        version=version.number,
        fate=fate,
    )


def _fates(
    versions: Sequence[int],
) -> tuple[dict[int, int], dict[int, list[int]], dict[int, int]]:
    """(kept by draft, changes of edited lines by draft, added by version) of what was sent."""
    kept: dict[int, int] = defaultdict(int)
    changes: dict[int, list[int]] = defaultdict(list)
    added: dict[int, int] = defaultdict(int)
    for some in _portions(versions):
        lines = Criterion.objects.filter(version__in=some).order_by()
        same = lines.filter(source__isnull=False, provenance=Criterion.Provenance.DRAFT)
        for draft, n in same.values_list("source__version_id").annotate(n=Count("pk")):
            kept[draft] += n
        edited = lines.filter(source__isnull=False).exclude(provenance=Criterion.Provenance.DRAFT)
        rows = edited.values_list("source__version_id", "source__text", "text")
        for draft, was, is_now in rows:
            changes[draft].append(changed(was, is_now))
        own = lines.filter(source__isnull=True).values_list("version_id")
        added.update(dict(own.annotate(n=Count("pk"))))
    return kept, changes, added


def _portions(pks: Sequence[int]) -> Iterable[Sequence[int]]:
    for start in range(0, len(pks), AT_ONCE):
        yield pks[start : start + AT_ONCE]


def _failures(domain: str) -> dict[str, int]:
    rows = DraftRequest.objects.exclude(failure="").order_by()
    if domain:
        rows = rows.filter(task__domain__key=domain)
    found = rows.values_list("failure").annotate(n=Count("pk"))
    return {str(DraftRequest.Failure(kind).label): n for kind, n in sorted(found)}
