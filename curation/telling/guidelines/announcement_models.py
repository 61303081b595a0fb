"""Announcements with all their wordings, and who has read them."""

from typing import Any

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly
from curation.base.web.fields import LineField
from curation.joining.domains.models import Domain
from curation.joining.people import User


class Announcement(models.Model):
    """Something that staff tell everybody, all experts or those of some domains, for some days.

    Attributes:
        number: of its present wording.
        for_everybody: also for applicants and staff; else for experts.
        domains: whose experts it is for; those of all where there is none.
        shown_until: the last day; None for no end.
        told_at: when its notices were sent; None until its first day comes.
    """

    number = models.PositiveIntegerField(default=0)
    for_everybody = models.BooleanField(default=True)
    domains = models.ManyToManyField(Domain, related_name="announcements", blank=True)
    shown_from = models.DateField()
    shown_until = models.DateField(null=True, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    told_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(shown_until__isnull=True) | Q(shown_until__gte=F("shown_from")),
                name="an_announcement_ends_after_it_begins",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by__isnull=True)
                | Q(ended_at__isnull=False, ended_by__isnull=False),
                name="an_ended_announcement_says_who_ended_it",
            ),
        ]

    @property
    def state(self) -> str:
        """One of to_come, shown, over, ended."""
        today = timezone.localdate()
        if self.ended_at is not None:
            return "ended"
        if self.shown_from > today and self.told_at is None:  # where the day begins later
            return "to_come"
        return "over" if self.shown_until and self.shown_until < today else "shown"

    @property
    def state_label(self) -> Any:
        """The state in words."""
        return STATES[self.state]


STATES = {
    "to_come": _("Not shown yet"),
    "shown": _("Shown now"),
    "over": _("Its time is over"),
    "ended": _("Ended by staff"),
}


class AnnouncementWording(AppendOnly):
    """Title and text of an announcement; a correction is a new row, the highest number counts."""

    announcement = models.ForeignKey(
        Announcement, on_delete=models.PROTECT, related_name="wordings"
    )
    number = models.PositiveIntegerField()
    title = LineField(max_length=200)
    text = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-number",)
        constraints = [
            models.UniqueConstraint(
                fields=["announcement", "number"], name="wordings_of_an_announcement_are_numbered"
            ),
            models.CheckConstraint(
                condition=~Q(title="") & ~Q(text=""), name="an_announcement_says_something"
            ),
        ]


class AnnouncementReading(models.Model):
    """A person has read an announcement, so Home does not show it to them any more."""

    announcement = models.ForeignKey(
        Announcement, on_delete=models.PROTECT, related_name="readings"
    )
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="announcement_readings")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["announcement", "user"], name="an_announcement_is_read_once"
            )
        ]
