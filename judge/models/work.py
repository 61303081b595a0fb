"""Who is working on what: leases that survive a crash, and the worker's pulse."""

from django.db import models
from django.utils import timezone


class MachineWork(models.Model):
    """One piece of machine work on one thing. A stage is the queue; this row is the claim.

    A worker that dies leaves `lease_until` behind; when it has passed, the next one takes over.
    """

    kind = models.CharField(max_length=20)  # probe, draft, answer
    object_id = models.PositiveBigIntegerField()
    lease = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    problem = models.TextField(blank=True)  # the last failure, for staff
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "object_id"], name="one_claim_per_piece_of_work"
            )
        ]


class Heartbeat(models.Model):
    """When a worker last ran a job. `/readyz` reads it."""

    name = models.CharField(max_length=60, primary_key=True)
    at = models.DateTimeField(default=timezone.now)
