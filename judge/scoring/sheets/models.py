"""Sheets: one rater's TRUE/FALSE for every line of one response."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from curation.base.process.states import Stateful
from curation.joining.people import User
from judge.asking.candidates.models import Response
from rubrics.versions.models import Criterion, RubricVersion


class Sheet(Stateful):
    """A sheet of an expert of this programme, of an imported expert or of an imported judge.

    `rater` names who filled it: the key of an expert of this programme ("expert-14"), or the name
    of an imported rater. An imported sheet may have one score instead of lines.

    A submitted sheet stays with one version of the rubric. When the rubric changes, the response
    gets another sheet; the old one does not change, because runs used it.
    """

    class Kind(models.TextChoices):
        EXPERT = "expert", _("Expert")
        JUDGE = "judge", _("Judge")
        # An expert's too, and in no statistic: practice, and sheets whose verdicts are known. A
        # known one is an alignment sheet in all that its scorer sees.
        PRACTICE = "practice", _("Practice")
        KNOWN = "known", _("Known")

    class Purpose(models.TextChoices):
        ANCHOR = "anchor", _("Anchor")
        ALIGNMENT = "alignment", _("Alignment")
        IMPORTED = "imported", _("Imported")
        # A senior's sheet on an anchor, made of the scorers' sheets and the senior's corrections.
        SETTLED = "settled", _("Settled by a senior")

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        SUBMITTED = "submitted", _("Submitted")

    moves = {
        State.OPEN: (State.SUBMITTED,),
        State.SUBMITTED: (State.OPEN,),
    }

    response = models.ForeignKey(Response, on_delete=models.PROTECT, related_name="sheets")
    version = models.ForeignKey(
        RubricVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="sheets"
    )
    # The version of the task's text whose reference answer a score for the whole response rests
    # on; null for a sheet of lines.
    answer_version = models.PositiveIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    rater = models.CharField(max_length=120)
    user = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="sheets"
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    slot = models.PositiveSmallIntegerField(default=1)  # 1 or 2, the scorers of one anchor
    # The item of a set that asks for it because a verdict on the response is flagged; null for all
    # others. Such sheets were not asked for at random, so statistics leave them out. Its scorer
    # is not told.
    flagged_item = models.ForeignKey(
        "judge.AlignmentItem",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="sheets",
    )
    score = models.FloatField(null=True, blank=True)  # only where there are no lines
    # Why an imported judge was not asked about the response; such a sheet says nothing else.
    skipped = models.CharField(max_length=60, blank=True, default="")
    # Of an imported score for the whole response: the method that gave it, what it found as its
    # package says, and why there is no score.
    method = models.CharField(max_length=20, blank=True, default="")
    findings = models.JSONField(default=dict, blank=True)
    reason = models.CharField(max_length=60, blank=True, default="")
    revision = models.PositiveIntegerField(default=1)
    due_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(default=timezone.now)
    saved_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    worked_seconds = models.PositiveIntegerField(default=0)  # without breaks
    followed_at = models.DateTimeField(null=True, blank=True)  # when it moved to a changed rubric

    class Meta:
        ordering = ("response", "rater")
        indexes = [models.Index(fields=["rater"], name="sheet_rater")]
        constraints = [
            models.UniqueConstraint(
                fields=["response", "rater", "version"],
                name="one_sheet_per_rater_response_and_version",
            ),
            # A database never treats NULLs as equal, so sheets without lines need their own rule.
            models.UniqueConstraint(
                fields=["response", "rater"],
                condition=Q(version__isnull=True),
                name="one_sheet_without_lines_per_rater_and_response",
            ),
            models.UniqueConstraint(
                fields=["response", "version", "slot"],
                condition=Q(purpose="anchor"),
                name="one_anchor_sheet_per_response_and_version",
            ),
            models.UniqueConstraint(
                fields=["response", "slot"],
                condition=Q(purpose="anchor", state="open"),
                name="one_open_anchor_sheet_per_response",
            ),
            models.CheckConstraint(
                condition=Q(slot__gte=1, slot__lte=2), name="an_anchor_has_at_most_two_scorers"
            ),
            models.CheckConstraint(
                condition=Q(state="open") | Q(submitted_at__isnull=False),
                name="a_submitted_sheet_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(skipped="")
                | Q(kind="judge", purpose="imported", score__isnull=True, version__isnull=True),
                name="only_an_imported_judge_skips",
            ),
            models.CheckConstraint(
                condition=Q(reason="")
                | Q(kind="judge", purpose="imported", score__isnull=True, skipped=""),
                name="only_an_imported_judge_fails",
            ),
            models.CheckConstraint(
                condition=Q(purpose="imported") | Q(user__isnull=False),
                name="a_sheet_written_here_has_a_person",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=("practice", "known"))
                | Q(purpose="alignment", version__isnull=False),
                name="practice_and_known_sheets_look_like_others",
            ),
            models.CheckConstraint(
                condition=Q(flagged_item__isnull=True) | Q(kind="expert", purpose="alignment"),
                name="only_an_experts_alignment_sheet_is_for_a_flag",
            ),
        ]

    # Attributes of the task; a queryset may set them as annotations.
    @cached_property
    def domain_id(self) -> int:
        return self.response.task.domain_id

    @cached_property
    def domain_external(self) -> bool:
        return self.response.task.domain.external


# The kinds that results are made of; the others are kept apart.
COUNTED = (Sheet.Kind.EXPERT, Sheet.Kind.JUDGE)


class SheetLine(models.Model):
    """The verdict on one line with its rationale; `met` is None while open or for an abstention."""

    sheet = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="lines")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="+")
    met = models.BooleanField(null=True, blank=True)
    rationale = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["sheet", "criterion"], name="one_verdict_per_sheet_and_line"
            )
        ]
