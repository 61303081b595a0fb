"""Calls to models as they were made: what was asked, what came back, what it cost."""

from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.process.history import AppendOnly
from curation.tasks.models import Task
from judge.calls import prompt_prefixes


class PromptPrefix(AppendOnly):
    """What the requests about all candidates of a task begin with, stored once.

    It is no more and no less secret than the requests that name it.
    """

    sha256 = models.CharField(max_length=64, primary_key=True)  # of the text as UTF-8
    text = models.TextField()

    class Meta:
        verbose_name_plural = "prompt prefixes"

    def __str__(self) -> str:
        return self.sha256


class Call(AppendOnly):
    """One request to a model and what came back: every attempt, also the failed ones.

    `request` is what is stored; whoever shows it to people asks `sent()`.
    """

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
    # Its prefix may stand apart: see judge.calls.prompt_prefixes.
    request = models.JSONField(default=dict)
    reply = models.TextField(blank=True)
    error = models.CharField(max_length=40, blank=True)  # an ErrorKind or Stop; "" is fine
    detail = models.TextField(blank=True)
    input_tokens = models.PositiveIntegerField(null=True, blank=True)
    cached_tokens = models.PositiveIntegerField(null=True, blank=True)
    cache_write_tokens = models.PositiveIntegerField(null=True, blank=True)
    output_tokens = models.PositiveIntegerField(null=True, blank=True)
    # Charged to the budget when it ended. What pages show follows the price of today.
    cost_micro = models.PositiveBigIntegerField(null=True, blank=True)  # null: price unknown
    seconds = models.FloatField(default=0)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)

    def sent(self) -> dict[str, Any]:
        """The whole request as it was sent; one query where its prefix is stored apart."""
        sha256 = prompt_prefixes.named_in(self.request)
        if not sha256:
            return self.request
        return prompt_prefixes.put_back(self.request, PromptPrefix.objects.get(pk=sha256).text)
