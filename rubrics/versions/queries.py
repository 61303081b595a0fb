"""Which version counts, which one is read, their lines and the authors' reasons."""

from collections.abc import Iterable, Iterator

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from curation.base.process.lifecycle import Stage
from curation.tasks.task.models import REVIEWED_HERE, Task
from rubrics.versions.models import Criterion, LineChange, RubricVersion

AT_ONCE = 5_000  # tasks per statement; SQLite accepts 32,766 values


def working_version(task: Task) -> RubricVersion | None:
    """Return the open version of a task that is being refined; None otherwise."""
    if task.stage != Stage.REFINING:
        return None
    # Filtered in Python, because pages that need the other versions too have prefetched them.
    return next((v for v in task.rubric_versions.all() if v.frozen_at is None), None)


def counting_versions() -> QuerySet[RubricVersion]:
    """Return closed versions with lines; drafts only of tasks of another benchmark."""
    return (
        RubricVersion.objects.filter(frozen_at__isnull=False)
        .exclude(origin=RubricVersion.Origin.DRAFT, task__origin__in=REVIEWED_HERE)
        .filter(Exists(Criterion.objects.filter(version=OuterRef("pk"))))
    )


def versions_that_count(tasks: Iterable[int]) -> dict[int, RubricVersion]:
    """Return task id -> the version used for review, scoring, judging and releases.

    It is the latest closed version that an expert wrote or a file imported; a task of another
    benchmark may have a model's draft instead. Versions without lines do not count, and tasks
    without a version that counts are left out. One query for 5,000 tasks.
    """
    found: dict[int, RubricVersion] = {}
    for rows in _candidates(tasks):
        for version in rows:
            before = found.get(version.task_id)
            if before is None or _replaces(before.origin, version.origin):
                found[version.task_id] = version
    return found


def version_ids_that_count(tasks: Iterable[int]) -> dict[int, int]:
    """Return task id -> primary key of the version that counts, as `versions_that_count` finds it.

    For exports: creating the instances takes a third of the time of writing 10,000 rubrics.
    """
    found: dict[int, tuple[int, str]] = {}
    for rows in _candidates(tasks):
        for task, pk, origin in rows.values_list("task_id", "pk", "origin"):
            if task not in found or _replaces(found[task][1], origin):
                found[task] = pk, origin
    return {task: pk for task, (pk, _origin) in found.items()}


def _candidates(tasks: Iterable[int]) -> Iterator[QuerySet[RubricVersion]]:
    """Yield the versions that may count, for 5,000 tasks at a time, by task and number."""
    wanted = sorted(set(tasks))
    for start in range(0, len(wanted), AT_ONCE):
        rows = counting_versions().filter(task_id__in=wanted[start : start + AT_ONCE])
        yield rows.order_by("task_id", "number")


def _replaces(before: str, later: str) -> bool:
    """Return whether a later version replaces an earlier one: a draft never replaces a person's."""
    draft = RubricVersion.Origin.DRAFT
    return later != draft or before == draft


def version_that_counts(task: Task) -> RubricVersion | None:
    """Return the version of one task used for review, scoring, judging and releases."""
    return versions_that_count([task.pk]).get(task.pk)


def is_behind_the_text(version: RubricVersion, task: Task) -> bool:
    """Return whether a version was written for a text that an amendment has replaced since."""
    return version.text_version < task.rubric_since


def version_to_read(task: Task) -> RubricVersion | None:
    """Return the version that counts, else the newest closed one, which may be a draft."""
    return (
        version_that_counts(task)
        or task.rubric_versions.filter(frozen_at__isnull=False).order_by("-number").first()
    )


def lines_of(version: RubricVersion | None) -> list[Criterion]:
    """Return the lines of a version, in order."""
    return list(version.criteria.order_by("position", "id")) if version else []


def own_rubrics(task: Task) -> list[RubricVersion]:
    """Return the newest rubric of each other task of the rubric's author, newest first.

    Each has `line_count` and its task without the long texts. One query.
    """
    versions = (
        RubricVersion.objects.filter(
            task__author=task.rubric_author_pk,
            task__author__isnull=False,
            origin=RubricVersion.Origin.EXPERT,
        )
        .exclude(task=task.pk)
        .select_related("task__domain")
        .defer("task__scenario", "task__materials", "task__requirements", "task__reference_answer")
        .annotate(line_count=Count("criteria"))
        .filter(line_count__gt=0)
        .order_by("-task_id", "-number")
    )
    newest: dict[int, RubricVersion] = {}
    for version in versions:
        newest.setdefault(version.task_id, version)
    return list(newest.values())


def versions_of(task: Task) -> list[RubricVersion]:
    """Return every version, newest first, each with `line_count` and `weight_total`."""
    return list(
        task.rubric_versions.annotate(
            line_count=Count("criteria"), weight_total=Sum("criteria__weight")
        ).order_by("-number")
    )


def reasons_of(task: Task) -> dict[str, str]:
    """Return line key -> why the author changed the drafted line; the newest reason counts."""
    rows = (
        LineChange.objects.filter(version__task=task)
        .filter(Q(kind=LineChange.Kind.REASON) | ~Q(reason=""))
        .order_by("id")
        .values_list("key", "reason")
    )
    return {key: reason for key, reason in dict(rows).items() if reason}


def stale_versions(task: Task) -> QuerySet[RubricVersion]:
    """Select the versions of a task's rubric that were written for an earlier text."""
    rows = RubricVersion.objects.filter(task=task, text_version__lt=task.rubric_since)
    return rows.exclude(origin=RubricVersion.Origin.DRAFT)
