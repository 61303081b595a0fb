"""How much of the models' drafts is retained in the rubrics that experts send, by task and model.

Measured at the version that counts, the latest one the author sent. A drafted line is kept as it
is, edited (by a share of its words) or dropped. A line without a drafted source is added.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from django.db.models import Count

from curation.joining.domains.models import Domain
from curation.tasks.task.models import THROUGH_THE_PROCESS
from judge.suggesting.drafts.models import DraftRequest
from rubrics.versions.diff import percent_changed
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.queries import AT_ONCE, versions_that_count

# A percentage is shown from these numbers on.
ENOUGH_LINES = 30
ENOUGH_TASKS = 3


@dataclass
class Retention:
    """Counts of drafted lines by what became of them.

    `changes` has, for each edited line, the percentage of its words that changed (0 to 100).
    """

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
        """Return the mean share of changed words in the edited lines, 0 to 1; None without any."""
        return fmean(self.changes) / 100 if self.changes else None

    @property
    def surviving(self) -> float | None:
        """Return the share of the drafted lines that survives, 0 to 1; None without any.

        A kept line counts as 1, an edited one as the share of its words that is left.
        """
        if not self.drafted:
            return None
        return (self.kept + sum(100 - change for change in self.changes) / 100) / self.drafted

    def add(self, other: "Retention") -> None:
        self.drafted += other.drafted
        self.kept += other.kept
        self.added += other.added
        self.changes += other.changes


@dataclass
class TaskRow:
    """A rubric that was sent; `draft` and `version` are numbers of versions."""

    task: int
    key: str
    title: str
    domain: str
    model: str
    draft: int
    version: int
    retention: Retention

    @property
    def bar(self) -> list[tuple[int, str]]:
        """Return (number of lines, CSS class) for the kept, edited and dropped lines."""
        return [
            (self.retention.kept, "ink"),
            (self.retention.edited, "ink-3"),
            (self.retention.dropped, "empty"),
        ]


@dataclass
class ModelRow:
    """All drafts of one model.

    Attributes:
        tasks: rubrics sent that began with its draft.
        retention: of the lines of these first drafts.
        written: further drafts.
        offered: lines of further drafts whose rubric was sent.
        taken: those of the offered lines that are in the sent rubric, as they were or edited.
    """

    model: str
    tasks: int = 0
    retention: Retention = field(default_factory=Retention)
    written: int = 0
    offered: int = 0
    taken: int = 0

    @property
    def has_enough(self) -> bool:
        """Whether there are enough tasks and lines to show a percentage."""
        return self.tasks >= ENOUGH_TASKS and self.retention.drafted >= ENOUGH_LINES

    def _share(self, count: int) -> float | None:
        return count / self.retention.drafted if self.has_enough else None

    @property
    def kept(self) -> float | None:
        return self._share(self.retention.kept)

    @property
    def edited(self) -> float | None:
        return self._share(self.retention.edited)

    @property
    def dropped(self) -> float | None:
        return self._share(self.retention.dropped)

    @property
    def surviving(self) -> float | None:
        return self.retention.surviving if self.has_enough else None

    @property
    def added_per_task(self) -> float | None:
        return self.retention.added / self.tasks if self.tasks else None


@dataclass
class Report:
    """The report on drafts for staff.

    Attributes:
        waiting: number of drafted rubrics that are not sent yet and so not in the report.
        failures: reason -> number of further drafts that were not written for it.
    """

    tasks: list[TaskRow]
    models: list[ModelRow]
    everything: ModelRow
    waiting: int
    failures: dict[str, int]


def retention_report(domain: str = "") -> Report:
    """Return the report over all domains, or one by its key. Seven queries up to 5,000 rubrics."""
    drafts = list(
        RubricVersion.objects.filter(
            origin=RubricVersion.Origin.DRAFT,
            task__origin__in=THROUGH_THE_PROCESS,
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
    kept, changes, added = _retained([version.pk for version in counting.values()])
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
        retention = Retention(draft["n"], kept[draft["pk"]], 0, changes[draft["pk"]])
        if not first:
            model.offered += retention.drafted
            model.taken += retention.kept + retention.edited
            continue
        retention.added = added[version.pk]
        for row in (model, everything):
            row.tasks += 1
            row.retention.add(retention)
        tasks.append(_task_row(draft, version, retention, names))
    return Report(
        tasks=sorted(tasks, key=lambda row: -row.task),
        models=sorted(models.values(), key=lambda row: (-row.retention.drafted, row.model)),
        everything=everything,
        waiting=len(seen) - len(tasks),
        failures=_failures(domain),
    )


def _task_row(
    draft: Mapping[str, Any], version: RubricVersion, retention: Retention, names: Mapping[int, str]
) -> TaskRow:
    return TaskRow(
        task=draft["task_id"],
        key=draft["task__key"],
        title=draft["task__title"],
        domain=names[draft["task__domain_id"]],
        model=draft["drafted_by"],
        draft=draft["number"],
        version=version.number,
        retention=retention,
    )


def _retained(
    versions: Sequence[int],
) -> tuple[dict[int, int], dict[int, list[int]], dict[int, int]]:
    """Return (draft -> kept lines, draft -> changes, version -> added lines) of sent versions."""
    kept: dict[int, int] = defaultdict(int)
    changes: dict[int, list[int]] = defaultdict(list)
    added: dict[int, int] = defaultdict(int)
    for chunk in _chunks(versions):
        lines = Criterion.objects.filter(version__in=chunk).order_by()
        same = lines.filter(source__isnull=False, provenance=Criterion.Provenance.DRAFT)
        for draft, n in same.values_list("source__version_id").annotate(n=Count("pk")):
            kept[draft] += n
        edited = lines.filter(source__isnull=False).exclude(provenance=Criterion.Provenance.DRAFT)
        rows = edited.values_list("source__version_id", "source__text", "text")
        for draft, before, after in rows:
            changes[draft].append(percent_changed(before, after))
        own = lines.filter(source__isnull=True).values_list("version_id")
        added.update(dict(own.annotate(n=Count("pk"))))
    return kept, changes, added


def _chunks(pks: Sequence[int]) -> Iterable[Sequence[int]]:
    for start in range(0, len(pks), AT_ONCE):
        yield pks[start : start + AT_ONCE]


def _failures(domain: str) -> dict[str, int]:
    rows = DraftRequest.objects.exclude(failure="").order_by()
    if domain:
        rows = rows.filter(task__domain__key=domain)
    found = rows.values_list("failure").annotate(n=Count("pk"))
    return {str(DraftRequest.Failure(kind).label): n for kind, n in sorted(found)}
