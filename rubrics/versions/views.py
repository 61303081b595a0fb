"""View of the versions of a rubric and the differences between two of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from curation.base.access.permissions import allows
from curation.base.process.lifecycle import Stage
from curation.base.web.forms import parse_int
from curation.tasks.task.queries import access_task
from rubrics.versions import balance, diff
from rubrics.versions.models import Criterion, LineChange, RubricVersion
from rubrics.versions.queries import versions_of
from rubrics.versions.task_text import task_text


@dataclass(frozen=True)
class Comparison:
    """The differences between two versions.

    Attributes:
        total_old, total_new: the weight of all lines.
    """

    rows: list[diff.Row]
    total_old: int
    total_new: int
    importance: list[balance.Shift]
    dimensions: list[balance.Shift]

    @property
    def points(self) -> int:
        """New weight minus old weight."""
        return self.total_new - self.total_old

    @property
    def counts(self) -> diff.Counts:
        return diff.count(self.rows)

    @property
    def moved(self) -> int:
        """How many of the common lines changed their order."""
        return sum(row.moved for row in self.rows)

    @property
    def differing(self) -> list[diff.Row]:
        return [row for row in self.rows if row.differs]


def compare(older: RubricVersion, newer: RubricVersion) -> Comparison:
    """Compare two versions of a task. Three queries."""
    old, new = _lines(older), _lines(newer)
    split, merged = splits_and_merges(older, newer)
    return Comparison(
        rows=diff.with_splits_and_merges(diff.align(old, new), split, merged),
        total_old=sum(line.weight for line in old),
        total_new=sum(line.weight for line in new),
        importance=balance.shift_by_importance(old, new),
        dimensions=balance.shift_by_dimension(old, new),
    )


def _lines(version: RubricVersion) -> Sequence[Criterion]:
    return list(version.criteria.order_by("position", "id"))


def splits_and_merges(
    older: RubricVersion, newer: RubricVersion
) -> tuple[dict[str, str], dict[str, str]]:
    """Return (split, merged) by the steps after the older version, up to the newer one.

    `split` maps the key of a new line to the line it was split from, `merged` the key of a removed
    line to the line it was merged into. Both are empty if `older` is not the older version.
    """
    split: dict[str, str] = {}
    merged: dict[str, str] = {}
    if older.number >= newer.number:
        return split, merged
    steps = LineChange.objects.filter(
        version__task=newer.task_id,
        version__number__gt=older.number,
        version__number__lte=newer.number,
        kind__in=(LineChange.Kind.SPLIT, LineChange.Kind.MERGED),
        undone_by__isnull=True,
    ).order_by("id")
    for kind, key, before, after in steps.values_list("kind", "key", "before", "after"):
        if kind == LineChange.Kind.SPLIT:
            split.update({kept["key"]: key for kept in after if kept["key"] != key})
        else:
            merged.update({kept["key"]: key for kept in before if kept["key"] != key})
    return split, merged


def versions(request: HttpRequest, pk: int) -> HttpResponse:
    """Show all versions, and what differs between two of them in lines, words and weights."""
    task = access_task(request.user, pk, "rubric.view")
    is_author = allows(request.user, "rubric.refine", task)
    every = versions_of(task)
    if not is_author:
        every = [
            version for version in every if version.frozen
        ]  # only the author sees the open one
    numbers = {version.number: version for version in every}
    newer = numbers.get(parse_int(request.GET.get("b")) or 0) or (every[0] if every else None)
    older = numbers.get(parse_int(request.GET.get("a")) or 0) or next(
        (v for v in every if newer and v.number < newer.number), None
    )
    found = compare(older, newer) if older is not None and newer is not None else None
    everything = request.GET.get("show") == "all"
    return render(
        request,
        "rubrics/versions.html",
        {
            "task": task_text(task.pk),
            "stage": task.stage,
            "stage_label": Stage(task.stage).label,
            "is_author": is_author,
            "versions": every,
            "older": older,
            "newer": newer,
            "found": found,
            "everything": everything,
            "rows": [] if found is None else found.rows if everything else found.differing,
        },
    )
