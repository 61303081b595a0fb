"""Calls to models as they were made: what was asked, what came back, what it cost."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.process.history import AppendOnly
from curation.joining.people import User
from curation.tasks.task.models import Task


class Call(AppendOnly):
    """One request to a model and what came back: every attempt, also the failed ones."""

    class Purpose(models.TextChoices):
        JUDGE = "judge", _("Judge")
        DRAFT = "draft", pgettext_lazy("of a call", "Draft")
        ANSWER = "answer", pgettext_lazy("of a call", "Answer")
        BASELINE = "baseline", _("Baseline answer")
        PROBE = "probe", _("Probe")
        LINT = "lint", _("Opinion on lines")
        LABELS = "labels", _("Labels of a task")
        TEST = "test", _("Test of a connection")

    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    provider = models.CharField(max_length=20)
    model = models.CharField(max_length=120)
    # In which role a run with several models asked it; "" elsewhere.
    role = models.CharField(max_length=10, blank=True)
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
        indexes = [
            # These two cover what sums of costs read, so that what was asked is not read with it.
            models.Index(fields=["purpose", "at", "error", "cost_micro"], name="call_of_purpose"),
            models.Index(
                fields=[
                    *("run", "provider", "model", "at", "input_tokens", "cached_tokens"),
                    *("cache_write_tokens", "output_tokens", "cost_micro", "batch"),
                ],
                name="call_costs_of_run",
            ),
            models.Index(fields=["provider", "model", "id"], name="call_of_model"),
            # What failed and what was asked again, without reading what was asked.
            models.Index(fields=["error"], name="call_failed"),
            models.Index(fields=["attempt"], name="call_attempt"),
        ]


def _most() -> models.PositiveBigIntegerField:
    """Return the field of a limit in millionths of a dollar; null for none."""
    return models.PositiveBigIntegerField(null=True, blank=True)


class MonthlyBudget(AppendOnly):
    """What calls outside of runs and orders may cost in a calendar month, by purpose.

    The newest row is in force, all are kept. Runs and orders of answers have budgets of their own.
    """

    number = models.PositiveIntegerField(default=1)
    draft = _most()
    probe = _most()
    lint = _most()
    labels = _most()
    baseline = _most()
    set_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(fields=["number"], name="monthly_budgets_are_set_one_by_one"),
            models.CheckConstraint(condition=Q(number__gte=1), name="a_monthly_budget_is_numbered"),
        ]
