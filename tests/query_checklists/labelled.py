"""Labels that stand on a task."""

from typing import Any

from curation.skills.labelling import set_labels
from curation.skills.models import SkillLabel
from curation.tasks.models import Task


def label_all(staff: Any, task: Task, *labels: SkillLabel) -> None:
    """Have exactly these labels stand on a task."""
    seen = task.skill_labels.filter(removed_at__isnull=True).values_list("label", flat=True)
    set_labels(actor=staff, task=task, labels=[label.pk for label in labels], seen=list(seen))
