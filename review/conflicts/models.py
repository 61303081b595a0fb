"""Declared conflicts of interest."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.people.models import User


class ConflictOfInterest(models.Model):
    """A declared reason why two people must not judge each other's work."""

    class Kind(models.TextChoices):
        AFFILIATION = "affiliation", _("Same affiliation")
        ADVISOR = "advisor", _("Advisor and student")
        COAUTHOR = "coauthor", _("Recent co-authors")
        REFERRAL = "referral", _("One referred the other")

    one = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    declared_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(one__lt=F("other")), name="a_conflict_is_stored_once"
            ),
            models.UniqueConstraint(
                fields=["one", "other", "kind"], name="conflict_kind_is_unique_per_pair"
            ),
        ]
