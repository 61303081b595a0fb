"""Flag a verdict as wrong, and take the flag back."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.web.reasons import required_reason
from curation.web.refusals import Conflict
from judge.engine.models import Verdict
from judge.flags.models import VerdictFlag
from judge.gold_sets.task_sets import is_closed, why_closed

REASON_LIMIT = 2000  # characters
_DECIDED = (Verdict.Outcome.MET, Verdict.Outcome.UNMET)


@action("staff")
@transaction.atomic
def flag_verdict(*, actor: Any, verdict: Verdict, reason: str) -> VerdictFlag:
    """Flag a judge's verdict as wrong. No score changes.

    Raises:
        BadInput: no reason, or one that is too long.
        Conflict: `undecided`, the line has no verdict; `flagged_already` by this person;
            `held_out`, its task is in a closed held-out half.
    """
    reason = required_reason(
        reason, _("Say why the verdict is wrong. Scorers never see it."), limit=REASON_LIMIT
    )
    verdict = Verdict.objects.select_for_update().get(pk=verdict.pk)
    if is_closed(verdict.judgment.response.task_id):
        raise Conflict(why_closed(), code="held_out")
    if verdict.outcome not in _DECIDED:
        raise Conflict(_("The judge decided nothing on this line."), code="undecided")
    if verdict.flags.filter(by=actor, withdrawn_at__isnull=True).exists():
        raise Conflict(_("You have flagged this verdict already."), code="flagged_already")
    return VerdictFlag.objects.create(verdict=verdict, by=actor, reason=reason)


@action("staff")
@transaction.atomic
def withdraw_flag(*, actor: Any, flag: VerdictFlag) -> None:
    """Take a flag back, one's own or a colleague's; a second call changes nothing."""
    VerdictFlag.objects.filter(pk=flag.pk, withdrawn_at__isnull=True).update(
        withdrawn_at=timezone.now(), withdrawn_by=actor
    )
