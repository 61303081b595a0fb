"""What a person does with their notices."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from curation.access.action import action
from curation.notices.models import Notice
from curation.people.models import NoticeMode, User


@action("signed_in")
def mark_read(*, actor: Any, notice: Notice) -> None:
    """Mark one notice read. It keeps the time of the first reading."""
    own = Notice.objects.filter(pk=notice.pk, recipient=actor)
    own.filter(read_at__isnull=True).update(read_at=timezone.now())


@action("signed_in")
def mark_all_read(*, actor: Any, upto: int) -> int:
    """Mark all of a person's notices read that were on the page they looked at.

    Args:
        upto: the newest notice that was shown; what came after it stays unread.

    Returns:
        how many there were.
    """
    unread = Notice.objects.filter(recipient=actor, read_at__isnull=True, pk__lte=upto)
    return unread.update(read_at=timezone.now())


@action("signed_in")
@transaction.atomic
def set_notice_mode(*, actor: Any, mode: str) -> None:
    """Choose how notices come by e-mail.

    What gathered while none were wanted stands in the product; it is not sent afterwards.
    """
    person = User.objects.select_for_update().get(pk=actor.pk)
    if person.notice_mode == mode:
        return
    if person.notice_mode == NoticeMode.NEVER:
        Notice.objects.filter(recipient=person, mailed_at__isnull=True).update(
            mailed_at=timezone.now()
        )
    User.objects.filter(pk=person.pk).update(notice_mode=mode)
