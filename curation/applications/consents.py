"""What a person agreed to, and the application they have begun but not sent."""

from django.db import models
from django.utils import timezone

from curation.people.models import User
from curation.process.history import AppendOnly


class TermsConsent(AppendOnly):
    """A person agreed to one version of the terms: which, and when."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="consents")
    version = models.CharField(max_length=20)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("at", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "version"], name="a_version_of_the_terms_is_agreed_to_once"
            )
        ]


class ApplicationDraft(models.Model):
    """The application form as typed so far. Nobody but its owner reads it; sending deletes it."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="application_draft")
    fields = models.JSONField(default=dict)  # name -> value as in the form
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField(default=timezone.now)
