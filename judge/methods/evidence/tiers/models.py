"""The lists of source tiers that staff set."""

from django.db import models
from django.utils import timezone

from curation.base.process.history import AppendOnly, reasoned
from curation.joining.people import User


class SourceTiers(AppendOnly):
    """Which domain has which tier. The newest list counts; earlier ones stay on record.

    Attributes:
        entries: domain (lower case, ASCII, without a dot at the end) -> tier, 1 to 4.
    """

    number = models.PositiveIntegerField()
    entries = models.JSONField()
    reason = models.TextField()
    set_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-number",)
        constraints = [
            models.UniqueConstraint(fields=["number"], name="source_tiers_are_set_one_by_one"),
            reasoned("source_tiers_have_a_reason"),
        ]
