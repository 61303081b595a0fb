"""Candidates under evaluation, and their responses."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.models import Task


class Candidate(models.Model):
    """A model or agent product with its version, as responses name it."""

    name = models.CharField(max_length=200)
    family = models.CharField(max_length=60, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name",)
        constraints = [models.UniqueConstraint(fields=["name"], name="candidate_name_is_unique")]

    def __str__(self) -> str:
        return self.name


class Response(models.Model):
    """A candidate's answer to a task. Never edited: another text is another response."""

    class Source(models.TextChoices):
        IMPORTED = "imported", _("Imported")
        GENERATED = "generated", _("Generated here")

    key = models.CharField(max_length=200)  # the file's id, or generated
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="responses")
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="responses")
    sample = models.PositiveSmallIntegerField(default=1)
    text = models.TextField(blank=True)
    baseline = models.BooleanField(default=False)
    source = models.CharField(max_length=10, choices=Source.choices)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    cost_micro = models.PositiveBigIntegerField(null=True, blank=True)  # millionths of a dollar
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("task", "candidate", "sample")
        constraints = [
            models.UniqueConstraint(fields=["key"], name="response_key_is_unique"),
            models.UniqueConstraint(
                fields=["task", "candidate", "sample"], name="one_response_per_sample"
            ),
            models.UniqueConstraint(
                fields=["task"], condition=Q(baseline=True), name="one_baseline_per_task"
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Price(models.Model):
    """What a model costs, in millionths of a dollar per million tokens. Unknown is no row."""

    provider = models.CharField(max_length=20)
    model = models.CharField(max_length=120)
    input_micro = models.PositiveBigIntegerField()
    cached_micro = models.PositiveBigIntegerField()
    output_micro = models.PositiveBigIntegerField()
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("provider", "model")
        constraints = [
            models.UniqueConstraint(fields=["provider", "model"], name="one_price_per_model")
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.model}"
