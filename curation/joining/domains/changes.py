"""The history of what staff keep for a domain: who changed what, when, from what to what."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class Change(models.Model):
    """One change, written once. The model itself adds the domain, the thing and the kinds."""

    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    reason = models.TextField(blank=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True
        ordering = ("-pk",)
