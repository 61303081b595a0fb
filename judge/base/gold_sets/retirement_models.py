"""Tasks that no new draw takes."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.joining.people.models import User
from curation.tasks.task.models import Task


class Retirement(models.Model):
    """Staff retired a task from draws; `ended_at` is when they put it back.

    The task stays approved and keeps its place in earlier draws, releases and results. A retirement
    that ended stays on record.
    """

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="retirements")
    reason = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    ended_reason = models.TextField(blank=True)
    ended_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(
                fields=["task"],
                condition=Q(ended_at__isnull=True),
                name="one_open_retirement_per_task",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_retirement_has_a_reason"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by__isnull=True, ended_reason="")
                | Q(ended_at__isnull=False, ended_by__isnull=False) & ~Q(ended_reason=""),
                name="a_retirement_is_ended_by_somebody_for_a_reason",
            ),
        ]
