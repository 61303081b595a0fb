"""Calls to models as they were made: what was asked, what came back, what it cost."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.process.history import AppendOnly
from curation.tasks.models import Task


class Call(AppendOnly):
    """One request to a model and what came back: every attempt, also the failed ones."""

    class Purpose(models.TextChoices):
        JUDGE = "judge", _("Judge")
        DRAFT = "draft", _("Draft")
        ANSWER = "answer", _("Answer")
        PROBE = "probe", _("Probe")
        LINT = "lint", _("Opinion on lines")

    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    provider = models.CharField(max_length=20)
    model = models.CharField(max_length=120)
    task = models.ForeignKey(
        Task, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    run = models.ForeignKey(
        "judge.JudgeRun", null=True, blank=True, on_delete=models.PROTECT, related_name="calls"
    )
    judgment = models.ForeignKey(
        "judge.Judgment", null=True, blank=True, on_delete=models.PROTECT, related_name="calls"
    )
    batch = models.ForeignKey(
        "judge.Batch", null=True, blank=True, on_delete=models.PROTECT, related_name="calls"
    )
    attempt = models.PositiveSmallIntegerField(default=1)
    prompt_sha256 = models.CharField(max_length=64)
    prompt_version = models.CharField(max_length=64, blank=True)
    request = models.JSONField(default=dict)
    reply = models.TextField(blank=True)
    error = models.CharField(max_length=40, blank=True)  # an ErrorKind or Stop; "" is fine
    detail = models.TextField(blank=True)
    input_tokens = models.PositiveIntegerField(null=True, blank=True)
    cached_tokens = models.PositiveIntegerField(null=True, blank=True)
    cache_write_tokens = models.PositiveIntegerField(null=True, blank=True)
    output_tokens = models.PositiveIntegerField(null=True, blank=True)
    # Charged to the budget when the call ended. Pages show the cost at today's price.
    cost_micro = models.PositiveBigIntegerField(null=True, blank=True)  # null: price unknown
    seconds = models.FloatField(default=0)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
