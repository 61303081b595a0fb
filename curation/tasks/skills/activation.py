"""Which skills a task activates: the same labels always lead to the same skills."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from curation.base.process.lifecycle import Stage
from curation.tasks.skills.models import LabelOnTask, SkillLabel
from curation.tasks.task.models import Task


@dataclass(frozen=True)
class Activation:
    """The skills that a task activates, and of how many.

    Attributes:
        labels: the active ones, by level, place and key.
        of: how many approved skills the domain has.
    """

    labels: tuple[SkillLabel, ...]
    of: int

    @property
    def skills(self) -> list[int]:
        """The ids of the tasks whose rubrics have the checkpoints, in the order of the labels."""
        return [label.skill_id for label in self.labels if label.skill_id is not None]


def approved_skills(domains: Iterable[int]) -> list[SkillLabel]:
    """Return the labels of these domains that are in use and whose skill is approved. One query."""
    rows = SkillLabel.objects.filter(
        domain__in=list(domains), retired_at__isnull=True, skill__stage=Stage.APPROVED
    )
    return list(rows.order_by("domain", "level", "position", "key"))


def activated(task: Task) -> Activation:
    """Return the skills that a task activates: JADE's sparse activation (section 3.1).

    A skill is active exactly if its label stands on the task, given or confirmed by a person, and
    the skill is approved. No model takes part, so the same labels give the same skills. Two
    queries.
    """
    return activated_by([task])[task.pk]


def activated_by(tasks: Collection[Task]) -> dict[int, Activation]:
    """Return task id -> the skills that it activates, as `activated` does. Two queries."""
    approved: dict[int, list[SkillLabel]] = {}
    for label in approved_skills({task.domain_id for task in tasks}):
        approved.setdefault(label.domain_id, []).append(label)
    there: dict[int, set[int]] = {}
    rows = LabelOnTask.objects.filter(task__in=tasks, removed_at__isnull=True)
    for task_id, label_id in rows.values_list("task", "label"):
        there.setdefault(task_id, set()).add(label_id)
    return {
        task.pk: Activation(
            tuple(
                label
                for label in approved.get(task.domain_id, ())
                if label.pk in there.get(task.pk, ())
            ),
            len(approved.get(task.domain_id, ())),
        )
        for task in tasks
    }
