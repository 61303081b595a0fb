"""The account of effort of a domain: person-hours for each skill, labels for each task."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import QuerySet, Sum

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.skills.models import EffortEntry, LabelOnTask, Level, SkillLabel
from curation.tasks.task.models import Task


@dataclass(frozen=True)
class SkillEffort:
    """The hours of work on one skill.

    Attributes:
        people: name and hours of each person, most hours first.
    """

    label: SkillLabel
    people: tuple[tuple[str, Decimal], ...]
    hours: Decimal


@dataclass(frozen=True)
class TaskLabels:
    """How many labels stand on a task.

    Attributes:
        by_level: name and number for each level, from intent to constraint.
    """

    task: Task
    by_level: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        return sum(number for _level, number in self.by_level)


@dataclass(frozen=True)
class Effort:
    """The hours of work on a domain's skills; entries that were taken back do not count."""

    domain: Domain
    skills: tuple[SkillEffort, ...]
    people: tuple[tuple[str, Decimal], ...]
    hours: Decimal

    @property
    def with_hours(self) -> int:
        return sum(bool(row.hours) for row in self.skills)


def effort_of(domain: Domain) -> Effort:
    """Return the account of a domain. Three queries, whatever its size."""
    rows = (
        EffortEntry.objects.filter(label__domain=domain, taken_back_at__isnull=True)
        .order_by()
        .values_list("label", "person")
        .annotate(hours=Sum("hours"))
    )
    spent: dict[int, dict[int, Decimal]] = {}
    for label, person, hours in rows:
        spent.setdefault(label, {})[person] = hours
    ids = {person for by_person in spent.values() for person in by_person}
    names = {user.pk: user.name_for_staff for user in User.objects.filter(pk__in=ids)}
    together: Counter[int] = Counter()
    for by_person in spent.values():
        together.update(by_person)  # type: ignore[arg-type]

    def named(by_person: dict[int, Decimal]) -> tuple[tuple[str, Decimal], ...]:
        most_first = sorted(by_person.items(), key=lambda one: (-one[1], names[one[0]]))
        return tuple((names[person], hours) for person, hours in most_first)

    skills = tuple(
        SkillEffort(
            label,
            named(spent.get(label.pk, {})),
            sum(spent.get(label.pk, {}).values(), Decimal(0)),
        )
        for label in SkillLabel.objects.filter(domain=domain).select_related("skill")
        if label.skill_id is not None or label.pk in spent
    )
    people = named(dict(together))  # type: ignore[arg-type]
    return Effort(domain, skills, people, sum((row.hours for row in skills), Decimal(0)))


def labelled_tasks(domain: Domain) -> "QuerySet[Task]":
    """Select the tasks of a domain on which a label stands."""
    there = LabelOnTask.objects.filter(removed_at__isnull=True).values("task")
    return Task.objects.filter(domain=domain, pk__in=there)


def labels_of_tasks(tasks: Collection[int]) -> list[TaskLabels]:
    """Return how many labels stand on each of these tasks, the newest first. Two queries."""
    counts: Counter[tuple[int, int]] = Counter(
        LabelOnTask.objects.filter(task__in=tasks, removed_at__isnull=True).values_list(
            "task", "label__level"
        )
    )
    rows = Task.objects.filter(pk__in=tasks).order_by("-pk")
    return [
        TaskLabels(task, tuple((str(level.label), counts[task.pk, level.value]) for level in Level))
        for task in rows
    ]
