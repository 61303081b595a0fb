"""The prices of models and their history."""

from django.db import models
from django.utils import timezone

from curation.people.models import User
from curation.process.history import AppendOnly
from curation.web.fields import LineField


class Price(models.Model):
    """The price of a model in millionths of a dollar per million tokens; no row if unknown."""

    provider = models.CharField(max_length=20)
    model = LineField(max_length=120)
    input_micro = models.PositiveBigIntegerField()
    cached_micro = models.PositiveBigIntegerField()
    output_micro = models.PositiveBigIntegerField()
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("provider", "model")
        constraints = [
            models.UniqueConstraint(fields=["provider", "model"], name="one_price_per_model")
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.model}"


class PriceEvent(AppendOnly):
    """An entry or change of a price; `actor` is None for one made on the command line."""

    provider = models.CharField(max_length=20)
    model = LineField(max_length=120)
    input_micro = models.PositiveBigIntegerField()
    cached_micro = models.PositiveBigIntegerField()
    output_micro = models.PositiveBigIntegerField()
    actor = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.provider} {self.model}"
