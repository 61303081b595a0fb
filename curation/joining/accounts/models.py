"""What staff did with accounts, who signed in, and the table of the database cache."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly, StaffAct, reasoned
from curation.joining.people import User


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


class SignIn(models.Model):
    """Somebody signed in, or was refused: who, when, with which kind of device.

    It holds no IP address, and not what was typed: `user` is null where nobody has the address.
    Deleted after `curation.joining.accounts.sign_ins.KEPT`.
    """

    class Outcome(models.TextChoices):
        DONE = "done", _("Signed in")
        REFUSED = "refused", _("Sign-in refused")

    user = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="sign_ins"
    )
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    device = models.CharField(max_length=60, blank=True)  # browser and system, such as "Firefox"
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        indexes = [models.Index(fields=["at"], name="sign_in_at")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(outcome="refused") | models.Q(user__isnull=False),
                name="who_signed_in_is_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.outcome} {self.at:%Y-%m-%d %H:%M}"


class CacheRow(models.Model):
    """A row of Django's database cache, which holds the counts of the throttles.

    It is a model so that `migrate` creates the table and nobody has to run `createcachetable`.
    Only the cache and `/readyz` read and write it.
    """

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.cache_key


class TermsConsent(AppendOnly):
    """A person's consent to one version of the terms."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="consents")
    version = models.CharField(max_length=20)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("at", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "version"], name="a_version_of_the_terms_is_agreed_to_once"
            )
        ]
