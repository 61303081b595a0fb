"""Forms that were carried out, so that a repeated press finds the first one's result."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class SentForm(models.Model):
    """A form that a person sent. `curation.base.web.once` writes it in the form's transaction."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)  # of the address and all fields and files
    result = models.CharField(max_length=2000, blank=True)  # address to which the first press led
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "digest"], name="a_sent_form_is_carried_out_once"
            )
        ]
