"""Who reads an announcement, and loading one."""

from typing import Any

from curation.base.access.permissions import allows, signed_in
from curation.base.web.refusals import NotFound
from curation.telling.guidelines.announcement_models import Announcement
from curation.telling.guidelines.announcement_queries import for_person


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
