"""What staff did with accounts, and the table of the database cache."""

from django.db import models

from curation.people.models import User
from curation.process.history import StaffAct, reasoned


class SecondFactorReset(StaffAct):
    """A reset of a person's second factor by staff: who, when, why."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="second_factor_resets")

    class Meta(StaffAct.Meta):
        constraints = [reasoned("a_second_factor_reset_has_a_reason")]


class AccountChange(StaffAct):
    """An account was closed, by its person or by staff, or opened again: who, when, why."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="account_changes")
    closed = models.BooleanField()

    class Meta(StaffAct.Meta):
        constraints = [reasoned("an_account_change_has_a_reason")]


class NameRemoval(StaffAct):
    """Staff removed a person's name and everything else that tells who they are."""

    user = models.OneToOneField(User, on_delete=models.PROTECT, related_name="name_removal")

    class Meta(StaffAct.Meta):
        constraints = [reasoned("a_name_removal_has_a_reason")]


class DataCopy(StaffAct):
    """Staff took a copy of a person's data: who, when, why."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="data_copies")

    class Meta(StaffAct.Meta):
        constraints = [reasoned("a_data_copy_has_a_reason")]


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
