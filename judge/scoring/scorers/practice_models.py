"""Practice sheets that staff choose: a response with agreed verdicts, explained where it helps."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.joining.people import User
from judge.asking.candidates.models import Response
from rubrics.versions.models import Criterion, RubricVersion


class PracticeSheet(models.Model):
    """A response that scorers of a domain practise on; retired, never deleted.

    Its verdicts are those that were agreed when staff chose it.
    """

    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="practice_sheets")
    response = models.OneToOneField(
        Response, on_delete=models.PROTECT, related_name="practice_sheet"
    )
    version = models.ForeignKey(RubricVersion, on_delete=models.PROTECT, related_name="+")
    added_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField(default=timezone.now)
    revision = models.PositiveIntegerField(default=1)  # of the explanations
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)


class PracticeLine(models.Model):
    """The agreed verdict on one line, with what helps to see why."""

    practice_sheet = models.ForeignKey(
        PracticeSheet, on_delete=models.PROTECT, related_name="lines"
    )
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="+")
    met = models.BooleanField()
    explanation = models.TextField(blank=True)

    class Meta:
        ordering = ("criterion__position", "criterion_id")
        constraints = [
            models.UniqueConstraint(
                fields=["practice_sheet", "criterion"], name="one_agreed_verdict_per_practice_line"
            )
        ]


class PracticeAttempt(models.Model):
    """A person's practice on one practice sheet.

    The counts are set when the sheet is submitted. `sheet` is null after it was handed back.
    """

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="practice_attempts")
    practice_sheet = models.ForeignKey(
        PracticeSheet, on_delete=models.PROTECT, related_name="attempts"
    )
    sheet = models.OneToOneField(
        "judge.Sheet",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="practice_attempt",
    )
    begun_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)  # submitted or handed back
    handed_back = models.TextField(blank=True)  # the reason
    lines = models.PositiveIntegerField(null=True, blank=True)
    agreed = models.PositiveIntegerField(null=True, blank=True)
    share = models.PositiveSmallIntegerField(null=True, blank=True)  # the rule then, in percent
    passed = models.BooleanField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["user", "practice_sheet"], name="one_attempt_per_practice_sheet"
            ),
            models.CheckConstraint(
                condition=Q(passed__isnull=True)
                | Q(
                    ended_at__isnull=False,
                    lines__isnull=False,
                    agreed__isnull=False,
                    share__isnull=False,
                ),
                name="a_practice_is_decided_by_its_lines",
            ),
        ]
