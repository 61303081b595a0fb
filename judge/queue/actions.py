"""Have the worker try failed work again at once."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.web.refusals import Conflict
from judge.queue.failing import still_waiting
from judge.queue.models import MachineWork


@action("staff.scoring")
@transaction.atomic
def try_again(*, actor: Any, pk: int) -> None:
    """Reset the attempts of failed work, so that the next sweep tries it.

    Raises:
        Conflict: `moved_on`, it is at work or done, or its object waits no longer.
    """
    failed = MachineWork.objects.filter(pk=pk, lease="", attempts__gt=0)
    if not still_waiting(failed) or not failed.update(attempts=0):
        raise Conflict(
            _("This work is no longer waiting: it is done, or a worker has it."), code="moved_on"
        )
