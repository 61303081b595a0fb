"""The verb on a person's own preferences."""

from typing import Any

from django.db import transaction

from curation.base.access.action import action
from curation.joining.notices.actions import set_notice_mode
from curation.joining.people.models import User


@action("signed_in")
@transaction.atomic
def save_preferences(
    *, actor: Any, language: str, single_keys: bool, notice_mode: str = ""
) -> None:
    """Save the language, whether single keys are shortcuts, and how notices are mailed.

    Args:
        notice_mode: a `NoticeMode`; "" leaves it unchanged.
    """
    User.objects.filter(pk=actor.pk).update(language=language, single_keys=single_keys)
    if notice_mode:
        set_notice_mode(actor=actor, mode=notice_mode)
