"""Verbs on a person's own notices."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from curation.base.access.action import action
from curation.joining.notices.models import Notice
from curation.joining.people import NoticeMode, User


@action("signed_in")
def mark_read(*, actor: Any, notice: Notice) -> None:
    """Mark a notice read; one that is read already keeps its time."""
    own = Notice.objects.filter(pk=notice.pk, recipient=actor)
    own.filter(read_at__isnull=True).update(read_at=timezone.now())


@action("signed_in")
def mark_all_read(*, actor: Any, upto: int) -> int:
    """Mark the actor's notices read, up to the newest one they were shown.

    Args:
        upto: id of the newest notice shown; later ones stay unread.

    Returns:
        how many were marked.
    """
    unread = Notice.objects.filter(recipient=actor, read_at__isnull=True, pk__lte=upto)
    return unread.update(read_at=timezone.now())


@action("signed_in")
@transaction.atomic
def set_notice_mode(*, actor: Any, mode: str) -> None:
    """Choose how the actor's notices are mailed.

    Notices that arrived while the mode was `NEVER` are not mailed afterwards.

    Args:
        mode: a `NoticeMode`.
    """
    person = User.objects.select_for_update().get(pk=actor.pk)
    if person.notice_mode == mode:
        return
    if person.notice_mode == NoticeMode.NEVER:
        Notice.objects.filter(recipient=person, mailed_at__isnull=True).update(
            mailed_at=timezone.now()
        )
    User.objects.filter(pk=person.pk).update(notice_mode=mode)
