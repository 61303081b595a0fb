"""Accounts that were closed or opened again, and names that were removed."""

from django.db import models

from curation.people.models import User
from curation.process.history import StaffAct, reasoned


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
