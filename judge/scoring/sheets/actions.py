"""Actions on sheets: open, score line by line, submit."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.access.action import action
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict, Denied, Stale
from curation.tasks.task.queries import kept_off
from judge.asking.candidates.models import Response
from judge.scoring.sheets import sql
from judge.scoring.sheets.models import Sheet, SheetLine
from judge.scoring.sheets.opening import open_sheet
from judge.scoring.sheets.rules import is_done, needs_reason, stamp
from judge.scoring.sheets.signals import anchor_sheet_submitted, practice_sheet_submitted
from rubrics.versions.models import Criterion

RATIONALE_LIMIT = 5000  # characters
LONGEST_PAUSE = 600  # seconds between two saves; a longer time is a break


def open_alignment_sheet(
    response: Response, scorer: Any, due_at: datetime | None = None, flagged_item: Any = None
) -> Sheet:
    """Open a scorer's sheet on a candidate's response.

    Args:
        due_at, flagged_item: as in `open_sheet`.

    Raises:
        Denied: `not_eligible`, the person is not qualified or has a tie to the author.
        Conflict: `baseline`, the response is an anchor's; `earlier_text`, it answers an earlier
            text of the task; others as `open_sheet`.
    """
    response = Response.objects.select_related("task__domain", "task__author").get(pk=response.pk)
    if response.baseline:
        raise Conflict(
            _("This response is the judge's example, so it is not among those compared."),
            code="baseline",
        )
    if response.text_version < response.task.prompt_since:
        raise Conflict(
            _("This response answers an earlier text of the task, so it is not scored any more."),
            code="earlier_text",
        )
    if response.graded_sheets.filter(user=scorer).exists():
        raise Conflict(
            _("This person grades the response as a whole, so a colleague scores its lines."),
            code="already_open",
        )
    if scorer.pk in kept_off(response.task):
        raise Denied(
            _(
                "A response can only be scored by somebody who has no conflict of interest with "
                "the task's author."
            ),
            code="not_eligible",
        )
    return open_sheet(
        response=response,
        scorer=scorer,
        purpose=Sheet.Purpose.ALIGNMENT,
        due_at=due_at,
        flagged_item=flagged_item,
    )


@action("sheet.score", about="sheet")
def keep_line(
    *,
    actor: Any,
    sheet: Sheet,
    criterion: int,
    met: bool | None,
    rationale: str,
    version: int | None = None,
) -> SheetLine:
    """Save a line as typed so far, finished or not.

    Args:
        criterion: the line's id; the caller has checked that it is in the sheet's version.
        version: `rules.stamp` of the line when it was read; None overwrites any change since.

    Raises:
        BadInput: a text cannot be stored.
        Conflict: `submitted`.
        Stale: the line was changed elsewhere since; both texts are in `data`.
    """
    problem = storable.problem_with(rationale, limit=RATIONALE_LIMIT)
    if problem:
        raise BadInput(fields={"rationale": [problem]})
    # A rationale without visible characters counts as none: else it would pass for a reason.
    kept = "" if storable.is_blank(rationale) else storable.clean(rationale)
    return _write(sheet, criterion, met, kept, version)


@action("sheet.score", about="sheet")
def score_line(
    *,
    actor: Any,
    sheet: Sheet,
    criterion: int,
    met: bool | None,
    rationale: str,
    version: int | None = None,
) -> SheetLine:
    """Save a finished line: its verdict, and its rationale where one is needed.

    Raises:
        BadInput: `met` or `rationale` is missing or cannot be stored.
        Conflict, Stale: as `keep_line`.
    """
    problems: dict[str, list[str]] = {}
    if met is None:
        problems["met"] = [_("Choose TRUE or FALSE.")]
    problem = storable.problem_with(rationale, limit=RATIONALE_LIMIT)
    if problem:
        problems["rationale"] = [problem]
    elif needs_reason(sheet.purpose, met) and storable.is_blank(rationale):
        problems["rationale"] = [
            _("Write in a sentence why; a colleague must be able to check it.")
        ]
    if problems:
        raise BadInput(fields=problems)
    return _write(sheet, criterion, met, storable.clean(rationale), version)


@transaction.atomic
def _write(
    sheet: Sheet, criterion: int, met: bool | None, rationale: str, version: int | None
) -> SheetLine:
    now = timezone.now()
    # Updating the sheet locks its lines and checks that it is open. After a concurrent save the
    # worked time counts from that save, so that no minute is counted twice.
    while not sql.lock(
        sheet, now=now, worked=working_seconds(sheet.saved_at or sheet.opened_at, now)
    ):
        sheet.refresh_from_db(fields=["state", "revision", "saved_at"])
        if sheet.state != Sheet.State.OPEN:
            raise _submitted()
    sheet.saved_at, sheet.revision = now, sheet.revision + 1
    line = sql.line_of(sheet, criterion)
    if line is None:
        line = SheetLine(sheet=sheet, criterion_id=criterion, met=met, rationale=rationale, at=now)
        sql.store(line)
        return line
    if (line.met, line.rationale) == (met, rationale):
        return line
    if version is not None and version != stamp(line.at):
        raise Stale(
            data={
                "yours": {"met": _word(met), "rationale": rationale},
                "theirs": {"met": _word(line.met), "rationale": line.rationale},
                "version": stamp(line.at),
                "at": line.at.isoformat(),
            }
        )
    line.met, line.rationale, line.at = met, rationale, now
    sql.store(line)
    return line


def working_seconds(before: datetime, now: datetime) -> int:
    """Return the seconds of work between two saves; 0 if longer than LONGEST_PAUSE, a break."""
    seconds = round((now - before).total_seconds())
    return seconds if 0 <= seconds <= LONGEST_PAUSE else 0


def _word(met: bool | None) -> str:
    return "" if met is None else "true" if met else "false"


def _submitted() -> Conflict:
    return Conflict(
        _("This sheet was submitted, so its lines can no longer be changed."), code="submitted"
    )


@action("sheet.score", about="sheet")
@transaction.atomic
def submit_sheet(*, actor: Any, sheet: Sheet) -> Sheet:
    """Submit a complete sheet; an anchor's goes to a senior.

    Raises:
        BadInput: `lines_open`, lines are not finished; `data["lines"]` has their ids.
        Conflict: `submitted`, it is submitted already.
    """
    now = timezone.now()
    mine = Sheet.objects.filter(pk=sheet.pk)
    if not move(mine, Sheet.State.SUBMITTED, submitted_at=now, revision=F("revision") + 1):
        raise _submitted()
    left = lines_open(sheet)
    if left:
        raise BadInput(
            ngettext(
                "%(n)s line is not finished. A sheet can be submitted when every line has a "
                "verdict and a reason.",
                "%(n)s lines are not finished. A sheet can be submitted when every line has a "
                "verdict and a reason.",
                len(left),
            )
            % {"n": len(left)},
            code="lines_open",
            data={"lines": left},
        )
    sheet.refresh_from_db(fields=["state", "submitted_at", "revision", "saved_at"])
    if sheet.purpose == Sheet.Purpose.ANCHOR:
        anchor_sheet_submitted.send(sender=Sheet, instance=sheet, actor=actor)
    elif sheet.kind == Sheet.Kind.PRACTICE:
        practice_sheet_submitted.send(sender=Sheet, instance=sheet, actor=actor)
    return sheet


def lines_open(sheet: Sheet) -> list[int]:
    """Return the ids of the lines that are not finished, in the order of the rubric."""
    done = {
        criterion
        for criterion, met, why in sheet.lines.values_list("criterion_id", "met", "rationale")
        if is_done(sheet.purpose, met, why)
    }
    asked = Criterion.objects.filter(version=sheet.version_id).order_by("position", "id")
    return [pk for pk in asked.values_list("pk", flat=True) if pk not in done]


# --- many lines at once ---------------------------------------------------------------------------
@action("sheet.score", about="sheet")
@transaction.atomic
def fill_sheet(*, actor: Any, sheet: Sheet, verdicts: Mapping[str, tuple[bool, str]]) -> Sheet:
    """Fill an open sheet and submit it, by the same rules as on its page.

    Args:
        verdicts: criterion key -> (met, rationale).

    Raises:
        BadInput: a key is unknown, a rationale is missing, or a line has no verdict.
        Conflict: the sheet is submitted already.
    """
    keys = dict(Criterion.objects.filter(version=sheet.version_id).values_list("key", "pk"))
    unknown = sorted(set(verdicts) - set(keys))
    if unknown:
        raise BadInput(
            _("The rubric has no line %(keys)s.") % {"keys": ", ".join(unknown)},
            code="unknown_lines",
        )
    for key, (met, why) in verdicts.items():
        score_line(actor=actor, sheet=sheet, criterion=keys[key], met=met, rationale=why)
    return submit_sheet(actor=actor, sheet=sheet)


@action("staff.scoring")
@transaction.atomic
def record_sheet(
    *,
    actor: Any,
    response: Response,
    scorer: Any,
    verdicts: Mapping[str, tuple[bool, str]],
) -> Sheet:
    """Open, fill and submit an expert's sheet on a candidate's response, without a notice.

    Args:
        verdicts: criterion key -> (met, rationale).

    Raises:
        Denied, Conflict, BadInput: as `open_alignment_sheet` and `fill_sheet`.
    """
    sheet = open_alignment_sheet(response, scorer)
    return fill_sheet(actor=scorer, sheet=sheet, verdicts=verdicts)
