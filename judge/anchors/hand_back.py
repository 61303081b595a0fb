"""Work that somebody holds goes back, so that a colleague can take it: by them or by staff."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.access.action import action
from curation.web.reasons import required_reason
from curation.web.refusals import Conflict
from judge.anchors.models import Anchor, MetaEvaluation
from judge.sheets.models import Sheet, SheetLine

# Stored in English; whoever reads the history reads it in their language.
NO_SCORER = gettext_noop("The scorer's qualification is no longer active.")
NO_SENIOR = gettext_noop("The senior's qualification is no longer active.")


@action("sheet.hand_back", about="sheet")
@transaction.atomic
def hand_back_sheet(*, actor: Any, sheet: Sheet, reason: str) -> None:
    """Give an open sheet back: an anchor's waits in the pool again, another is assigned anew.

    What was scored stays in the history of the anchor, or of the task. The seat stays taken,
    because who has read the response as its scorer may not check it later.

    Args:
        actor: the scorer, or a member of staff; None where the scorer's qualification ended.

    Raises:
        BadInput: without a reason.
        Conflict: `wrong_stage`, the sheet is not open any more.
    """
    said = required_reason(reason, _("Say in a sentence why you hand it back."))
    # Locked: a submission of this moment comes before or finds no sheet, never in between.
    held = (
        Sheet.objects.select_for_update(of=("self",))
        .select_related("response__task")
        .filter(pk=sheet.pk, state=Sheet.State.OPEN)
        .first()
    )
    if held is None:
        raise Conflict(_("There is no open sheet to hand back."), code="wrong_stage")
    thing: Any = held.response.task
    event = "sheet_handed_back"
    if held.purpose == Sheet.Purpose.ANCHOR:
        thing, event = Anchor.objects.get(response=held.response_id), "handed_back"
    thing.note(
        event,
        actor=actor,
        reason=said,
        scorer=held.user_id,
        response=held.response.key,
        lines=lines_of(held),
    )
    SheetLine.objects.filter(sheet=held).delete()
    held.delete()


@action("staff")
@transaction.atomic
def release_check(*, actor: Any, evaluation: MetaEvaluation, reason: str) -> None:
    """Take an open check from its senior, so that another one can take it.

    What was typed stays in the anchor's history, and so does the seat.

    Args:
        actor: the member of staff; None for the machine.

    Raises:
        BadInput: without a reason.
        Conflict: `wrong_stage`, it was decided or released meanwhile.
    """
    said = required_reason(reason, _("Say in a sentence why you hand it back."))
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
        reason=said,
        check=held.number,
        senior=held.senior_id,
        draft=held.draft,
    )
    held.delete()


def lines_of(sheet: Sheet) -> dict[str, list[Any]]:
    """A sheet's lines as a value for the history: key -> [met, rationale]."""
    return {
        key: [met, why]
        for key, met, why in sheet.lines.values_list("criterion__key", "met", "rationale")
    }
