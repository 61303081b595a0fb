"""What happens to re-verifications when an expert is suspended or leaves."""

from collections.abc import Sequence
from typing import Any

from curation.base.process.signals import qualifications_ended
from curation.base.process.states import move
from curation.joining.people.models import Qualification
from curation.joining.people.queries import held_under
from curation.tasks.business.reverification_models import Reverification


def connect() -> None:
    """Give the requests of experts whose qualification ends to their colleagues."""
    qualifications_ended.connect(
        _free_requests, sender=Qualification, dispatch_uid="curation.reverification"
    )


def _free_requests(sender: Any, ended: Sequence[Qualification], **_: Any) -> int:
    """Open the requests that these experts hold in their domains again; return how many."""
    State = Reverification.State  # noqa: N806  a class
    rows = Reverification.objects.filter(
        held_under(ended, person="expert", domain="task__domain"),
        state__in=(State.TAKEN, State.AMENDING),
    )
    return move(
        Reverification.objects.filter(pk__in=list(rows.values_list("pk", flat=True))),
        State.OPEN,
        expert=None,
        taken_at=None,
        valid_until=None,
        finding="",
    )
