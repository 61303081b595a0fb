"""Labels that stand on a task."""

from typing import Any

from curation.tasks.skills.labelling import set_labels
from curation.tasks.skills.models import SkillLabel
from curation.tasks.task.models import Task


def label_all(staff: Any, task: Task, *labels: SkillLabel) -> None:
    """Have exactly these labels stand on a task."""
    seen = task.skill_labels.filter(removed_at__isnull=True).values_list("label", flat=True)
    set_labels(actor=staff, task=task, labels=[label.pk for label in labels], seen=list(seen))
