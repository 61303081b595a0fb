"""Whom the next alignment set asks about a response with a flagged verdict."""

from enum import StrEnum

from judge.asking.candidates.models import Response
from judge.scoring.assignments.queries import candidates_for_scoring


class Asking(StrEnum):
    """Whom an alignment set asks about a response with a flagged verdict."""

    NOBODY = "nobody"  # it cannot be scored, or no longer
    EXPERTS = "experts"
    OTHERS = "others"  # than those who scored it
    UNDER_WAY = "under way"  # nobody, as experts are scoring it
    WERE_ASKED = "were asked"  # nobody, as experts were asked because of a flag


def whom_a_set_asks(response: Response) -> Asking:
    """Return whom the next set asks if a verdict on the response is flagged. Five queries."""
    found = candidates_for_scoring(task=response.task.key)
    one = next((one for one in found if one.pk == response.pk), None)
    if one is None:
        return Asking.NOBODY
    if not one.sheets:
        return Asking.EXPERTS
    if one.can_be_asked_again:
        return Asking.OTHERS
    return Asking.WERE_ASKED if one.for_flags else Asking.UNDER_WAY
