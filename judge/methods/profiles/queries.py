"""What pools hold, what tasks demand of them, and what was really chosen. Never writes."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from curation.tasks.task.models import AnswerForm, Task
from judge.methods.profiles.models import (
    ConditionReason,
    Profile,
    ProfilePool,
    RealOutcome,
    Selection,
)

SHOWN = 50  # rows of a history, and tasks on a page


@dataclass(frozen=True, slots=True)
class PoolIndex:
    """What the profiles of a pool are found by.

    Attributes:
        by_link: normalised link -> profile.
        by_name: normalised name -> all profiles with it.
    """

    by_link: Mapping[str, int]
    by_name: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Demand:
    """How many of what a task asks for, and what the profiles of its pool are found by."""

    number: int
    what: str
    index: PoolIndex


def demands(tasks: Collection[int]) -> dict[int, Demand]:
    """Return what selection tasks ask for; those without a row are left out. Two queries."""
    rows = list(
        Selection.objects.filter(task__in=tasks).values_list("task_id", "pool_id", "number", "what")
    )
    links: dict[int, dict[str, int]] = {pool: {} for _task, pool, _n, _what in rows}
    names: dict[int, dict[str, tuple[int, ...]]] = {pool: {} for pool in links}
    found = Profile.objects.filter(pool__in=links).order_by("pk")
    for pool, pk, link, name in found.values_list("pool_id", "pk", "link_key", "name_key"):
        if link:
            links[pool][link] = pk
        names[pool][name] = (*names[pool].get(name, ()), pk)
    indexes = {pool: PoolIndex(links[pool], names[pool]) for pool in links}
    return {task: Demand(number, what, indexes[pool]) for task, pool, number, what in rows}


def profiles(pks: Iterable[int]) -> dict[int, Profile]:
    """Return profiles by primary key. One query."""
    wanted = list(pks)
    return Profile.objects.in_bulk(wanted) if wanted else {}


def newest_outcomes(tasks: Collection[int], rater: str | None = None) -> dict[int, set[int]]:
    """Return the profiles really chosen for tasks, by the newest statement. Two queries.

    Args:
        rater: whose statement; None for the newest of anybody.
    """
    rows = RealOutcome.objects.filter(task__in=tasks).order_by("task_id", "number")
    if rater is not None:
        rows = rows.filter(rater=rater)
    newest = dict(rows.values_list("task_id", "pk"))
    task_of = {outcome: task for task, outcome in newest.items()}
    found: dict[int, set[int]] = {task: set() for task in newest}
    chosen = RealOutcome.objects.filter(pk__in=task_of, chosen__isnull=False)
    for outcome, profile in chosen.values_list("pk", "chosen__profile_id"):
        found[task_of[outcome]].add(profile)
    return found


def chosen_profiles(task: Task) -> list[Profile]:
    """Return the profiles really chosen for a task, by key. Three queries."""
    pks = newest_outcomes([task.pk]).get(task.pk, set())
    return sorted(profiles(pks).values(), key=lambda profile: profile.key)


def raters() -> list[str]:
    """Return the raters of real outcomes by name."""
    return sorted(RealOutcome.objects.order_by().values_list("rater", flat=True).distinct())


# --- pages --------------------------------------------------------------------------------------
def pools() -> "QuerySet[ProfilePool]":
    """Return all pools with the number of their profiles (`n`) and tasks (`tasks`). One query."""
    return ProfilePool.objects.annotate(
        n=Count("profiles", distinct=True), tasks=Count("selections", distinct=True)
    )


def selection_tasks() -> "QuerySet[Task]":
    """Return the newest tasks that ask for a selection, with their demand."""
    tasks = Task.objects.filter(answer_form=AnswerForm.SELECTION).order_by("-id")
    return tasks.select_related("selection__pool")[:SHOWN]


def profiles_of(pool: ProfilePool, words: str) -> "QuerySet[Profile]":
    """Return the profiles of a pool whose key, name, link or text holds some words."""
    found = pool.profiles.all()
    if words:
        found = found.filter(
            Q(key__icontains=words)
            | Q(name__icontains=words)
            | Q(link__icontains=words)
            | Q(text__icontains=words)
        )
    return found


@dataclass(frozen=True, slots=True)
class SelectionPage:
    """What the page of a selection task shows."""

    selection: Selection | None
    outcomes: list[RealOutcome]
    reasons: list[tuple[Any, str]]


def selection_page(task: Task) -> SelectionPage:
    """Return demand, outcomes and the model's reasons of the newest draft that has some."""
    outcomes = RealOutcome.objects.filter(task=task).select_related("set_by")
    reasons = ConditionReason.objects.filter(criterion__version__task=task)
    reasons = reasons.select_related("criterion__version").order_by(
        "-criterion__version__number", "criterion__position"
    )
    rows = list(reasons[:200])
    newest = rows[0].criterion.version_id if rows else None
    return SelectionPage(
        Selection.objects.filter(task=task).select_related("pool", "set_by").first(),
        list(outcomes.prefetch_related("chosen__profile")[:SHOWN]),
        [(row.criterion, row.reason) for row in rows if row.criterion.version_id == newest],
    )


def selection_of(task: Task) -> Selection | None:
    """Return what a task asks for."""
    return Selection.objects.filter(task=task).first()


def newest_outcome(task: Task) -> RealOutcome | None:
    """Return the newest statement on who was really chosen."""
    return RealOutcome.objects.filter(task=task).first()
