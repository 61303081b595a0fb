"""Anchors: baseline responses of gold tasks with their validated sheets."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from curation.base.process import lifecycle
from curation.base.process.history import AppendOnly, Staged, StageEvent
from curation.base.process.lifecycle import AnchorStage
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.scoring.sheets.models import Sheet
from rubrics.versions.models import Criterion


class Anchor(Staged):
    """The anchor of a gold task and its stage.

    `sheet` is set while the anchor is validated. If the rubric changes afterwards, the anchor is
    scored again on a sheet of the new version; the old sheet keeps its lines.
    """

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
    scorers = models.PositiveSmallIntegerField(default=1)  # people who score it before the check
    # Model that writes the next baseline, as "provider:model"; empty for the programme's own.
    model = models.CharField(max_length=160, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(scorers__gte=1, scorers__lte=2), name="an_anchor_has_one_or_two_scorers"
            ),
            models.CheckConstraint(
                condition=Q(stage__in=AnchorStage.values), name="anchor_stage_is_known"
            ),
            models.CheckConstraint(
                condition=~Q(stage="validated") | Q(response__isnull=False, sheet__isnull=False),
                name="a_validated_anchor_has_its_sheet",
            ),
        ]

    def current_sheet(self) -> Sheet | None:
        """Return the newest sheet of the first scorer; None before one is opened."""
        return next(iter(self.current_sheets()), None)

    def current_sheets(self) -> list[Sheet]:
        """Return the newest sheet of each scorer, the first scorer's first."""
        sheets = Sheet.objects.filter(response=self.response_id, purpose=Sheet.Purpose.ANCHOR)
        newest: dict[int, Sheet] = {}
        for sheet in sheets.select_related("user", "response").order_by("pk"):
            newest[sheet.slot] = sheet
        return [newest[slot] for slot in sorted(newest)]


class AnchorEvent(StageEvent):
    """A row of an anchor's history."""

    anchor = models.ForeignKey(Anchor, on_delete=models.PROTECT, related_name="history")


class MetaEvaluation(models.Model):
    """A senior's check of an anchor's sheet; open while it has no verdict.

    An open check keeps what the senior typed in `draft` (form field -> text: agrees-ID,
    remark-ID, remarks). Its lines are written when the senior decides.
    """

    class Verdict(models.TextChoices):
        VALIDATED = "validated", _("Validated")
        SENT_BACK = "sent_back", _("Returned")
        REPLACED = "replaced", _("Another baseline asked for")

    anchor = models.ForeignKey(Anchor, on_delete=models.PROTECT, related_name="evaluations")
    # Null after a sheet that was sent back is handed back; its lines are in the history.
    sheet = models.ForeignKey(
        Sheet, null=True, blank=True, on_delete=models.SET_NULL, related_name="evaluations"
    )
    second = models.ForeignKey(  # the second scorer's sheet, where two people scored
        Sheet, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    number = models.PositiveSmallIntegerField()
    senior = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    verdict = models.CharField(max_length=10, choices=Verdict.choices, blank=True)
    remarks = models.TextField(blank=True)
    draft = models.JSONField(default=dict, blank=True)
    revision = models.PositiveIntegerField(default=1)  # of the draft; a stale save is refused
    opened_at = models.DateTimeField(default=timezone.now)
    at = models.DateTimeField(default=timezone.now)  # of the last save, then of the verdict

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
                condition=~Q(verdict__in=["sent_back", "replaced"]) | ~Q(remarks=""),
                name="sending_an_anchor_back_has_remarks",
            ),
        ]

    @cached_property
    def domain_id(self) -> int:
        """The domain of the task; a queryset may set it as an annotation."""
        return self.anchor.task.domain_id


class MetaLine(models.Model):
    """The senior's opinion on one line of the sheet."""

    evaluation = models.ForeignKey(MetaEvaluation, on_delete=models.PROTECT, related_name="lines")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="+")
    agrees = models.BooleanField()
    # The senior's own verdict, where they correct the line or two scorers differ on it.
    met = models.BooleanField(null=True, blank=True)
    remark = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["evaluation", "criterion"], name="one_meta_verdict_per_line"
            ),
            models.CheckConstraint(
                condition=Q(agrees=True) | ~Q(remark=""), name="disagreement_has_a_reason"
            ),
            models.CheckConstraint(
                condition=Q(agrees=False) | Q(met__isnull=True), name="only_a_disagreement_corrects"
            ),
        ]


class AnchorPolicy(AppendOnly):
    """How anchors drawn from now on are scored; the newest row counts, all are kept."""

    number = models.PositiveIntegerField(default=1)  # counts the policies staff set, from 1

    scorers = models.PositiveSmallIntegerField(
        _("Scorers of an anchor"),
        choices=[
            (1, _("One, then a senior")),
            (2, _("Two, then a senior settles their differences")),
        ],
        default=1,
    )
    set_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "anchor policies"
        constraints = [
            models.CheckConstraint(
                condition=Q(scorers__gte=1, scorers__lte=2), name="a_policy_has_one_or_two_scorers"
            ),
            models.UniqueConstraint(fields=["number"], name="anchor_policies_are_set_one_by_one"),
        ]

    @classmethod
    def current(cls) -> int:
        """Return how many people score an anchor drawn now; 1 until staff set a policy."""
        row = cls.objects.first()
        return row.scorers if row else 1
