"""From an application to a qualification."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation import lifecycle
from curation.lifecycle import ApplicationStage
from curation.models.domains import Domain
from curation.models.history import Staged, StageEvent
from curation.models.people import User

MIN_YEARS = 3  # of practice; XpertBench section 3.1


class Application(Staged):
    """One person's way into one domain."""

    class Route(models.TextChoices):
        DIRECT = "direct", _("Directly")
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
    affiliation = models.CharField(max_length=200)
    degree = models.CharField(max_length=200)
    years = models.PositiveSmallIntegerField()
    credentials = models.TextField()
    training_version = models.CharField(max_length=20, blank=True)
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
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.domain}"


class ApplicationEvent(StageEvent):
    """History of an application."""

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="history")


class Trial(models.Model):
    """One version of an applicant's trial task, and what a senior decided."""

    class Verdict(models.TextChoices):
        ACCEPTED = "accepted", _("Accepted")
        RETURNED = "returned", _("Returned")
        REJECTED = "rejected", _("Rejected")

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="trials")
    number = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=200, blank=True)
    scenario = models.TextField(blank=True)
    materials = models.TextField(blank=True)
    requirements = models.TextField(blank=True)
    reference_answer = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField(default=timezone.now)
    submitted_at = models.DateTimeField(null=True, blank=True)
    verdict = models.CharField(max_length=10, choices=Verdict.choices, blank=True)
    remarks = models.TextField(blank=True)
    senior = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

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
