"""Candidates that staff take off the open board and put back, with the history."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, models, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict
from curation.joining.people import User
from judge.asking.candidates.models import Candidate


class BoardRemoval(models.Model):
    """A candidate was taken off the open board, with a reason; put back, the row stays."""

    candidate = models.ForeignKey(
        Candidate, on_delete=models.PROTECT, related_name="board_removals"
    )
    reason = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    put_back_at = models.DateTimeField(null=True, blank=True)
    put_back_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    put_back_reason = models.TextField(blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(
                fields=["candidate"],
                condition=Q(put_back_at__isnull=True),
                name="a_candidate_is_off_the_board_once",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_removal_has_a_reason"),
            models.CheckConstraint(
                condition=Q(put_back_at__isnull=True, put_back_by__isnull=True, put_back_reason="")
                | Q(put_back_at__isnull=False, put_back_by__isnull=False) & ~Q(put_back_reason=""),
                name="a_candidate_is_put_back_with_a_reason",
            ),
        ]


@dataclass(frozen=True, slots=True)
class TakenOff:
    """A candidate that is off the open board, with staff's reason."""

    pk: int
    candidate: str
    reason: str
    who: str
    at: datetime

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; without the person."""
        return {
            "candidate": self.candidate,
            "reason": self.reason,
            "at": self.at.isoformat(timespec="seconds"),
        }


def taken_off() -> list[TakenOff]:
    """Return the candidates that are off the open board now, by name. One query."""
    rows = BoardRemoval.objects.filter(put_back_at__isnull=True).select_related("candidate", "by")
    return [
        TakenOff(row.candidate_id, row.candidate.name, row.reason, str(row.by), row.at)
        for row in rows.order_by("candidate__name")
    ]


def history_of(candidate: int) -> "QuerySet[BoardRemoval]":
    """Select all removals of a candidate, the newest first."""
    rows = BoardRemoval.objects.filter(candidate=candidate)
    return rows.select_related("by", "put_back_by")


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
