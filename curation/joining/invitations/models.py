"""Invitations (by staff, of a vendor's people, by an expert's referral) and arrivals.

Links are signed and never stored (`links.py`): the database contains no usable link.
"""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import LineField
from curation.joining.domains.models import Domain
from curation.joining.people import User


class Invitation(models.Model):
    """An invitation, which one or several people may use until it ends."""

    class Kind(models.TextChoices):
        PERSON = "person", _("One person, by e-mail")
        VENDOR = "vendor", _("A vendor's people")
        REFERRAL = "referral", _("An expert's referral link")

    kind = models.CharField(max_length=10, choices=Kind.choices)
    invited_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="invitations")
    email = models.EmailField(blank=True)  # of the one person, or the vendor's contact
    name = LineField(max_length=120, blank=True)  # of the one person, as staff know it
    vendor = LineField(max_length=200, blank=True)
    domain = models.ForeignKey(
        Domain, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    language = models.CharField(max_length=10, default="en")
    uses = models.PositiveSmallIntegerField(default=0)
    max_uses = models.PositiveSmallIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    mail_due_at = models.DateTimeField(null=True, blank=True)  # None: no e-mail waits to be sent
    mail_failures = models.PositiveSmallIntegerField(default=0)  # of that e-mail, in a row

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(uses__lte=F("max_uses")), name="an_invitation_is_not_overused"
            ),
            models.CheckConstraint(
                condition=~Q(kind="person") | ~Q(email=""),
                name="a_personal_invitation_has_an_address",
            ),
            models.CheckConstraint(
                condition=~Q(kind="vendor") | ~Q(vendor=""), name="a_vendor_has_a_name"
            ),
            models.UniqueConstraint(
                fields=["invited_by"],
                condition=Q(kind="referral", revoked_at__isnull=True),
                name="one_open_referral_link_per_expert",
            ),
        ]

    def __str__(self) -> str:
        return self.vendor or self.email or str(self.invited_by)


class Arrival(models.Model):
    """Which invitation a person used. It gives an application its route and referrer."""

    invitation = models.ForeignKey(Invitation, on_delete=models.PROTECT, related_name="arrivals")
    user = models.OneToOneField(User, on_delete=models.PROTECT, related_name="arrival")
    at = models.DateTimeField(default=timezone.now)
