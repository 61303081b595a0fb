"""Tokens for the API: made by their person, ended by them or by staff."""

import secrets
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.api_tokens.models import ApiToken, digest_of
from curation.people.models import User
from curation.text import storable
from curation.web.reasons import required_reason
from curation.web.refusals import BadInput, Conflict

DAYS = 90  # proposed
MOST_DAYS = 365
MOST_TOKENS = 20  # that work at the same time
NOTED_EVERY = timedelta(minutes=5)


@action("signed_in")
@transaction.atomic
def make_token(*, actor: Any, name: str, until: date | None = None) -> tuple[ApiToken, str]:
    """Make a token; its key can be read now and never again.

    Args:
        name: what its person knows it by.
        until: the last day it works; in 90 days by default.

    Returns:
        the token and its key.

    Raises:
        BadInput: no name, or a date that is past or too far away.
        Conflict: `too_many`, as many as fit work already.
    """
    today = timezone.localdate()
    until = until or today + timedelta(days=DAYS)
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
    owner = User.objects.select_for_update().get(pk=actor.pk)  # the limit is counted one by one
    working = [row for row in owner.api_tokens.select_related("user") if row.state == "open"]
    if len(working) >= MOST_TOKENS:
        raise Conflict(
            _("You have %(most)s tokens that work, as many as fit. End one first.")
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
    """The token of this key with its person, if it works. At most every five minutes its use is
    noted."""
    found = ApiToken.objects.select_related("user").filter(digest=digest_of(key)).first()
    if found is None or found.state != ApiToken.State.OPEN:
        return None
    now = timezone.now()
    if found.last_used_at is None or now - found.last_used_at >= NOTED_EVERY:
        ApiToken.objects.filter(pk=found.pk).update(last_used_at=now)
    return found


@action("token.end", about="token")
def end_token(*, actor: Any, token: ApiToken, reason: str = "") -> None:
    """End a token: its person at any time, staff with a reason.

    Raises:
        BadInput: staff without a reason.
        Conflict: `ended`, it does not work any more.
        Denied: somebody else's token.
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
