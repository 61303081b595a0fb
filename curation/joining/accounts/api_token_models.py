"""Tokens with which programs use the API in a person's name."""

import hashlib
import hmac
from datetime import date, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import LineField


def digest_of(key: str) -> str:
    """Return the stored digest of a key. A plain hash is safe: keys are long and random."""
    return hashlib.sha256(key.encode()).hexdigest()


class ApiToken(models.Model):
    """A token of a person. Its key is shown once and not stored; the row stays as a record.

    A token ends at its date, when somebody ends it, and with everything that ends all sessions of
    the account: a new password, another role, a suspension, a closed account.
    """

    class State(models.TextChoices):
        OPEN = "open", _("Works")
        OVER = "over", _("Its date has passed")
        ENDED = "ended", _("Ended")
        CLOSED = "closed", _("Ended with a new password, another role or a suspension")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="api_tokens"
    )
    name = LineField(max_length=60)
    digest = models.CharField(max_length=64)
    # The account's session hash when the token was made. Everything that ends sessions changes it.
    opened_with = models.CharField(max_length=128)
    made_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    ended_why = models.TextField(blank=True)  # if staff ended it

    class Meta:
        ordering = ("-made_at", "-id")
        constraints = [
            models.UniqueConstraint(fields=["digest"], name="an_api_token_has_a_key_of_its_own"),
            models.CheckConstraint(
                condition=Q(ends_at__gt=models.F("made_at")),
                name="an_api_token_ends_after_it_began",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by__isnull=True)
                | Q(ended_at__isnull=False, ended_by__isnull=False),
                name="an_ended_api_token_says_who_ended_it",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def until(self) -> date:
        """The last day on which the token works."""
        return timezone.localdate(self.ends_at - timedelta(seconds=1))

    @property
    def state_label(self) -> str:
        return str(self.State(self.state).label)

    @property
    def state(self) -> str:
        """A `State`: open, or why the token no longer works. Loads the user."""
        if self.ended_at is not None:
            return self.State.ENDED
        if self.ends_at <= timezone.now():
            return self.State.OVER
        hashes = [self.user.get_session_auth_hash(), *self.user.get_session_auth_fallback_hash()]
        if self.user.is_active and any(hmac.compare_digest(self.opened_with, h) for h in hashes):
            return self.State.OPEN
        return self.State.CLOSED
