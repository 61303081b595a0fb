"""Questions handed to a provider in one go, answered within a day at a lower price."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.process.states import Stateful


class Batch(Stateful):
    """One batch of a run, stored before it is sent, so that no crash sends it twice.

    `mark` is our own name for it. The provider keeps it with the batch, so that a batch whose id
    was lost in a crash is found again.
    """

    class State(models.TextChoices):
        PREPARED = "prepared", _("Being sent")
        SENT = "sent", _("With the provider")
        COLLECTED = "collected", _("Collected")
        FAILED = "failed", pgettext_lazy("of a batch", "Refused")
        CANCELLED = "cancelled", _("Cancelled")

    moves = {
        State.PREPARED: (State.SENT, State.FAILED, State.CANCELLED),
        State.SENT: (State.PREPARED, State.COLLECTED, State.FAILED, State.CANCELLED),
        # Cancelled while being sent: its id is kept, and the next sweep cancels it at the provider.
        State.CANCELLED: (State.SENT,),
    }

    run = models.ForeignKey("judge.JudgeRun", on_delete=models.PROTECT, related_name="batches")
    mark = models.CharField(max_length=32, unique=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PREPARED)
    requests = models.PositiveIntegerField()
    upload_id = models.CharField(
        max_length=120, blank=True
    )  # of the uploaded file, where the provider takes one
    remote_id = models.CharField(max_length=120, blank=True)
    detail = models.TextField(blank=True)  # what the provider said when it refused
    created_at = models.DateTimeField(default=timezone.now)
    sending_at = models.DateTimeField(null=True, blank=True)  # from now on the provider may have it
    sent_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        verbose_name_plural = "batches"
        constraints = [
            models.CheckConstraint(
                condition=~Q(state="sent") | ~Q(remote_id=""), name="a_sent_batch_has_a_number"
            ),
        ]

    def __str__(self) -> str:
        return self.mark


class BatchLine(Stateful):
    """One question in a batch: about one response, for one judgment."""

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        ANSWERED = "answered", _("Answered")
        LOST = "lost", _("Without an answer")

    moves = {
        State.WAITING: (State.ANSWERED, State.LOST),
    }

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="lines")
    judgment = models.ForeignKey(
        "judge.Judgment", on_delete=models.PROTECT, related_name="batch_lines"
    )
    item = models.ForeignKey("judge.RunItem", on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    reason = models.CharField(max_length=60, blank=True)  # why there is no answer, as a code
    request = models.JSONField(null=True)  # moved to the call when the answer comes
    reserved_micro = models.PositiveBigIntegerField(default=0)  # set aside from the budget

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["judgment"],
                condition=Q(state="waiting"),
                name="a_judgment_waits_for_one_batch",
            ),
            models.CheckConstraint(
                condition=~Q(state="lost") | ~Q(reason=""), name="a_lost_line_has_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The provider's name of the question: letters, digits and a hyphen, at most 64."""
        return f"{self.batch.mark}-{self.pk}"
