"""Moves sheets of an older rubric to the version that counts now.

A validated anchor whose lines changed is scored again on a new sheet; the old sheet keeps its
lines, because runs and releases used it. Open sheets move to the new version.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop

from curation.base.access.action import action
from curation.base.process.lifecycle import AnchorStage, Stage
from curation.base.process.states import move
from curation.base.web.refusals import Conflict, Denied
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.scoring.anchors.exemplar_validity import fits
from judge.scoring.anchors.hand_back import lines_of
from judge.scoring.anchors.models import Anchor, MetaEvaluation
from judge.scoring.assignments import notices
from judge.scoring.sheets.models import Sheet, SheetLine
from judge.scoring.sheets.opening import check_qualified, due, open_sheet
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.queries import version_that_counts

# Stored in English and translated when the history is shown.
CHANGED = gettext_noop("The rubric changed, so the baseline response is scored again.")
MOVED = gettext_noop("The rubric changed while the response was being scored.")


@transaction.atomic
def follow_rubric(*, task: Task) -> None:
    """Move the open sheets and the anchor of an approved task to the version that counts.

    Does nothing if the task has no response or no line changed.
    """
    if not Response.objects.filter(task=task).exists():
        return
    version = version_that_counts(task)
    if version is None:
        return
    _move_alignment_sheets(task, version)
    # Lock the anchor, so that a concurrent decision of a senior comes before or is refused.
    anchor = Anchor.objects.select_for_update().filter(task=task).first()
    if anchor is not None:
        _follow_anchor(anchor, task, version, actor=None)


@action("staff.scoring")
@transaction.atomic
def score_again(*, actor: Any, anchor: Anchor) -> bool:
    """Have an anchor of an older version scored again; False if it does not need to be.

    Args:
        actor: the member of staff who asked; None where the program does.
    """
    anchor = Anchor.objects.select_for_update().get(pk=anchor.pk)
    task = Task.objects.select_related("domain").get(pk=anchor.task_id)
    version = version_that_counts(task)
    if version is None or task.stage != Stage.APPROVED:
        return False
    return _follow_anchor(anchor, task, version, actor=actor)


def _follow_anchor(anchor: Anchor, task: Task, version: RubricVersion, *, actor: Any) -> bool:
    sheets = [sheet for sheet in anchor.current_sheets() if sheet.version_id != version.pk]
    if not sheets:
        return False
    if anchor.stage == AnchorStage.SCORING:
        # Summed rather than any(): every sheet has to be moved.
        return sum(_move_or_reopen(anchor, sheet, version) for sheet in sheets) > 0
    if fits(sheets[0].version_id, version.pk):
        return False
    if anchor.stage == AnchorStage.META_EVALUATION:
        _take_back(anchor, sheets, version, actor)
        return True
    if anchor.stage != AnchorStage.VALIDATED:
        return False
    anchor.advance(
        AnchorStage.SCORING, actor=actor, reason=CHANGED, sheet=sheets[0].pk, version=version.number
    )
    Anchor.objects.filter(pk=anchor.pk).update(sheet=None)
    anchor.sheet = None
    for sheet in sheets:
        _open_again(task, sheet)
    return True


def _move_or_reopen(anchor: Anchor, sheet: Sheet, version: RubricVersion) -> bool:
    """Move one sheet of an anchor that is being scored; False if it is of an earlier scoring."""
    if sheet.state == Sheet.State.OPEN:
        _note_lines(anchor, sheet, "rubric_changed")
        _move(sheet, version)
        return True
    if sheet.submitted_at is None or sheet.submitted_at < anchor.stage_since:
        return False  # the next scorer of the response gets a sheet of the new version
    # Submitted by the first of two scorers, and waiting for the second: open it again.
    _note_lines(anchor, sheet, "rubric_changed")
    _reopen(sheet, version)
    return True


def _take_back(anchor: Anchor, sheets: list[Sheet], version: RubricVersion, actor: Any) -> None:
    """Return an anchor from its check to its scorers, with the sheets moved to the version."""
    for check in MetaEvaluation.objects.filter(anchor=anchor, verdict=""):
        _note_lines(anchor, sheets[0], "check_released", senior=check.senior_id, draft=check.draft)
        check.delete()
    anchor.advance(
        AnchorStage.SCORING, actor=actor, reason=CHANGED, sheet=sheets[0].pk, version=version.number
    )
    for sheet in sheets:
        _reopen(sheet, version)


def _reopen(sheet: Sheet, version: RubricVersion) -> None:
    move(Sheet.objects.filter(pk=sheet.pk), Sheet.State.OPEN, submitted_at=None, due_at=due())
    sheet.refresh_from_db(fields=["state", "submitted_at", "due_at"])
    _move(sheet, version)
    notices.score_again(sheet)


def _open_again(task: Task, old: Sheet) -> None:
    """Give the former scorer a sheet of the new version with the unchanged lines filled in.

    If they may no longer score, the response waits in the pool for a colleague, who does not see
    their lines.
    """
    try:
        check_qualified(old.user, task)
        with transaction.atomic():
            new = open_sheet(
                response=old.response,
                scorer=old.user,
                purpose=Sheet.Purpose.ANCHOR,
                slot=old.slot,
            )
    except (Denied, Conflict):
        return
    Sheet.objects.filter(pk=new.pk).update(followed_at=timezone.now())
    SheetLine.objects.bulk_create(
        SheetLine(sheet=new, criterion=match, met=met, rationale=line.rationale, at=line.at)
        for line, match, met in _matching_lines(old, new.version_id)
        if match is not None
    )
    notices.score_again(new)


def _move_alignment_sheets(task: Task, version: RubricVersion) -> None:
    sheets = Sheet.objects.filter(
        response__task=task, purpose=Sheet.Purpose.ALIGNMENT, state=Sheet.State.OPEN
    ).exclude(version=version)
    for sheet in sheets:
        _note_lines(task, sheet, "sheet_followed_rubric", response=sheet.response_id)
        _move(sheet, version)


def _move(sheet: Sheet, version: RubricVersion) -> None:
    """Move an open sheet to another version.

    Unchanged lines keep verdict and rationale. Reworded lines keep the rationale and lose the
    verdict. Lines that the version does not have are deleted.
    """
    # Updating the sheet locks its row, which guards its lines.
    moved = Sheet.objects.filter(pk=sheet.pk, state=Sheet.State.OPEN).update(
        version=version, followed_at=timezone.now(), revision=F("revision") + 1
    )
    if not moved:
        return
    for line, match, met in list(_matching_lines(sheet, version.pk)):
        if match is None:
            line.delete()
        else:
            SheetLine.objects.filter(pk=line.pk).update(criterion=match, met=met)
    sheet.version = version


def _matching_lines(
    sheet: Sheet, version: int | None
) -> Iterator[tuple[SheetLine, Criterion | None, bool | None]]:
    """Yield each line of a sheet with its match in another version and the verdict to keep.

    The match has the same key; None if there is none. The verdict is None if the text differs.
    """
    new: Mapping[str, Criterion] = {
        line.key: line for line in Criterion.objects.filter(version=version)
    }
    for line in sheet.lines.select_related("criterion"):
        match = new.get(line.criterion.key)
        same = match is not None and match.text == line.criterion.text
        yield line, match, line.met if same else None


def _note_lines(thing: Any, sheet: Sheet, event: str, **data: Any) -> None:
    """Write a sheet's present lines into the history of its anchor or task."""
    thing.note(event, actor=None, reason=MOVED, scorer=sheet.user_id, lines=lines_of(sheet), **data)
