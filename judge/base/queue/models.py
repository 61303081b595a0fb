"""Leases on work, the use of providers' accounts, and the workers' heartbeats."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import QuerySet
from django.utils import timezone


class MachineWork(models.Model):
    """A worker's claim on a piece of work on one object; the objects' stages are the queue.

    After a crash the lease stays in the row until `lease_until`; then another worker takes over.
    Work whose worker ended is done alone, in a process of its own; if that ends too, the work is
    put aside until staff have it tried again.
    """

    kind = models.CharField(max_length=20)  # see `judge.base.queue.send`
    object_id = models.PositiveBigIntegerField()
    lease = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    problem = models.TextField(blank=True)  # the last failure, for staff
    # Workers that ended or froze with it since it was last given back or went on.
    workers_ended = models.PositiveSmallIntegerField(default=0)
    # How its last worker ended, as `judge.base.queue.ends` names it; "" unless it is put aside.
    put_aside = models.CharField(max_length=20, blank=True)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "object_id"], name="one_claim_per_piece_of_work"
            ),
            models.CheckConstraint(
                condition=models.Q(put_aside="") | models.Q(lease=""),
                name="nobody_holds_what_is_put_aside",
            ),
        ]


class AccountUse(models.Model):
    """A run's use of a provider's key, which other runs with the same key read.

    Renewed every second while the run is worked on; an older row does not count.
    """

    account = models.CharField(max_length=60)  # an opaque name of the key
    holder = models.CharField(max_length=80)  # process and run
    wanted = models.PositiveIntegerField()  # concurrent calls the run asks for
    limit = models.PositiveIntegerField()  # concurrent calls the account allows, as learnt so far
    good = models.PositiveIntegerField()  # the limit may grow fast up to this number
    refused_at = models.DateTimeField(null=True, blank=True)  # the last rate-limit error
    paused_until = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "holder"], name="one_use_of_a_key_per_holder"
            )
        ]


class Heartbeat(models.Model):
    """The time at which a worker last ran a job; `/readyz` reads it."""

    name = models.CharField(max_length=60, primary_key=True)
    at = models.DateTimeField(default=timezone.now)


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
