"""The trial task of an applicant, and a senior's remarks on its parts."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.tasks.task.models import Prompt


class Trial(Prompt):
    """One version of an applicant's trial task, and what a senior decided."""

    class Verdict(models.TextChoices):
        ACCEPTED = "accepted", _("Accepted")
        RETURNED = "returned", _("Returned")
        REJECTED = "rejected", _("Rejected")

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="trials")
    number = models.PositiveSmallIntegerField()
    saved_at = models.DateTimeField(default=timezone.now)
    submitted_at = models.DateTimeField(null=True, blank=True)
    verdict = models.CharField(max_length=10, choices=Verdict.choices, blank=True)
    remarks = models.TextField(blank=True)
    senior = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    # The senior who is reading it: a hint for the others, who may still decide.
    reader = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reading_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("application", "number")
        constraints = [
            models.UniqueConstraint(
                fields=["application", "number"], name="trial_number_is_unique"
            ),
            models.UniqueConstraint(
                fields=["application"], condition=Q(verdict=""), name="one_open_trial"
            ),
            models.CheckConstraint(
                condition=Q(verdict="") | Q(senior__isnull=False, submitted_at__isnull=False),
                name="a_trial_verdict_has_a_senior",
            ),
        ]

    @property
    def domain(self) -> Domain:
        """The application's domain, under the name it has on a task."""
        return self.application.domain

    @property
    def domain_id(self) -> int:
        return self.application.domain_id


class TrialRemark(models.Model):
    """A senior's remark on one part of a trial task."""

    class Part(models.TextChoices):
        TITLE = "title", _("Title")
        SCENARIO = "scenario", _("Scenario")
        MATERIALS = "materials", _("Materials")
        REQUIREMENTS = "requirements", _("Requirements")
        REFERENCE_ANSWER = "reference_answer", _("Reference answer")

    trial = models.ForeignKey(Trial, on_delete=models.PROTECT, related_name="part_remarks")
    part = models.CharField(max_length=20, choices=Part.choices)
    text = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["trial", "part"], name="one_remark_per_part_of_a_trial"
            ),
            models.CheckConstraint(condition=~Q(text=""), name="a_remark_says_something"),
        ]
