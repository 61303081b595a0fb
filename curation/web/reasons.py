"""The reason a person gives for a step, one rule for all of them."""

from typing import Any

from django.utils.translation import gettext as _

from curation.text import storable
from curation.web.refusals import BadInput

REASON_LIMIT = 5000  # characters


def required_reason(
    reason: Any, missing: str = "", *, limit: int = REASON_LIMIT, field: str = "reason"
) -> str:
    """The reason as it is stored.

    Args:
        missing: what is said where there is none.
        limit: the most characters.
        field: the form's name for it.

    Raises:
        BadInput: there is none, or it cannot be stored.
    """
    problem = storable.problem_with(reason, limit=limit)
    if problem or storable.is_blank(reason):
        raise BadInput(fields={field: [problem or missing or _("Say in a sentence why.")]})
    return storable.clean(reason)
