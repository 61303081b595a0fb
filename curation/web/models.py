"""Forms that were carried out, so that a doubled press finds the first one's result."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class SentForm(models.Model):
    """A form as one person sent it. `curation.web.once` writes it with whatever the form does."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)  # of the address and everything sent
    result = models.CharField(max_length=2000, blank=True)  # where the first press led
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "digest"], name="a_sent_form_is_carried_out_once"
            )
        ]
