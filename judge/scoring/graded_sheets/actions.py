"""Actions on graded sheets: assign, save, submit, hand back."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.roles import Role
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict, Denied, Stale
from curation.tasks.task.holding import take_seat
from curation.tasks.task.queries import kept_off
from judge.asking.candidates.models import Response
from judge.methods.graded.scale import HIGHEST, LOWEST
from judge.scoring.graded_sheets import notices
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.scorers.readiness import check_ready
from judge.scoring.sheets.actions import RATIONALE_LIMIT, working_seconds
from judge.scoring.sheets.models import Sheet
from judge.scoring.sheets.opening import (
    check_collected_none,
    check_flagged_none,
    check_not_practised,
    check_qualified,
    due,
    rater_of,
)
from judge.scoring.sheets.queries import GRADE, flagged_item_to_serve
from rubrics.versions.queries import version_that_counts


@transaction.atomic
def open_graded_sheet(
    response: Response, scorer: Any, due_at: datetime | None = None, flagged_item: Any = None
) -> GradedSheet:
    """Take a scorer's seat and open their graded sheet on a candidate's response.

    A person either grades a response or scores its lines: the second judgement would repeat the
    first. Who scored a task's anchor grades no candidate on it, as in
    `judge.scoring.sheets.opening`.

    Args:
        due_at: when the sheet is due; None for seven days from now.
        flagged_item: the item of a set that asks for it because of a flag.

    Raises:
        Denied: `not_eligible`, the person is not qualified or has a tie to the author.
        Conflict: `baseline`, `earlier_text`, `scored_the_anchor`, `collected_answers`,
            `already_open`, `seat_taken`, `practised`, `flagged`, `practice_first`,
            `scorer_paused`.
    """
    response = Response.objects.select_related("task__domain", "task__author").get(pk=response.pk)
    task = response.task
    if response.baseline:
        raise Conflict(
            _("This response is the judge's example, so it is not among those compared."),
            code="baseline",
        )
    if response.text_version < task.prompt_since:
        raise Conflict(
            _("This response answers an earlier text of the task, so it is not scored any more."),
            code="earlier_text",
        )
    if scorer.pk in kept_off(task):
        raise Denied(
            _(
                "A response can only be scored by somebody who has no conflict of interest with "
                "the task's author."
            ),
            code="not_eligible",
        )
    check_qualified(scorer, task)
    check_ready(scorer, task.domain_id)
    check_not_practised(task, scorer)
    check_flagged_none(response, scorer)
    version = version_that_counts(task)
    theirs = Sheet.objects.filter(user=scorer, response__task=task)
    if theirs.filter(purpose=Sheet.Purpose.ANCHOR).exists():
        raise Conflict(
            _("Somebody who scored a task's anchor cannot score candidates on the same task."),
            code="scored_the_anchor",
        )
    check_collected_none(task, scorer)
    before = response.graded_sheets.filter(user=scorer)
    if theirs.filter(response=response).exists() or (flagged_item and before.exists()):
        raise already_open()
    take_seat(task=task, user=scorer, role=Role.SCORER)
    try:
        with transaction.atomic():
            return GradedSheet.objects.create(
                response=response,
                version=version,
                answer_version=task.version,
                rater=rater_of(scorer),
                user=scorer,
                due_at=due_at or due(),
                flagged_item=flagged_item,
            )
    except IntegrityError:
        raise already_open() from None


def already_open() -> Conflict:
    """Return the refusal of a second sheet on one response."""
    return Conflict(_("This person already has a sheet for this response."), code="already_open")


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
