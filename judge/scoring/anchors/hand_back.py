"""Actions that return a held sheet or check, so that a colleague can take it."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.base.access.action import action
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict
from judge.scoring.anchors.models import Anchor, MetaEvaluation
from judge.scoring.sheets.models import Sheet, SheetLine
from judge.scoring.sheets.signals import uncounted_sheet_handed_back

# Stored in English and translated when the history is shown.
NO_SCORER = gettext_noop("The scorer's qualification is no longer active.")
NO_SENIOR = gettext_noop("The senior's qualification is no longer active.")


@action("sheet.hand_back", about="sheet")
@transaction.atomic
def hand_back_sheet(*, actor: Any, sheet: Sheet, reason: str) -> None:
    """Delete an open sheet, so that a colleague can score the response.

    An anchor's response returns to the pool; staff assign any other again. The lines scored so
    far go into the history of the anchor or the task. The scorer keeps the seat, because somebody
    who read the response as its scorer may not check it later.

    Args:
        actor: the scorer or a member of staff; None where the scorer's qualification ended.

    Raises:
        BadInput: the reason is missing.
        Conflict: `wrong_stage`, the sheet is no longer open.
    """
    reason = required_reason(reason, _("Say in a sentence why you hand it back."))
    # Lock the sheet, so that a concurrent submission either wins or finds no sheet.
    held = (
        Sheet.objects.select_for_update(of=("self",))
        .select_related("response__task")
        .filter(pk=sheet.pk, state=Sheet.State.OPEN)
        .first()
    )
    if held is None:
        raise Conflict(_("There is no open sheet to hand back."), code="wrong_stage")
    if held.kind != Sheet.Kind.PRACTICE:
        _note(actor, held, reason)
    if held.kind in (Sheet.Kind.PRACTICE, Sheet.Kind.KNOWN):
        uncounted_sheet_handed_back.send(sender=Sheet, instance=held, reason=reason)
    SheetLine.objects.filter(sheet=held).delete()
    held.delete()


def _note(actor: Any, held: Sheet, reason: str) -> None:
    """Write the lines of a sheet into the history of its anchor or task.

    A known sheet's are written too: in the copy of their data a person reads their own steps.
    """
    thing: Any = held.response.task
    event = "sheet_handed_back"
    known = {"known": True} if held.kind == Sheet.Kind.KNOWN else {}
    if held.purpose == Sheet.Purpose.ANCHOR:
        thing, event = Anchor.objects.get(response=held.response_id), "handed_back"
    thing.note(
        event,
        actor=actor,
        reason=reason,
        scorer=held.user_id,
        response=held.response.key,
        lines=lines_of(held),
        **known,
    )


@action("staff.scoring")
@transaction.atomic
def release_check(*, actor: Any, evaluation: MetaEvaluation, reason: str) -> None:
    """Delete an open check, so that another senior can take it.

    The draft goes into the anchor's history. The senior keeps the seat.

    Args:
        actor: the member of staff; None where the program releases it.

    Raises:
        BadInput: the reason is missing.
        Conflict: `wrong_stage`, the check was decided or released meanwhile.
    """
    reason = required_reason(reason, _("Say in a sentence why you hand it back."))
    held = (
        MetaEvaluation.objects.select_for_update(of=("self",))
        .select_related("anchor")
        .filter(pk=evaluation.pk, verdict="")
        .first()
    )
    if held is None:
        raise Conflict(_("There is no open check to release."), code="wrong_stage")
    anchor = held.anchor
    anchor.note(
        "check_released",
        actor=actor,
        reason=reason,
        check=held.number,
        senior=held.senior_id,
        draft=held.draft,
    )
    held.delete()


def lines_of(sheet: Sheet) -> dict[str, list[Any]]:
    """Return a sheet's lines as stored in a history: key -> [met, rationale]."""
    return {
        key: [met, why]
        for key, met, why in sheet.lines.values_list("criterion__key", "met", "rationale")
    }
