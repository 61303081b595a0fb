"""Receivers of saved history rows that send the notices of events.

A saved history row is an event, because these rows are only ever added; the table of events of
its noun says which notices it sends. So actions need not know about notices.
"""

from collections.abc import Callable
from typing import Any

from django.db.models import Model
from django.db.models.signals import post_save


def on_saved(model: type[Model], receiver: Callable[[Any, bool], None]) -> None:
    """Call `receiver(row, created)` for each row of the model that is saved.

    Leaves out rows loaded with `loaddata`: their notices were sent where they came from.
    """

    def heard(sender: Any, instance: Any, created: bool, raw: bool = False, **_: Any) -> None:
        if not raw:
            receiver(instance, created)

    name = f"{receiver.__module__}.{receiver.__qualname__}"
    post_save.connect(heard, sender=model, weak=False, dispatch_uid=name)
