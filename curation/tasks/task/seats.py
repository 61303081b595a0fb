"""The action that gives a person a seat on a task."""

from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from curation.base.web.refusals import Conflict
from curation.tasks.task.models import Seat, Task


def take_seat(*, task: Task, user: Any, role: str) -> Seat:
    """Give a person a seat, or refuse if they already hold one on this task.

    Taking the same seat again returns it, so a double click does no harm.

    Raises:
        Conflict: `seat_taken`.
    """
    try:
        with transaction.atomic():
            seat = Seat.objects.create(task=task, user=user, role=role)
    except IntegrityError:
        held = Seat.objects.filter(task=task, user=user).first()
        if held is not None and held.role == role:
            return held
        raise Conflict(
            _("You already hold another seat on this task, so you cannot take this one."),
            code="seat_taken",
        ) from None
    task.__dict__.pop("_seat_roles", None)
    return seat
