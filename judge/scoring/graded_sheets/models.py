"""Graded sheets: one rater's grade from 1 to 5 for one whole response, with its reason."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from curation.base.process.states import Stateful
from curation.joining.people import User
from judge.asking.candidates.models import Response
from judge.methods.graded.scale import HIGHEST, LOWEST
from rubrics.versions.models import RubricVersion


class GradedSheet(Stateful):
    """A grade by an expert of this programme, by an imported expert or by an imported judge.

    `rater` names who graded, as on a sheet of lines. `version` is the rubric's version at the time;
    it tells whether the grade rests on an earlier text. A sheet of an expert of this programme is
    open until it is submitted; an imported one is submitted from the start and has no person.
    """

    class Kind(models.TextChoices):
        EXPERT = "expert", _("Expert")
        JUDGE = "judge", _("Judge")

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        SUBMITTED = "submitted", _("Submitted")

    moves = {State.OPEN: (State.SUBMITTED,), State.SUBMITTED: ()}

    response = models.ForeignKey(Response, on_delete=models.PROTECT, related_name="graded_sheets")
    version = models.ForeignKey(
        RubricVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    # The version of the task's text whose reference answer was in view.
    answer_version = models.PositiveIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.EXPERT)
    rater = models.CharField(max_length=120)
    user = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="graded_sheets"
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    flagged_item = models.ForeignKey(  # as on a sheet of lines
        "judge.AlignmentItem",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="graded_sheets",
    )
    analysis = models.TextField(blank=True)
    grade = models.PositiveSmallIntegerField(null=True, blank=True)
    revision = models.PositiveIntegerField(default=1)  # a stale save is refused
    due_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(default=timezone.now)
    saved_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    worked_seconds = models.PositiveIntegerField(default=0)  # without breaks

    class Meta:
        ordering = ("response", "rater")
        indexes = [models.Index(fields=["rater"], name="graded_sheet_rater")]
        constraints = [
            models.UniqueConstraint(
                fields=["response", "rater", "version"],
                name="one_grade_per_rater_response_and_version",
            ),
            # A database never treats NULLs as equal.
            models.UniqueConstraint(
                fields=["response", "rater"],
                condition=Q(version__isnull=True),
                name="one_grade_without_rubric_per_rater_and_response",
            ),
            models.CheckConstraint(
                condition=Q(grade__isnull=True) | Q(grade__gte=LOWEST, grade__lte=HIGHEST),
                name="grades_run_from_1_to_5",
            ),
            models.CheckConstraint(
                condition=Q(state="open") | Q(grade__isnull=False, submitted_at__isnull=False),
                name="a_submitted_graded_sheet_has_a_grade",
            ),
            models.CheckConstraint(
                condition=Q(state="submitted") | Q(user__isnull=False),
                name="an_open_graded_sheet_has_a_person",
            ),
            models.CheckConstraint(
                condition=Q(flagged_item__isnull=True) | Q(kind="expert", user__isnull=False),
                name="only_an_experts_graded_sheet_is_for_a_flag",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.response_id} · {self.rater}"

    # Attributes of the task; a queryset may set them as annotations.
    @cached_property
    def domain_id(self) -> int:
        return self.response.task.domain_id

    @cached_property
    def domain_external(self) -> bool:
        return self.response.task.domain.external
