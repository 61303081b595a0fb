"""Reminders and more time, for every kind of notice that staff send of work in hand."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from curation.staff.pipeline.deadline_in_hand import in_hand
from curation.staff.pipeline.deadlines import extend_deadlines, remind_of
from curation.tasks.task.models import Task


def nudges(w: Any) -> None:
    """Remind whoever has the tasks of the sample in hand; give reviewers more time."""
    for stage in ("refining", "in_review"):
        for task in Task.objects.filter(stage=stage, domain__external=False).order_by("pk")[:1]:
            remind_of(actor=w.staff, task=task, work=in_hand([task.pk]))
            if stage == "in_review":
                extend_deadlines(actor=w.staff, task=task, days=3, work=in_hand([task.pk]))
    rows = [row for row in in_hand() if row.extend and row.person_id != w.staff.pk]
    row = next(row for row in rows if row.task_id != task.pk)
    row.extend(timezone.now() - timedelta(hours=1))
    task = Task.objects.get(pk=row.task_id)
    (late,) = [one for one in in_hand([task.pk]) if one.key == row.key]
    remind_of(actor=w.staff, task=task, work=[late])
    late.extend(row.due_at)
