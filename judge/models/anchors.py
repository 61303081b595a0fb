"""Anchors: the baseline response of a gold task with its validated sheet."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation import lifecycle
from curation.lifecycle import AnchorStage
from curation.models import Staged, StageEvent, Task, User
from judge.models.candidates import Response
from judge.models.sheets import Sheet
from rubrics.models import Criterion


class Anchor(Staged):
    """The short life of a gold task's example."""

    process = lifecycle.ANCHOR

    task = models.OneToOneField(Task, on_delete=models.PROTECT, related_name="anchor")
    stage = models.CharField(
        max_length=20, choices=AnchorStage.choices, default=AnchorStage.ANSWERING
    )
    response = models.OneToOneField(
        Response, null=True, blank=True, on_delete=models.PROTECT, related_name="anchor"
    )
    sheet = models.OneToOneField(
        Sheet, null=True, blank=True, on_delete=models.PROTECT, related_name="anchor"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(stage__in=AnchorStage.values), name="anchor_stage_is_known"
            ),
            models.CheckConstraint(
                condition=~Q(stage="validated") | Q(response__isnull=False, sheet__isnull=False),
                name="a_validated_anchor_has_its_sheet",
            ),
        ]


class AnchorEvent(StageEvent):
    """History of an anchor."""

    anchor = models.ForeignKey(Anchor, on_delete=models.PROTECT, related_name="history")


class MetaEvaluation(models.Model):
    """A senior's check of an anchor's sheet. Without a verdict it is still open.

    While it is open, what the senior typed is kept in `draft` (criterion id -> {agrees, remark},
    and "remarks"); the lines are written when the senior decides.
    """

    class Verdict(models.TextChoices):
        VALIDATED = "validated", _("Validated")
        SENT_BACK = "sent_back", _("Sent back")

    anchor = models.ForeignKey(Anchor, on_delete=models.PROTECT, related_name="evaluations")
    number = models.PositiveSmallIntegerField()
    senior = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    verdict = models.CharField(max_length=10, choices=Verdict.choices, blank=True)
    remarks = models.TextField(blank=True)
    draft = models.JSONField(default=dict, blank=True)
    revision = models.PositiveIntegerField(default=1)  # of the draft; refuses stale saves
    opened_at = models.DateTimeField(default=timezone.now)
    at = models.DateTimeField(default=timezone.now)  # of the last save; of the verdict, in the end

    class Meta:
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(
                fields=["anchor", "number"], name="meta_evaluation_number_is_unique"
            ),
            models.UniqueConstraint(
                fields=["anchor"], condition=Q(verdict=""), name="one_open_meta_evaluation"
            ),
            models.CheckConstraint(
                condition=~Q(verdict="sent_back") | ~Q(remarks=""),
                name="sending_an_anchor_back_has_remarks",
            ),
        ]


class MetaLine(models.Model):
    """The senior's word on one line of the sheet."""

    evaluation = models.ForeignKey(MetaEvaluation, on_delete=models.PROTECT, related_name="lines")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="+")
    agrees = models.BooleanField()
    remark = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["evaluation", "criterion"], name="one_meta_verdict_per_line"
            ),
            models.CheckConstraint(
                condition=Q(agrees=True) | ~Q(remark=""), name="disagreement_has_a_reason"
            ),
        ]
