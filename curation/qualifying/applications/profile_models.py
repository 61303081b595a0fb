"""Profiles of experts as staff enter them, and checks of certificates."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import LineField
from curation.joining.people.models import User
from curation.qualifying.applications.models import Certification


class ExpertProfile(models.Model):
    """Degree, practice and languages of an expert; each change is a row, the newest one counts.

    It is for experts who did not apply here, and for what has changed since somebody applied.
    """

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="profiles")
    degree = LineField(max_length=200, blank=True)
    # The year in which the practice began, so that the years of practice go on by themselves.
    practising_since = models.PositiveSmallIntegerField(null=True, blank=True)
    languages = models.JSONField(default=list, blank=True)  # codes, best first
    entered_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)


class CertificateCheck(models.Model):
    """Staff looked a certificate up: by whom, on which day, until when it holds.

    The newest check of a certificate counts. It goes with its certificate, which an applicant may
    take off an application that still waits.
    """

    class Outcome(models.TextChoices):
        CONFIRMED = "confirmed", _("Confirmed")
        NOT_CONFIRMED = "not_confirmed", _("Not confirmed")

    certification = models.ForeignKey(
        Certification, on_delete=models.CASCADE, related_name="checks"
    )
    outcome = models.CharField(max_length=20, choices=Outcome.choices)
    checked_on = models.DateField()
    valid_until = models.DateField(null=True, blank=True)  # None: it does not expire
    how = models.TextField()  # the register or document that was looked at
    checked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(valid_until__isnull=True) | Q(valid_until__gte=F("checked_on")),
                name="a_certificate_holds_on_the_day_of_its_check",
            ),
            models.CheckConstraint(
                condition=Q(outcome="confirmed") | Q(valid_until__isnull=True),
                name="only_a_confirmed_certificate_has_an_end",
            ),
        ]
