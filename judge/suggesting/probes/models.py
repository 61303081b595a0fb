"""Samples of probing: one row for each answer a model is asked for."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.tasks.task.models import Task
from judge.asking.calls.models import Call


class ProbeSample(models.Model):
    """One answer of one model to one submission, with how much of the checklist it met.

    The row is written before the model is asked, so that after a crash the next worker knows what
    was asked, answered and graded. An unknown result is a state with its reason, never a 0.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Not asked yet")
        ANSWERED = "answered", _("Answered, not graded yet")
        GRADED = "graded", _("Graded")
        FAILED = "failed", _("Failed")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="probe_samples")
    round = models.PositiveSmallIntegerField()
    model = models.CharField(max_length=160)  # as the setting names it: "provider:model"
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    answer = models.TextField(blank=True)
    lines = models.PositiveSmallIntegerField(null=True, blank=True)
    met = models.PositiveSmallIntegerField(null=True, blank=True)
    weight = models.PositiveIntegerField(null=True, blank=True)  # of all lines
    met_weight = models.PositiveIntegerField(null=True, blank=True)
    passed = models.BooleanField(null=True, blank=True)
    problem = models.TextField(blank=True)  # why there is no answer, or no grade
    graded_by = models.CharField(max_length=160, blank=True)
    call = models.ForeignKey(
        Call, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    grade_call = models.ForeignKey(
        Call, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("task", "round", "model", "number")
        constraints = [
            models.UniqueConstraint(
                fields=["task", "round", "model", "number"], name="a_probe_sample_is_asked_once"
            ),
            models.CheckConstraint(
                condition=~Q(state="graded")
                | Q(
                    passed__isnull=False,
                    lines__isnull=False,
                    met__lte=F("lines"),
                    met_weight__lte=F("weight"),
                ),
                name="a_graded_sample_has_its_counts",
            ),
            models.CheckConstraint(
                condition=~Q(state="failed") | (Q(passed__isnull=True) & ~Q(problem="")),
                name="a_failed_sample_has_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "answered", "graded", "failed"]),
                name="probe_sample_state_is_known",
            ),
        ]
