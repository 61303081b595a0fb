"""Which skills a task activates: the same labels always lead to the same skills."""

from collections.abc import Iterable
from dataclasses import dataclass

from curation.process.lifecycle import Stage
from curation.skills.models import SkillLabel
from curation.tasks.models import Task


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
    approved = approved_skills([task.domain_id])
    there = set(task.skill_labels.filter(removed_at__isnull=True).values_list("label", flat=True))
    return Activation(tuple(label for label in approved if label.pk in there), len(approved))
