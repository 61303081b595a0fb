"""Take a candidate off the open board, and put it back."""

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict
from judge.asking.candidates.models import Candidate
from judge.results.leaderboard.open_board_models import BoardRemoval

REASON_LIMIT = 2000  # characters


@action("staff.scoring")
@transaction.atomic
def take_off_board(*, actor: Any, candidate: Candidate, reason: str) -> BoardRemoval:
    """Take a candidate off the open board; the board names it with the reason.

    Its responses and scores stay, and a board of a held-out half still ranks it.

    Raises:
        BadInput: no reason, or one that is too long.
        Conflict: `off_already`.
    """
    reason = required_reason(
        reason, _("Say why it is taken off; the board prints the reason."), limit=REASON_LIMIT
    )
    try:
        with transaction.atomic():
            return BoardRemoval.objects.create(candidate=candidate, reason=reason, by=actor)
    except IntegrityError:
        raise Conflict(
            _("%(name)s is off the open board already.") % {"name": candidate}, code="off_already"
        ) from None


@action("staff.scoring")
@transaction.atomic
def put_back_on_board(*, actor: Any, candidate: Candidate, reason: str) -> None:
    """Put a candidate back on the open board; its removal stays in the history.

    Raises:
        BadInput: no reason, or one that is too long.
        Conflict: `on_already`.
    """
    reason = required_reason(reason, _("Say why it is put back."), limit=REASON_LIMIT)
    changed = BoardRemoval.objects.filter(candidate=candidate, put_back_at__isnull=True).update(
        put_back_at=timezone.now(), put_back_by=actor, put_back_reason=reason
    )
    if not changed:
        raise Conflict(
            _("%(name)s is on the open board already.") % {"name": candidate}, code="on_already"
        )
