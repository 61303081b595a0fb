"""A scorer's sheet: opened, filled line by line, submitted."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import (
    BigIntegerField,
    BooleanField,
    DateTimeField,
    F,
    IntegerField,
    TextField,
)
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation import text
from curation.conflicts import people_in_conflict_with
from curation.errors import BadInput, Conflict, Denied, Stale
from curation.prepared import Prepared, PreparedInsert, PreparedUpdate, Slot
from judge.actions.anchors import hand_to_senior
from judge.actions.opening import open_sheet
from judge.models import Response, Sheet, SheetLine
from judge.notices import sheet_assigned
from judge.scoring import is_done, needs_reason, stamp
from rubrics.models import Criterion

RATIONALE_LIMIT = 5000  # characters
LONGEST_PAUSE = 600  # seconds between two saves; more was a break, not work


@transaction.atomic
def assign_alignment_sheet(
    *, actor: Any, response: Response, scorer: Any, due_at: datetime | None = None
) -> Sheet:
    """Ask an expert to score a candidate's response, blind.

    One person may score several responses of a task, all under the one seat of a scorer.

    Args:
        actor: the member of staff who asks, or None for a draw.
        due_at: in seven days by default.

    Raises:
        Denied: `not_eligible`: not qualified, or tied to the author.
        Conflict: `baseline`, `seat_taken`, `already_open`, `scored_the_anchor`, `no_rubric`.
    """
    sheet = _alignment_sheet(response, scorer, due_at)
    sheet_assigned(sheet)
    return sheet


def _alignment_sheet(response: Response, scorer: Any, due_at: datetime | None = None) -> Sheet:
    response = Response.objects.select_related("task__domain", "task__author").get(pk=response.pk)
    if response.baseline:
        raise Conflict(
            _("This response is the judge's example, so it is not among those compared."),
            code="baseline",
        )
    if scorer.pk in people_in_conflict_with(response.task.author):
        raise Denied(
            _("A response is scored by somebody who has no tie to the task's author."),
            code="not_eligible",
        )
    return open_sheet(
        response=response, scorer=scorer, purpose=Sheet.Purpose.ALIGNMENT, due_at=due_at
    )


def keep_line(
    *,
    actor: Any,
    sheet: Sheet,
    criterion: int,
    met: bool | None,
    rationale: str,
    version: int | None = None,
) -> SheetLine:
    """Keep what was chosen and typed on a line so far, finished or not.

    Args:
        criterion: the line's id; the caller has checked that it is one of the sheet's version.
        version: `scoring.stamp` of the line when it was read; None replaces whatever is there.

    Raises:
        BadInput: a text that cannot be stored.
        Conflict: `submitted`.
        Stale: the line was changed elsewhere since; both texts are in `data`.
    """
    problem = text.problem_with(rationale, limit=RATIONALE_LIMIT)
    if problem:
        raise BadInput(fields={"rationale": [problem]})
    # A reason in which nothing can be seen is none, or a sheet could be submitted without reasons.
    kept = "" if text.is_blank(rationale) else text.clean(rationale)
    return _write(sheet, criterion, met, kept, version)


def score_line(
    *,
    actor: Any,
    sheet: Sheet,
    criterion: int,
    met: bool | None,
    rationale: str,
    version: int | None = None,
) -> SheetLine:
    """Score a line for good: the verdict, and the reason where one is needed.

    Raises:
        BadInput: `met` or `rationale` is missing, or cannot be stored.
        Conflict, Stale: as `keep_line`.
    """
    problems: dict[str, list[str]] = {}
    if met is None:
        problems["met"] = [_("Choose TRUE or FALSE.")]
    problem = text.problem_with(rationale, limit=RATIONALE_LIMIT)
    if problem:
        problems["rationale"] = [problem]
    elif needs_reason(sheet.purpose, met) and text.is_blank(rationale):
        problems["rationale"] = [
            _("Write in a sentence why; a colleague must be able to check it.")
        ]
    if problems:
        raise BadInput(fields=problems)
    return _write(sheet, criterion, met, text.clean(rationale), version)


_LOCK = PreparedUpdate(
    lambda: (
        Sheet.objects.filter(
            pk=Slot("sheet", BigIntegerField()),
            state=Sheet.State.OPEN,
            revision=Slot("revision", IntegerField()),
        ),
        {
            "saved_at": Slot("now", DateTimeField()),
            "revision": F("revision") + 1,
            "worked_seconds": F("worked_seconds") + Slot("worked", IntegerField()),
        },
    )
)
_LINE = Prepared(
    lambda: SheetLine.objects.filter(
        sheet_id=Slot("sheet", BigIntegerField()), criterion_id=Slot("criterion", BigIntegerField())
    )
)
_FIRST = PreparedInsert(SheetLine)
_AGAIN = PreparedUpdate(
    lambda: (
        SheetLine.objects.filter(pk=Slot("line", BigIntegerField())),
        {
            "met": Slot("met", BooleanField()),
            "rationale": Slot("rationale", TextField()),
            "at": Slot("at", DateTimeField()),
        },
    )
)


@transaction.atomic
def _write(
    sheet: Sheet, criterion: int, met: bool | None, rationale: str, version: int | None
) -> SheetLine:
    now = timezone.now()
    # The sheet's row is the lock of its lines, and says whether they may still change. A save that
    # came between begins the time anew: the same minutes are not counted twice.
    while not _LOCK.run(
        sheet=sheet.pk,
        revision=sheet.revision,
        now=now,
        worked=worked(sheet.saved_at or sheet.opened_at, now),
    ):
        sheet.refresh_from_db(fields=["state", "revision", "saved_at"])
        if sheet.state != Sheet.State.OPEN:
            raise _submitted()
    sheet.saved_at, sheet.revision = now, sheet.revision + 1
    line = _LINE.first(sheet=sheet.pk, criterion=criterion)
    if line is None:
        return _FIRST.run(
            sheet_id=sheet.pk, criterion_id=criterion, met=met, rationale=rationale, at=now
        )
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
    _AGAIN.run(line=line.pk, met=met, rationale=rationale, at=now)
    line.met, line.rationale, line.at = met, rationale, now
    return line


def worked(before: datetime, now: datetime) -> int:
    """Seconds at work between two saves; a longer pause was a break, and counts for nothing."""
    seconds = round((now - before).total_seconds())
    return seconds if 0 <= seconds <= LONGEST_PAUSE else 0


def _word(met: bool | None) -> str:
    return "" if met is None else "true" if met else "false"


def _submitted() -> Conflict:
    return Conflict(
        _("This sheet was submitted, so its lines can no longer be changed."), code="submitted"
    )


@transaction.atomic
def submit_sheet(*, actor: Any, sheet: Sheet) -> Sheet:
    """Submit a complete sheet; an anchor goes on to a senior.

    Raises:
        BadInput: `lines_open`, with the ids of the lines in `data`.
        Conflict: `submitted`.
    """
    now = timezone.now()
    if not Sheet.objects.filter(pk=sheet.pk, state=Sheet.State.OPEN).update(
        state=Sheet.State.SUBMITTED, submitted_at=now, revision=F("revision") + 1
    ):
        raise _submitted()
    left = lines_open(sheet)
    if left:
        raise BadInput(
            ngettext(
                "%(n)s line is not finished. A sheet is submitted when every line has a verdict "
                "and its reason.",
                "%(n)s lines are not finished. A sheet is submitted when every line has a verdict "
                "and its reason.",
                len(left),
            )
            % {"n": len(left)},
            code="lines_open",
            data={"lines": left},
        )
    sheet.refresh_from_db(fields=["state", "submitted_at", "revision", "saved_at"])
    if sheet.purpose == Sheet.Purpose.ANCHOR:
        hand_to_senior(actor=actor, sheet=sheet)
    return sheet


def lines_open(sheet: Sheet) -> list[int]:
    """The ids of the lines that are not finished, in the order of the rubric."""
    done = {
        criterion
        for criterion, met, why in sheet.lines.values_list("criterion_id", "met", "rationale")
        if is_done(sheet.purpose, met, why)
    }
    asked = Criterion.objects.filter(version=sheet.version_id).order_by("position", "id")
    return [pk for pk in asked.values_list("pk", flat=True) if pk not in done]


# --- many lines at once ---------------------------------------------------------------------------
@transaction.atomic
def fill_sheet(*, actor: Any, sheet: Sheet, verdicts: Mapping[str, tuple[bool, str]]) -> Sheet:
    """Fill an open sheet and submit it, under the same rules as in the browser.

    Args:
        verdicts: criterion key -> (met, rationale).

    Raises:
        BadInput: an unknown key, a missing reason, or lines that are not there.
        Conflict: submitted already.
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


@transaction.atomic
def record_sheet(
    *,
    actor: Any,
    response: Response,
    scorer: Any,
    verdicts: Mapping[str, tuple[bool, str]],
) -> Sheet:
    """Store an expert's finished sheet of a candidate's response: assigned, filled, submitted.

    Nobody is told: there is nothing left to do on it.

    Raises:
        Denied, Conflict, BadInput: as `assign_alignment_sheet` and `fill_sheet`.
    """
    sheet = _alignment_sheet(response, scorer)
    return fill_sheet(actor=scorer, sheet=sheet, verdicts=verdicts)
