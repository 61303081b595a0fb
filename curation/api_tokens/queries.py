"""Somebody's tokens for the API. Never a key."""

from typing import Any

from curation.api_tokens.models import ApiToken
from curation.web.refusals import NotFound


def tokens_of(person: Any) -> list[ApiToken]:
    """Those that work first, then the newest. One query."""
    rows = list(ApiToken.objects.filter(user=person).select_related("user", "ended_by"))
    return sorted(rows, key=lambda row: row.state != ApiToken.State.OPEN)


def access_token(person: Any, pk: int) -> ApiToken:
    """One token of this person; another's looks like a missing one."""
    found = ApiToken.objects.filter(user=person, pk=pk).select_related("user").first()
    if found is None:
        raise NotFound()
    return found
