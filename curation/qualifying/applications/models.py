"""Applications, their history, and certifications."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process import lifecycle
from curation.base.process.history import Staged, StageEvent
from curation.base.process.lifecycle import ApplicationStage
from curation.base.web.fields import LineField
from curation.joining.domains.models import Domain
from curation.joining.people import User


class ApplicationDraft(models.Model):
    """An application form as typed so far. Only its owner reads it; applying deletes it."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="application_draft")
    fields = models.JSONField(default=dict)  # name -> value as in the form
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField(default=timezone.now)


MIN_YEARS = 3  # of practice; XpertBench section 3.1


class Application(Staged):
    """A person's application for one domain."""

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
    """A history row of an application."""

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="history")


class Certification(models.Model):
    """A certificate or licence that an applicant names, with its evidence if there is a file."""

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
