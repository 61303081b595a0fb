"""Have the worker try failed work again at once, or take up again what is put aside."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.refusals import Conflict
from judge.base.queue import leases
from judge.base.queue.failing import still_waiting
from judge.base.queue.models import MachineWork

TakeUp = Callable[[Any, int], None]  # actor, number of the row

_take_up: dict[str, TakeUp] = {}


def register(kind: str, take_up: TakeUp) -> None:
    """Register the step by which staff continue rows of a kind, which ends in `take_up_again`."""
    _take_up[kind] = take_up


@action("staff.scoring")
@transaction.atomic
def try_again(*, actor: Any, pk: int) -> None:
    """Let the next sweep try failed work, and work that is put aside.

    Raises:
        Conflict: `moved_on`, it is at work or done, or its object waits no longer.
    """
    failed = MachineWork.objects.filter(leases.FAILED, pk=pk)
    work = next(iter(still_waiting(failed.select_for_update())), None)
    if work is None:
        raise Conflict(
            _("This work is no longer waiting: it is done, or a worker has it."), code="moved_on"
        )
    if not work.put_aside:
        failed.update(attempts=0)
    elif work.kind in _take_up:
        _take_up[work.kind](actor, work.object_id)
    else:
        leases.take_up_again(work.kind, work.object_id)
