"""Staff announce, correct and end; people note that they have read it."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.models import Domain
from curation.joining.notices.notify import send_notices
from curation.telling.guidelines.announcements import (
    Announcement,
    AnnouncementReading,
    AnnouncementWording,
    audience_of,
    shown_now,
    wording_of,
)

TITLE_LIMIT = 200  # characters
TEXT_LIMIT = 5000


@action("staff.editing")
@transaction.atomic
def announce(
    *,
    actor: Any,
    title: str,
    text: str,
    for_everybody: bool,
    domains: Sequence[Domain],
    shown_from: date | None,
    shown_until: date | None,
) -> Announcement:
    """Announce something from a day on. Its notices go out on that day, once.

    Args:
        domains: whose experts it is for; none for everybody, or for the experts of all.
        shown_from: None for today.
        shown_until: the last day; None for no end.

    Raises:
        BadInput: invalid values, named in `fields`.
    """
    today = timezone.localdate()
    begin = shown_from or today
    fields: dict[str, list[str]] = {}
    if begin < today:
        fields["shown_from"] = [_("Choose today or a later day.")]
    if shown_until is not None and shown_until < begin:
        fields["shown_until"] = [_("The last day lies before the first one.")]
    if for_everybody and domains:
        fields["domains"] = [_("It is for everybody. Choose no domain, or not everybody.")]
    title, text = _checked(title, text, fields)
    made = Announcement.objects.create(
        number=1, for_everybody=for_everybody, shown_from=begin, shown_until=shown_until
    )
    made.domains.set(domains)
    AnnouncementWording.objects.create(
        announcement=made, number=1, title=title, text=text, by=actor
    )
    tell_due_announcements()
    made.refresh_from_db()
    return made


@action("staff.editing")
@transaction.atomic
def correct_announcement(
    *, actor: Any, announcement: Announcement, version: int, title: str, text: str
) -> Announcement:
    """Give an announcement new words. Nobody is told again; who has read it has read it.

    Args:
        version: the number of the wording that was read.

    Raises:
        BadInput: no title or text, or they cannot be stored.
        Conflict: `changed_meanwhile`; `ended`.
    """
    title, text = _checked(title, text, {})
    mine = Announcement.objects.filter(pk=announcement.pk, number=version)
    if not mine.filter(ended_at=None).update(number=version + 1):
        announcement.refresh_from_db()
        if announcement.ended_at is not None:
            raise _ended()
        raise Conflict(
            _("A colleague corrected this announcement meanwhile. Load the page again."),
            code="changed_meanwhile",
        )
    AnnouncementWording.objects.create(
        announcement=announcement, number=version + 1, title=title, text=text, by=actor
    )
    announcement.refresh_from_db()
    return announcement


@action("staff.editing")
@transaction.atomic
def end_announcement(*, actor: Any, announcement: Announcement) -> None:
    """End an announcement: Home shows it to nobody any more.

    Raises:
        Conflict: `ended`, it was ended before.
    """
    mine = Announcement.objects.filter(pk=announcement.pk, ended_at=None)
    if not mine.update(ended_at=timezone.now(), ended_by=actor):
        raise _ended()
    announcement.refresh_from_db()


@action("announcement.view", about="announcement")
@transaction.atomic
def note_announcement_read(*, actor: Any, announcement: Announcement) -> None:
    """Note that a person has read an announcement; a second time changes nothing."""
    AnnouncementReading.objects.get_or_create(announcement=announcement, user=actor)


@transaction.atomic
def tell_due_announcements() -> int:
    """Send the notices of announcements whose first day has come (a periodic job).

    Returns:
        how many announcements were told.
    """
    due = list(shown_now().filter(told_at=None).select_for_update())
    for one in due:
        words = wording_of(one)
        send_notices(
            audience_of(one).exclude(pk=words.by_id),
            "announcement",
            once=f"announcement-{one.pk}",
            url=reverse("announcement", args=[one.pk]),
            title=words.title,
        )
        Announcement.objects.filter(pk=one.pk).update(told_at=timezone.now())
    return len(due)


def _ended() -> Conflict:
    return Conflict(_("This announcement has been ended, so nothing was changed."), code="ended")


def _checked(title: str, text: str, fields: dict[str, list[str]]) -> tuple[str, str]:
    """Return title and text as they are stored. Raises BadInput with these problems and theirs."""
    title = storable.one_line(title).strip()
    problem = storable.problem_with(title, limit=TITLE_LIMIT)
    if problem or storable.is_blank(title):
        fields["title"] = [problem or _("Give the announcement a title.")]
    try:
        text = required_reason(text, _("Write what you announce."), limit=TEXT_LIMIT, field="text")
    except BadInput as refusal:
        fields |= refusal.fields  # type: ignore[arg-type]
    if fields:
        raise BadInput(fields=fields)
    return title, text
