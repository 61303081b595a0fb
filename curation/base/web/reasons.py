"""The rule for reasons that people give for a step."""

from typing import Any

from django.utils.translation import gettext as _

from curation.base.text import storable
from curation.base.web.refusals import BadInput

REASON_LIMIT = 5000  # characters


def required_reason(
    reason: Any, missing: str = "", *, limit: int = REASON_LIMIT, field: str = "reason"
) -> str:
    """Check a reason and return it as it is stored.

    Args:
        missing: the sentence for a missing reason; "" for the default.
        limit: in characters.
        field: its name in the form.

    Raises:
        BadInput: it is missing or cannot be stored.
    """
    problem = storable.problem_with(reason, limit=limit)
    if problem or storable.is_blank(reason):
        raise BadInput(fields={field: [problem or missing or _("Say why in a sentence.")]})
    return storable.clean(reason)
