"""What pages read of the skills library: the taxonomy, its hours, its history, labelled tasks."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Category, Domain
from curation.joining.people import cached_conflicts_of
from curation.tasks.skills.models import (
    CategorySuitability,
    EffortEntry,
    LabelOnTask,
    LabelProposal,
    Level,
    SkillChange,
    SkillLabel,
)
from curation.tasks.skills.validation import Counts, Validation, validation_of
from curation.tasks.task.models import ANSWERABLE, Task
from curation.tasks.task.text_basis import AMENDABLE

LATEST = 50  # changes shown
NOT_LABELLED = (Stage.DRAFT, Stage.WITHDRAWN, Stage.REJECTED, Stage.DISCARDED)


def domain_of(key: str) -> Domain:
    """Return a domain by its key, also that of another benchmark. Raises Http404."""
    return get_object_or_404(Domain, key=key)


def labels_of(domain: Domain) -> "QuerySet[SkillLabel]":
    """Select the labels of a domain in their order, retired ones included."""
    return SkillLabel.objects.filter(domain=domain).select_related("domain", "skill")


def can_begin(label: SkillLabel) -> bool:
    """Return whether a label may get a skill: it has none, or a discarded one."""
    none = label.skill is None or label.skill.stage == Stage.DISCARDED
    return none and label.retired_at is None


@dataclass(frozen=True)
class LabelRow:
    """A label in the table of the taxonomy.

    Attributes:
        tasks: how many tasks it stands on.
        hours: hours of work on its skill.
        counts: how often models and people gave it, on tasks with labels of both.
    """

    label: SkillLabel
    tasks: int
    hours: Decimal
    counts: Counts


@dataclass(frozen=True)
class LabelsPerTask:
    """How many labels stand on a task, over the labelled tasks of a domain."""

    tasks: int
    mean: Fraction
    fewest: int
    most: int


@dataclass(frozen=True)
class Library:
    """The skills library of a domain, as staff read it.

    Attributes:
        skills, approved: written by people; `summarised` are those made from rubrics.
    """

    domain: Domain
    levels: tuple[tuple[str, tuple[LabelRow, ...]], ...]
    retired: tuple[LabelRow, ...]
    skills: int
    approved: int
    summarised: int
    hours: Decimal
    per_task: LabelsPerTask | None
    unlabelled: int
    validation: Validation
    categories: tuple[tuple[Category, CategorySuitability | None], ...]
    history: tuple["HistoryRow", ...]

    @property
    def any(self) -> bool:
        return bool(self.retired) or any(rows for _name, rows in self.levels)


def library_of(domain: Domain) -> Library:
    """Return the library of a domain. Eleven queries, whatever its size."""
    labels = list(labels_of(domain))
    on_tasks = Counter(
        LabelOnTask.objects.filter(label__domain=domain, removed_at__isnull=True).values_list(
            "label", flat=True
        )
    )
    effort = dict(
        EffortEntry.objects.filter(label__domain=domain, taken_back_at__isnull=True)
        .order_by()
        .values_list("label")
        .annotate(hours=Sum("hours"))
    )
    found = validation_of(domain)
    rows = [
        LabelRow(
            label,
            on_tasks[label.pk],
            effort.get(label.pk, Decimal(0)),
            found.labels.get(label.pk, Counts()),
        )
        for label in labels
    ]
    suitable = {
        said.category_id: said
        for said in CategorySuitability.objects.filter(category__domain=domain)
    }
    per_task = labels_per_task(domain)
    categories = list(Category.objects.filter(domain=domain))
    labellable = Task.objects.filter(domain=domain, origin__in=ANSWERABLE)
    labellable = labellable.exclude(stage__in=NOT_LABELLED)
    with_one = LabelOnTask.objects.filter(removed_at__isnull=True).values("task")
    return Library(
        domain=domain,
        levels=tuple(
            (
                str(level.label),
                tuple(r for r in rows if r.label.level == level and not r.label.retired_at),
            )
            for level in Level
        ),
        retired=tuple(row for row in rows if row.label.retired_at),
        skills=sum(row.label.skill is not None and row.label.summary is None for row in rows),
        approved=sum(
            row.label.skill is not None
            and row.label.summary is None
            and row.label.skill.stage == Stage.APPROVED
            and not row.label.retired_at
            for row in rows
        ),
        summarised=sum(row.label.summary is not None for row in rows),
        hours=sum(effort.values(), Decimal(0)),
        per_task=per_task,
        unlabelled=labellable.exclude(pk__in=with_one).count(),
        validation=found,
        categories=tuple((category, suitable.get(category.pk)) for category in categories),
        history=tuple(history_of(domain, categories)),
    )


def labels_per_task(domain: Domain) -> LabelsPerTask | None:
    """Return how many labels stand on a task of a domain; None without any. One query."""
    counts = list(
        LabelOnTask.objects.filter(
            task__domain=domain, removed_at__isnull=True, label__retired_at__isnull=True
        )
        .order_by()
        .values("task")
        .annotate(n=Count("pk"))
        .values_list("n", flat=True)
    )
    if not counts:
        return None
    return LabelsPerTask(len(counts), Fraction(sum(counts), len(counts)), min(counts), max(counts))


# --- hours, suitability -------------------------------------------------------------------------
@dataclass(frozen=True)
class Account:
    """The hours of work on one skill; entries that were taken back are shown and not counted."""

    entries: tuple[EffortEntry, ...]
    people: tuple[tuple[str, Decimal], ...]
    hours: Decimal


def account_of(label: SkillLabel) -> Account:
    """Return the hours of work on a label's skill, newest entry first. One query."""
    entries = tuple(label.effort.select_related("person", "entered_by"))
    people: dict[str, Decimal] = {}
    for entry in reversed(entries):
        if entry.taken_back_at is None:
            name = entry.person.name_for_staff
            people[name] = people.get(name, Decimal(0)) + entry.hours
    return Account(entries, tuple(people.items()), sum(people.values(), Decimal(0)))


def suitability_of(category: Category) -> dict[str, Any]:
    """Return what is said of a category, for its form; empty if nothing is."""
    said = CategorySuitability.objects.filter(category=category).first()
    return {"verdict": said.verdict, "reason": said.reason} if said else {}


# --- labelled tasks -----------------------------------------------------------------------------
def tasks_to_label(user: Any, *, to_change: bool = False) -> "QuerySet[Task]":
    """Select the tasks whose labels a person may read, each with how many labels it has.

    Staff read all; a senior those of their domains that a panel has kept, without a part or a
    conflict of interest in them.

    Args:
        to_change: only those whose labels the person may change: staff need the duty.
    """
    rows = Task.objects.filter(origin__in=ANSWERABLE).exclude(stage__in=NOT_LABELLED)
    if not user.is_staff or to_change and not user.does_editing:
        away = {user.pk, *cached_conflicts_of(user)}
        rows = rows.filter(domain__in=user.senior_domain_ids(), stage__in=AMENDABLE)
        rows = rows.exclude(author__in=away).exclude(rubric_author__in=away)
    there = LabelOnTask.objects.filter(task=OuterRef("pk"), removed_at__isnull=True)
    open_ones = LabelProposal.objects.filter(
        round__task=OuterRef("pk"), state=LabelProposal.State.WAITING
    )
    return (
        rows.filter(domain__in=SkillLabel.objects.values("domain"))
        .annotate(
            labelled=Subquery(_count(there, "task")),
            proposed=Subquery(_count(open_ones, "round__task")),
        )
        .select_related("domain")
        .order_by("-pk")
    )


def _count(rows: Any, by: str) -> Any:
    return rows.order_by().values(by).annotate(n=Count("pk")).values("n")


def open_proposals(task: Task) -> list[LabelProposal]:
    """Return the proposals for a task that wait for a person, by level and place. One query."""
    rows = LabelProposal.objects.filter(round__task=task, state=LabelProposal.State.WAITING)
    return list(
        rows.select_related("label", "round").order_by("label__level", "label__position", "pk")
    )


def offered_labels(task: Task) -> list[SkillLabel]:
    """Return the labels a task may have: those in use, and any that stands on it. One query."""
    there = task.skill_labels.filter(removed_at__isnull=True).values("label")
    rows = SkillLabel.objects.filter(domain=task.domain_id)
    return list(rows.filter(Q(retired_at__isnull=True) | Q(pk__in=there)))


# --- history ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class HistoryRow:
    """One change of a taxonomy, in words."""

    at: Any
    who: str
    what: str
    details: tuple[tuple[str, str, str], ...]  # label, before, after
    reason: str


def history_of(domain: Domain, categories: Iterable[Category]) -> list[HistoryRow]:
    """Return the latest changes of a domain's taxonomy, newest first. One query.

    Args:
        categories: those of the domain; a change of one stores its key.
    """
    rows = SkillChange.objects.filter(domain=domain).select_related("label", "actor")
    names = {category.key: str(category) for category in categories}
    return [_history_row(row, names) for row in rows[:LATEST]]


def _history_row(row: SkillChange, categories: Mapping[str, str]) -> HistoryRow:
    kind = SkillChange.Kind(row.kind)
    words = {
        kind.ADDED: _("Added: %(name)s"),
        kind.CHANGED: _("Changed: %(name)s"),
        kind.RETIRED: _("Retired: %(name)s"),
        kind.RESTORED: _("Brought back: %(name)s"),
        kind.SKILL: _("Skill begun: %(name)s"),
        kind.SUITABILITY: _("Open judgement of a category: %(name)s"),
    }
    named = {
        "level": _("Level"),
        "name": _("Name"),
        "name_zh": _("In Chinese"),
        "description": _("Description"),
        "description_zh": _("Description in Chinese"),
        "position": _("Place within its level"),
        "verdict": _("Open judgement"),
        "reason": _("Reason"),
    }
    choices: dict[str, Any] = {
        "level": dict(Level.choices),
        "verdict": dict(CategorySuitability.Verdict.choices),
    }

    def shown(name: str, value: Any) -> str:
        return str(choices.get(name, {}).get(value, value) or "–") if value is not None else "–"

    category = row.after.get("category", "")
    return HistoryRow(
        at=row.at,
        who=row.actor.name_for_staff if row.actor else _("on the command line"),
        what=words[kind] % {"name": row.label or categories.get(category, category)},
        details=tuple(
            (str(named[name]), shown(name, row.before.get(name)), shown(name, value))
            for name, value in row.after.items()
            if kind in (kind.CHANGED, kind.SUITABILITY) and name in named
        ),
        reason=row.reason,
    )
