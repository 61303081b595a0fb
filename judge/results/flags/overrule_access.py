"""Who overrules a judge on a response."""

from typing import Any

from curation.base.access.permissions import allows
from judge.asking.candidates.models import Response


def collected_it(user: Any, response: int) -> bool:
    """Return whether a person collected the response by hand. One query."""
    return Response.objects.filter(pk=response, collected_as__operator=user).exists()


def may_overrule(user: Any, response: Response) -> bool:
    """Return whether the page offers a person to overrule a judge on a response. One query."""
    return allows(user, "judgment.overrule", response.task) and not collected_it(user, response.pk)
