"""Consents to the terms, and drafts of applications."""

from django.db import models
from django.utils import timezone

from curation.people.models import User
from curation.process.history import AppendOnly


class TermsConsent(AppendOnly):
    """A person's consent to one version of the terms."""

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
    """An application form as typed so far. Only its owner reads it; applying deletes it."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="application_draft")
    fields = models.JSONField(default=dict)  # name -> value as in the form
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField(default=timezone.now)
