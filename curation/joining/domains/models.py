"""Domains and categories, which staff edit as data."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import get_language

from curation.base.web.fields import LineField


class Change(models.Model):
    """One change, written once. The model itself adds the domain, the thing and the kinds."""

    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    reason = models.TextField(blank=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True
        ordering = ("-pk",)


class Named(models.Model):
    """A row with a key and a name in each language of the product."""

    key = models.SlugField(max_length=60)
    name = LineField(max_length=120)
    name_zh = LineField(max_length=120, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.text_in(get_language(), "name")

    def text_in(self, language: str | None, field: str) -> str:
        """Return a text of the row in a language; in English where it is not said in that.

        Args:
            language: a code such as "zh-hans"; None for English.
            field: of the English text; the Chinese one has the same name with "_zh".
        """
        chinese = getattr(self, f"{field}_zh") if (language or "").startswith("zh") else ""
        return str(chinese or getattr(self, field))


class Domain(Named):
    """A profession: finance, law, education …"""

    position = models.PositiveSmallIntegerField(default=0)
    external = models.BooleanField(
        default=False, help_text="Came with an imported benchmark; nobody qualifies in it."
    )

    class Meta:
        ordering = ("position", "key")
        constraints = [models.UniqueConstraint(fields=["key"], name="domain_key_is_unique")]


class Category(Named):
    """A kind of task inside a domain."""

    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="categories")

    class Meta:
        ordering = ("domain", "name")
        verbose_name_plural = "categories"
        constraints = [
            models.UniqueConstraint(fields=["domain", "key"], name="category_key_is_unique")
        ]
