"""Whether a background worker lives, by the heartbeat it stores."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from judge.queue.models import Heartbeat


def heartbeats() -> QuerySet[Heartbeat, Any]:
    """The times at which workers last showed that they live, the latest first."""
    return Heartbeat.objects.order_by("-at").values_list("at", flat=True)


def last_heartbeat() -> datetime | None:
    """When any worker last showed that it lives; None if none ever did."""
    return heartbeats().first()


def is_awake(heartbeat: datetime | None) -> bool:
    """Whether a heartbeat is recent enough for its worker to count as alive."""
    silent = timezone.now() - timedelta(seconds=settings.WORKER_SILENT_AFTER)
    return heartbeat is not None and heartbeat >= silent
