"""What protects accounts: the record of resets, and the memory of the throttles."""

from django.db import models

from curation.people.models import User
from curation.process.history import StaffAct, reasoned


class SecondFactorReset(StaffAct):
    """Staff took away somebody's second factor: whose, who, when, why."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="second_factor_resets")

    class Meta(StaffAct.Meta):
        constraints = [reasoned("a_second_factor_reset_has_a_reason")]


class CacheRow(models.Model):
    """The table of Django's database cache, where no Redis is at hand.

    A model, so that `migrate` makes it: no installation has to remember `createcachetable`.
    Nothing but `DatabaseCache` reads or writes it.
    """

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.cache_key
