"""A guideline with its draft, its published versions, and who has read which."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import pgettext

from curation.base.process.history import AppendOnly
from curation.joining.domains.models import Domain
from curation.joining.people import User

PROGRAMME = "programme"  # stands for the guideline without a domain in addresses


class Guideline(models.Model):
    """How work is done in a domain, or in the whole programme (without a domain).

    Attributes:
        draft: the text that staff write on; readers see published versions only.
        draft_version: counts the saves of the draft, to detect that a colleague saved meanwhile.
        current: the number of the version in force; 0 before the first.
    """

    domain = models.OneToOneField(
        Domain, null=True, blank=True, on_delete=models.PROTECT, related_name="guideline"
    )
    draft = models.TextField(blank=True)
    draft_version = models.PositiveIntegerField(default=0)
    draft_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    draft_at = models.DateTimeField(null=True, blank=True)
    current = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                models.Value(1),
                condition=Q(domain__isnull=True),
                name="one_guideline_of_the_programme",
            )
        ]

    def __str__(self) -> str:
        return pgettext("guideline", "The programme") if self.domain is None else str(self.domain)

    @property
    def key(self) -> str:
        """Its name in addresses."""
        return PROGRAMME if self.domain is None else self.domain.key


class GuidelineVersion(AppendOnly):
    """A published text of a guideline, and in which way it differs from the one before."""

    guideline = models.ForeignKey(Guideline, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    what_changed = models.TextField()
    published_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-number",)
        constraints = [
            models.UniqueConstraint(
                fields=["guideline", "number"], name="guideline_versions_are_numbered"
            ),
            models.CheckConstraint(
                condition=~Q(text="") & ~Q(what_changed=""), name="a_version_says_what_changed"
            ),
        ]


class GuidelineReading(models.Model):
    """The newest version of a guideline that a person has read."""

    guideline = models.ForeignKey(Guideline, on_delete=models.PROTECT, related_name="readings")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="guideline_readings")
    number = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["guideline", "user"], name="one_reading_per_person_and_guideline"
            )
        ]
