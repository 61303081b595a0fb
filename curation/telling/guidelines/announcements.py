"""Who reads an announcement, and loading one."""

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.db.models import (
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.access.permissions import allows, signed_in
from curation.base.process.history import AppendOnly
from curation.base.web.fields import LineField
from curation.base.web.refusals import NotFound
from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, User


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


def shown_now() -> QuerySet[Announcement]:
    """Select the announcements whose days have come, and that nobody has ended.

    For whom the day begins later than where people were told, it begins with being told.
    """
    today = timezone.localdate()
    ends = Q(shown_until=None) | Q(shown_until__gte=today)
    begun = Q(shown_from__lte=today) | Q(told_at__isnull=False)
    return Announcement.objects.filter(begun, ends, ended_at=None)


def for_person(user: Any) -> QuerySet[Announcement]:
    """Select the announcements for a person, ended ones and those to come included."""
    held = user.qualified_domain_ids()
    if not held:
        return Announcement.objects.filter(for_everybody=True)
    named = Announcement.domains.through.objects.filter(announcement=OuterRef("pk"))
    return Announcement.objects.filter(
        Q(for_everybody=True) | ~Exists(named) | Exists(named.filter(domain__in=held))
    )


def unread_by(user: Any) -> list[AnnouncementWording]:
    """Return the present wordings of what Home shows a person, the newest first. One query."""
    read = AnnouncementReading.objects.filter(announcement=OuterRef("announcement"), user=user.pk)
    rows = AnnouncementWording.objects.filter(
        announcement__in=shown_now().values("pk") & for_person(user).values("pk"),
        number=F("announcement__number"),
    )
    return list(rows.exclude(Exists(read)).order_by("-announcement"))


def audience_of(announcement: Announcement) -> QuerySet[User]:
    """Select whom an announcement is for: all accounts, all active experts, or some domains'."""
    everybody = User.objects.filter(is_active=True)
    if announcement.for_everybody:
        return everybody
    held = Qualification.objects.filter(user=OuterRef("pk"), active=True)
    if announcement.domains.exists():
        held = held.filter(domain__in=announcement.domains.values("pk"))
    return everybody.filter(Exists(held))


def wording_of(announcement: Announcement) -> AnnouncementWording:
    """Return the present wording."""
    return announcement.wordings.get(number=announcement.number)


def with_facts(keys: Sequence[int]) -> dict[int, Any]:
    """Return announcements with title, author, domains and number of readings. Two queries."""
    words = AnnouncementWording.objects.filter(
        announcement=OuterRef("pk"), number=OuterRef("number")
    )
    read = (
        AnnouncementReading.objects.filter(announcement=OuterRef("pk"))
        .order_by()
        .values("announcement")
        .annotate(n=Count("pk"))
        .values("n")
    )
    rows = (
        Announcement.objects.filter(pk__in=keys)
        .annotate(
            title=Subquery(words.values("title")[:1]),
            read=Coalesce(Subquery(read, output_field=IntegerField()), 0),
        )
        .prefetch_related("domains")
    )
    return {row.pk: row for row in rows}


def with_wordings(pk: int) -> Announcement | None:
    """Return an announcement with all its wordings, the newest first; None if there is none."""
    wordings = AnnouncementWording.objects.select_related("by")
    rows = Announcement.objects.select_related("ended_by")
    return rows.prefetch_related(Prefetch("wordings", wordings), "domains").filter(pk=pk).first()


def readers_in_numbers(announcement: Announcement) -> tuple[int, int]:
    """Return how many of those it is for have read an announcement, and how many they are."""
    people = audience_of(announcement)
    done = announcement.readings.filter(user__in=people.values("pk"))
    return done.count(), people.count()


def is_addressed(user: Any, announcement: Any) -> bool:
    """Return whether an announcement is for the person, and its first day has come."""
    return (
        signed_in(user, None)
        and announcement.state != "to_come"
        and for_person(user).filter(pk=announcement.pk).exists()
    )


def access_announcement(user: Any, pk: int) -> Announcement:
    """Load an announcement for one of those it is for, or for staff.

    Raises:
        NotFound: there is none, or it is not for this person.
    """
    found = Announcement.objects.filter(pk=pk).first()
    if found is None or not allows(user, "announcement.view", found):
        raise NotFound()
    return found
