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


class AccountUse(models.Model):
    """One run's use of a provider's key, for whoever else uses it: what it wants and has learnt.

    Renewed every second while the run is worked on; a row that is older counts no more.
    """

    account = models.CharField(max_length=60)  # an opaque name of the key
    holder = models.CharField(max_length=80)  # process and run
    wanted = models.PositiveIntegerField()  # calls at once its run asks for
    limit = models.PositiveIntegerField()  # calls at once the account bears, as far as it knows
    good = models.PositiveIntegerField()  # up to here the limit may grow fast
    refused_at = models.DateTimeField(null=True, blank=True)  # the last rate limit it met
    paused_until = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "holder"], name="one_use_of_a_key_per_holder"
            )
        ]


class Heartbeat(models.Model):
    """When a worker last ran a job. `/readyz` reads it."""

    name = models.CharField(max_length=60, primary_key=True)
    at = models.DateTimeField(default=timezone.now)
