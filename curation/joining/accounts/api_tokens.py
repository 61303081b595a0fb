"""Tokens with which programs use the API in a person's name: made, listed, ended."""

import hashlib
import hmac
import secrets
from datetime import date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.fields import LineField
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict, NotFound
from curation.joining.people import User


def digest_of(key: str) -> str:
    """Return the stored digest of a key. A plain hash is safe: keys are long and random."""
    return hashlib.sha256(key.encode()).hexdigest()


class ApiToken(models.Model):
    """A token of a person. Its key is shown once and not stored; the row stays as a record.

    A token ends at its date, when somebody ends it, and with everything that ends all sessions of
    the account: a new password, another role, a suspension, a closed account.
    """

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("Works")
        OVER = "over", gettext_lazy("Its date has passed")
        ENDED = "ended", gettext_lazy("Ended")
        CLOSED = "closed", gettext_lazy("Ended with a new password, another role or a suspension")

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


def tokens_of(person: Any) -> list[ApiToken]:
    """Return a person's tokens: open ones first, the newest first among each. One query."""
    rows = list(ApiToken.objects.filter(user=person).select_related("user", "ended_by"))
    return sorted(rows, key=lambda row: row.state != ApiToken.State.OPEN)


def access_token(person: Any, pk: int) -> ApiToken:
    """Return a token of this person.

    Raises:
        NotFound: no such token, or another person's.
    """
    found = ApiToken.objects.filter(user=person, pk=pk).select_related("user").first()
    if found is None:
        raise NotFound()
    return found


DEFAULT_DAYS = 90
MOST_DAYS = 365
MOST_TOKENS = 20  # of one person, open at the same time
USE_RECORDED_EVERY = timedelta(minutes=5)


@action("signed_in")
@transaction.atomic
def make_token(*, actor: Any, name: str, until: date | None = None) -> tuple[ApiToken, str]:
    """Make a token. Its key is returned here and stored nowhere.

    Args:
        name: the label by which its owner recognises it.
        until: the last day it works; None for `DEFAULT_DAYS` from today.

    Returns:
        the token and its key.

    Raises:
        BadInput: no name, or a date that is past or too far away.
        Conflict: `too_many`: the person has `MOST_TOKENS` open tokens.
    """
    today = timezone.localdate()
    until = until or today + timedelta(days=DEFAULT_DAYS)
    problems: dict[str, list[Any]] = {}
    problem = storable.problem_with_name(name, limit=60)
    if problem:
        problems["name"] = [problem]
    if not today < until <= today + timedelta(days=MOST_DAYS):
        problems["until"] = [
            _("Choose a day from tomorrow on, at most %(most)s days away.") % {"most": MOST_DAYS}
        ]
    if problems:
        raise BadInput(fields=problems)
    owner = User.objects.select_for_update().get(pk=actor.pk)  # counts one by one
    working = [row for row in owner.api_tokens.select_related("user") if row.state == "open"]
    if len(working) >= MOST_TOKENS:
        raise Conflict(
            _("You have %(most)s tokens that work, which is the limit. End one first.")
            % {"most": MOST_TOKENS},
            code="too_many",
        )
    key = secrets.token_urlsafe(32)
    made = ApiToken.objects.create(
        user=owner,
        name=name,
        digest=digest_of(key),
        opened_with=owner.get_session_auth_hash(),
        ends_at=timezone.make_aware(datetime.combine(until + timedelta(days=1), time.min)),
    )
    return made, key


def find_token(key: str) -> ApiToken | None:
    """Return the open token with this key, with its owner; None if there is none.

    Records its use at most every five minutes.
    """
    found = ApiToken.objects.select_related("user").filter(digest=digest_of(key)).first()
    if found is None or found.state != ApiToken.State.OPEN:
        return None
    now = timezone.now()
    if found.last_used_at is None or now - found.last_used_at >= USE_RECORDED_EVERY:
        ApiToken.objects.filter(pk=found.pk).update(last_used_at=now)
    return found


@action("token.end", about="token")
def end_token(*, actor: Any, token: ApiToken, reason: str = "") -> None:
    """End a token: its owner without a reason, staff with one.

    Raises:
        BadInput: staff gave no reason.
        Conflict: `ended`: the token has ended already.
        Denied: the actor is neither the owner nor staff.
    """
    if token.user_id != actor.pk:
        reason = required_reason(reason, _("Say why. Its owner reads it."), limit=2000)
    if token.state != ApiToken.State.OPEN:
        raise Conflict(_("This token has ended already."), code="ended")
    ended = ApiToken.objects.filter(pk=token.pk, ended_at__isnull=True).update(
        ended_at=timezone.now(), ended_by=actor, ended_why=reason
    )
    if not ended:
        raise Conflict(_("This token has ended already."), code="ended")
