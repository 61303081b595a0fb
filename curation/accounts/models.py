"""Resets of second factors, and the table of the database cache."""

from django.db import models

from curation.people.models import User
from curation.process.history import StaffAct, reasoned


class SecondFactorReset(StaffAct):
    """A reset of a person's second factor by staff: who, when, why."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="second_factor_resets")

    class Meta(StaffAct.Meta):
        constraints = [reasoned("a_second_factor_reset_has_a_reason")]


class CacheRow(models.Model):
    """A row of Django's database cache, which holds the counts of the throttles.

    It is a model so that `migrate` creates the table and nobody has to run `createcachetable`.
    Only `DatabaseCache` reads and writes it.
    """

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.cache_key
