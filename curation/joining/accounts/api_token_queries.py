"""API tokens of a person."""

from typing import Any

from curation.base.web.refusals import NotFound
from curation.joining.accounts.api_token_models import ApiToken


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
