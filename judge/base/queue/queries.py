"""Heartbeats of background workers."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from judge.base.queue.models import Heartbeat


def heartbeats() -> QuerySet[Heartbeat, Any]:
    """Return the times of the workers' last heartbeats, the latest first."""
    return Heartbeat.objects.order_by("-at").values_list("at", flat=True)


def last_heartbeat() -> datetime | None:
    """Return the time of the latest heartbeat of any worker; None if there is none."""
    return heartbeats().first()


def is_awake(heartbeat: datetime | None) -> bool:
    """Return whether a heartbeat is recent enough for its worker to count as running."""
    silent = timezone.now() - timedelta(seconds=settings.WORKER_SILENT_AFTER)
    return heartbeat is not None and heartbeat >= silent
