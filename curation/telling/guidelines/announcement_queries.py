"""Announcements as people and staff see them."""

from collections.abc import Sequence
from typing import Any

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

from curation.joining.people import Qualification, User
from curation.telling.guidelines.announcement_models import (
    Announcement,
    AnnouncementReading,
    AnnouncementWording,
)


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
