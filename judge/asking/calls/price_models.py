"""The prices of models by date, and their history."""

from datetime import UTC, datetime

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.base.process.history import AppendOnly
from curation.base.web.fields import LineField
from curation.joining.people import User


class Price(models.Model):
    """What a model costs from a moment on, in millionths of a dollar per million tokens.

    It is in force until the next row of the model. Before the first row the price is unknown.
    """

    provider = models.CharField(max_length=20)
    model = LineField(max_length=120)
    input_micro = models.PositiveBigIntegerField()
    cached_micro = models.PositiveBigIntegerField()
    output_micro = models.PositiveBigIntegerField()
    since = models.DateTimeField(null=True, blank=True)  # null: from the beginning
    entered_at = models.DateTimeField(default=timezone.now)  # entered, or last corrected

    class Meta:
        ordering = ("provider", "model", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "model", "since"], name="one_price_per_model_and_start"
            ),
            models.UniqueConstraint(
                fields=["provider", "model"],
                condition=Q(since__isnull=True),
                name="one_price_per_model_from_the_beginning",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.model}"


def start_of(price: Price) -> datetime:
    """Return the start of a price, by which prices are sorted; the beginning comes first."""
    return price.since or datetime.min.replace(tzinfo=UTC)


class PriceEvent(AppendOnly):
    """An entry or change of a price; `actor` is None for one made on the command line."""

    provider = models.CharField(max_length=20)
    model = LineField(max_length=120)
    input_micro = models.PositiveBigIntegerField()
    cached_micro = models.PositiveBigIntegerField()
    output_micro = models.PositiveBigIntegerField()
    since = models.DateTimeField(null=True, blank=True)  # null: from the beginning
    actor = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.provider} {self.model}"
