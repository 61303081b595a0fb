"""Actions on graded sheets: assign, save, submit, hand back."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict, Denied, Stale
from judge.asking.candidates.models import Response
from judge.methods.graded.scale import HIGHEST, LOWEST
from judge.scoring.graded_sheets import notices
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.graded_sheets.opening import open_graded_sheet
from judge.scoring.sheets.actions import RATIONALE_LIMIT, working_seconds
from judge.scoring.sheets.for_flags import GRADE, flagged_item_to_serve


@action("staff.scoring")
@transaction.atomic
def assign_graded_sheets(
    *, actor: Any, wanted: Mapping[Any, Sequence[Response]], set_number: int | None = None
) -> list[GradedSheet]:
    """Assign responses to people who grade them blind: all, or none if one is refused.

    Args:
        wanted: scorer -> responses.
        set_number: of the alignment set they were drawn for, for the task's history.

    Raises:
        BadInput: nothing is chosen, or an assignment is refused; `fields` has the reason by task
            (`scorer-ID`).
    """
    sheets: list[GradedSheet] = []
    problems: dict[str, list[str]] = {}
    for scorer, responses in wanted.items():
        for response in responses:
            try:
                with transaction.atomic():
                    sheet = assign_graded_sheet(
                        response=response,
                        scorer=scorer,
                        flagged_item=flagged_item_to_serve(response, GRADE),
                    )
            except (Denied, Conflict) as refused:
                problems[f"scorer-{response.task_id}"] = [str(refused.detail)]
                continue
            facts = {"response": response.key, "scorer": scorer.pk}
            if set_number is not None:
                facts["set"] = set_number
            response.task.note("sheet_assigned", actor=actor, **facts)
            sheets.append(sheet)
    if problems:
        raise BadInput(fields=problems)
    if not sheets:
        raise BadInput(_("Choose at least one response, and who grades it."))
    return sheets


def assign_graded_sheet(
    *,
    response: Response,
    scorer: Any,
    due_at: datetime | None = None,
    flagged_item: Any = None,
) -> GradedSheet:
    """Open a graded sheet and tell its scorer. Raises Denied, Conflict as `open_graded_sheet`."""
    sheet = open_graded_sheet(response, scorer, due_at, flagged_item)
    notices.graded_sheet_assigned(sheet)
    return sheet


@action("sheet.score", about="graded_sheet")
@transaction.atomic
def keep_grade(
    *,
    actor: Any,
    graded_sheet: GradedSheet,
    grade: int | None,
    analysis: str,
    revision: int | None = None,
) -> GradedSheet:
    """Save a graded sheet as it is so far, finished or not.

    Args:
        grade: 1 to 5; None for none yet.
        revision: of the sheet when it was read; None overwrites any change since.

    Raises:
        BadInput: the grade is no step of the scale, or the analysis cannot be stored.
        Conflict: `submitted`.
        Stale: the sheet was changed elsewhere since; both versions are in `data`.
    """
    problems = _problems(grade, analysis)
    if problems:
        raise BadInput(fields=problems)
    kept = "" if storable.is_blank(analysis) else storable.clean(analysis)
    held = GradedSheet.objects.select_for_update(of=("self",)).get(pk=graded_sheet.pk)
    if held.state != GradedSheet.State.OPEN:
        raise _submitted()
    if (held.grade, held.analysis) == (grade, kept):
        return held
    if revision is not None and revision != held.revision:
        raise Stale(
            data={
                "yours": {"grade": _word(grade), "analysis": analysis},
                "theirs": {"grade": _word(held.grade), "analysis": held.analysis},
                "version": held.revision,
                "at": held.saved_at.isoformat() if held.saved_at else "",
            }
        )
    now = timezone.now()
    held.worked_seconds += working_seconds(held.saved_at or held.opened_at, now)
    held.grade, held.analysis, held.saved_at = grade, kept, now
    held.revision += 1
    held.save(update_fields=["grade", "analysis", "saved_at", "revision", "worked_seconds"])
    return held


def _problems(grade: int | None, analysis: str) -> dict[str, list[str]]:
    problems: dict[str, list[str]] = {}
    if grade is not None and not LOWEST <= grade <= HIGHEST:
        problems["grade"] = [_("Choose a grade from 1 to 5.")]
    if problem := storable.problem_with(analysis, limit=RATIONALE_LIMIT):
        problems["analysis"] = [problem]
    return problems


def _word(grade: int | None) -> str:
    return "" if grade is None else str(grade)


def _submitted() -> Conflict:
    return Conflict(
        _("This sheet was submitted, so its grade can no longer be changed."), code="submitted"
    )


@action("sheet.score", about="graded_sheet")
@transaction.atomic
def submit_graded_sheet(
    *,
    actor: Any,
    graded_sheet: GradedSheet,
    grade: int | None,
    analysis: str,
    revision: int | None = None,
) -> GradedSheet:
    """Save and submit a graded sheet; it cannot be changed any more.

    Raises:
        BadInput: the grade or the analysis is missing, or cannot be stored.
        Conflict, Stale: as `keep_grade`.
    """
    problems = _problems(grade, analysis)
    if grade is None:
        problems["grade"] = [_("Choose a grade from 1 to 5.")]
    if "analysis" not in problems and storable.is_blank(analysis):
        problems["analysis"] = [
            _("Write first what is right and what is wrong; a colleague must be able to check it.")
        ]
    if problems:
        raise BadInput(fields=problems)
    kept = keep_grade(
        actor=actor, graded_sheet=graded_sheet, grade=grade, analysis=analysis, revision=revision
    )
    mine = GradedSheet.objects.filter(pk=kept.pk)
    if not move(mine, GradedSheet.State.SUBMITTED, submitted_at=timezone.now()):
        raise _submitted()
    kept.refresh_from_db()
    return kept


@action("sheet.hand_back", about="graded_sheet")
@transaction.atomic
def hand_back_graded_sheet(*, actor: Any, graded_sheet: GradedSheet, reason: str) -> None:
    """Delete an open graded sheet, so that staff can give the response to a colleague.

    What was written goes into the history of the task. The scorer keeps the seat.

    Args:
        actor: the scorer or a member of staff; None where the program takes it back.

    Raises:
        BadInput: the reason is missing.
        Conflict: `wrong_stage`, the sheet is no longer open.
    """
    reason = required_reason(reason, _("Say in a sentence why you hand it back."))
    held = (
        GradedSheet.objects.select_for_update(of=("self",))
        .select_related("response__task")
        .filter(pk=graded_sheet.pk, state=GradedSheet.State.OPEN)
        .first()
    )
    if held is None:
        raise Conflict(_("There is no open sheet to hand back."), code="wrong_stage")
    held.response.task.note(
        "sheet_handed_back",
        actor=actor,
        reason=reason,
        scorer=held.user_id,
        response=held.response.key,
        grade=held.grade,
        analysis=held.analysis,
    )
    held.delete()
