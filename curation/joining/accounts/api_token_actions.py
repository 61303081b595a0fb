"""Verbs on API tokens: a person makes them; they or staff end them."""

import secrets
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.accounts.api_token_models import ApiToken, digest_of
from curation.joining.people.models import User

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
