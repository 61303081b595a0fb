"""Products as lines of versions, and the periods in which versions are evaluated."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.web.fields import LineField


class Product(models.Model):
    """A line of versions of one model or agent; each version is a candidate."""

    name = LineField(pgettext_lazy("of a thing", "Name"), max_length=200)
    house = LineField(_("House"), max_length=60, blank=True)
    note = models.TextField(_("Note"), blank=True)
    revision = models.PositiveIntegerField(default=1)  # a stale change is refused
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name",)
        constraints = [
            models.UniqueConstraint(fields=["name"], name="product_name_is_unique"),
        ]

    def __str__(self) -> str:
        return self.name


class EvaluationPeriod(models.Model):
    """A period in which answers are collected, such as a month; the index runs along periods."""

    key = LineField(_("Key"), max_length=20)  # such as 2026-05
    starts_on = models.DateField(_("First day"))
    ends_on = models.DateField(_("Last day"))
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("starts_on", "id")
        constraints = [
            models.UniqueConstraint(fields=["key"], name="period_key_is_unique"),
            models.CheckConstraint(
                condition=Q(ends_on__gte=models.F("starts_on")),
                name="a_period_ends_after_it_starts",
            ),
        ]

    def __str__(self) -> str:
        return self.key
