"""From an application to a qualification."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation import lifecycle
from curation.lifecycle import ApplicationStage
from curation.models.domains import Domain
from curation.models.fields import LineField
from curation.models.history import AppendOnly, Staged, StageEvent
from curation.models.people import User
from curation.models.tasks import Prompt

MIN_YEARS = 3  # of practice; XpertBench section 3.1


class Application(Staged):
    """One person's way into one domain."""

    class Route(models.TextChoices):
        DIRECT = "direct", _("Directly")
        INVITATION = "invitation", _("By invitation")
        REFERRAL = "referral", _("By a colleague's referral")
        VENDOR = "vendor", _("Through a vendor")

    process = lifecycle.APPLICATION

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="applications")
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="applications")
    stage = models.CharField(
        max_length=20, choices=ApplicationStage.choices, default=ApplicationStage.APPLIED
    )
    route = models.CharField(max_length=10, choices=Route.choices, default=Route.DIRECT)
    referred_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="referrals"
    )
    affiliation = LineField(max_length=200)
    degree = LineField(max_length=200)
    years = models.PositiveSmallIntegerField()
    credentials = models.TextField()
    languages = models.JSONField(default=list, blank=True)  # codes, best first
    invitation = models.ForeignKey(
        "curation.Invitation",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="applications",
    )
    terms_version = models.CharField(max_length=20, blank=True)
    consented_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "domain"], name="one_application_per_person_and_domain"
            ),
            models.CheckConstraint(
                condition=Q(years__gte=MIN_YEARS), name="three_years_of_practice_at_least"
            ),
            models.CheckConstraint(
                condition=Q(stage__in=ApplicationStage.values), name="application_stage_is_known"
            ),
            models.CheckConstraint(
                condition=Q(route__in=["direct", "invitation", "referral", "vendor"]),
                name="application_route_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.domain}"


class ApplicationEvent(StageEvent):
    """History of an application."""

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="history")


class Certification(models.Model):
    """A certificate or licence an applicant names, with its evidence where they have a file."""

    application = models.ForeignKey(
        Application, on_delete=models.PROTECT, related_name="certifications"
    )
    title = LineField(max_length=200)
    issuer = LineField(max_length=200, blank=True)
    year = models.PositiveSmallIntegerField(null=True, blank=True)
    evidence = models.OneToOneField(
        "curation.Attachment",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="certification",
    )

    class Meta:
        ordering = ("id",)
        constraints = [
            models.CheckConstraint(condition=~Q(title=""), name="a_certification_has_a_title")
        ]


class TrainingUnitPass(AppendOnly):
    """A person answered every exercise of one unit of one edition of the training."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="training_units")
    edition = models.CharField(max_length=20)
    unit = models.CharField(max_length=40)
    tries = models.PositiveSmallIntegerField(default=1)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "edition", "unit"], name="a_training_unit_is_passed_once"
            )
        ]


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
    # Who reads it now, so that a second senior need not; it bars nobody from deciding.
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
        """What a task has as its own; here it is the application's."""
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
