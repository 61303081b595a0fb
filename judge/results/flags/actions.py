"""Flag a verdict as wrong, and take the flag back."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict
from judge.base.gold_sets.task_sets import is_closed, why_closed
from judge.results.flags.models import VerdictFlag
from judge.runs.engine.models import Verdict
from judge.scoring.sheets.models import Sheet, SheetLine

REASON_LIMIT = 2000  # characters
_DECIDED = (Verdict.Outcome.MET, Verdict.Outcome.UNMET)


@action("staff.scoring")
@transaction.atomic
def flag_verdict(*, actor: Any, verdict: Verdict | SheetLine, reason: str) -> VerdictFlag:
    """Flag a judge's verdict as wrong. No score changes.

    Args:
        verdict: a run's verdict, or a line of an imported judge's sheet.

    Raises:
        BadInput: no reason, or one that is too long.
        Conflict: `undecided`, the line has no verdict; `flagged_already` by this person;
            `held_out`, its task is in a closed held-out half; `not_a_judge`, an expert said so.
    """
    reason = required_reason(
        reason, _("Say why the verdict is wrong. Scorers never see it."), limit=REASON_LIMIT
    )
    about, task, decided = _locked(verdict)
    if is_closed(task):
        raise Conflict(why_closed(), code="held_out")
    if not decided:
        raise Conflict(_("The judge decided nothing on this line."), code="undecided")
    if VerdictFlag.objects.filter(**about, by=actor, withdrawn_at__isnull=True).exists():
        raise Conflict(_("You have flagged this verdict already."), code="flagged_already")
    return VerdictFlag.objects.create(**about, by=actor, reason=reason)


def _locked(verdict: Verdict | SheetLine) -> tuple[dict[str, Any], int, bool]:
    """Lock what is flagged; return it as a field of the flag, its task, and if it was decided."""
    if isinstance(verdict, Verdict):
        said = Verdict.objects.select_for_update().get(pk=verdict.pk)
        return {"verdict": said}, said.judgment.response.task_id, said.outcome in _DECIDED
    line = SheetLine.objects.select_for_update().get(pk=verdict.pk)
    if line.sheet.kind != Sheet.Kind.JUDGE:
        raise Conflict(_("Only the verdict of a judge can be flagged."), code="not_a_judge")
    return {"sheet_line": line}, line.sheet.response.task_id, line.met is not None


@action("staff.scoring")
@transaction.atomic
def withdraw_flag(*, actor: Any, flag: VerdictFlag) -> None:
    """Take a flag back, one's own or a colleague's; a second call changes nothing."""
    VerdictFlag.objects.filter(pk=flag.pk, withdrawn_at__isnull=True).update(
        withdrawn_at=timezone.now(), withdrawn_by=actor
    )
