"""Drafts of applications."""

from django.db import models
from django.utils import timezone

from curation.joining.people.models import User


class ApplicationDraft(models.Model):
    """An application form as typed so far. Only its owner reads it; applying deletes it."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="application_draft")
    fields = models.JSONField(default=dict)  # name -> value as in the form
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField(default=timezone.now)
