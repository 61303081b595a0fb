"""What was scored by an older rubric follows the one that counts now.

A validated anchor whose lines have changed is scored again on a sheet of its own; the old sheet
keeps its lines, because runs and releases used it. What is still open moves over as it is.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop

from curation.access.action import action
from curation.process.lifecycle import AnchorStage, Stage
from curation.process.states import move
from curation.tasks.models import Task
from curation.web.refusals import Conflict, Denied
from judge.anchors.exemplar_validity import fits
from judge.anchors.hand_back import lines_of
from judge.anchors.models import Anchor, MetaEvaluation
from judge.assignments import notices
from judge.candidates.models import Response
from judge.sheets.models import Sheet, SheetLine
from judge.sheets.opening import check_qualified, due, open_sheet
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.queries import version_that_counts

# Stored in English; whoever reads the history reads it in their language.
CHANGED = gettext_noop("The rubric changed, so the baseline response is scored again.")
MOVED = gettext_noop("The rubric changed while the response was being scored.")


@transaction.atomic
def follow_rubric(*, task: Task) -> None:
    """Bring everything that was or is being scored on an approved task to its rubric.

    Nothing happens where nothing was scored, or where every line is the same.
    """
    if not Response.objects.filter(task=task).exists():
        return
    version = version_that_counts(task)
    if version is None:
        return
    _move_alignment_sheets(task, version)
    # Locked: a senior's verdict of this moment comes before, or finds the anchor moved.
    anchor = Anchor.objects.select_for_update().filter(task=task).first()
    if anchor is not None:
        _follow(anchor, task, version, actor=None)


@action("staff")
@transaction.atomic
def score_again(*, actor: Any, anchor: Anchor) -> bool:
    """Have an anchor that belongs to an older rubric scored again; False if there is no need.

    Args:
        actor: the member of staff who asked, None for the machine.
    """
    anchor = Anchor.objects.select_for_update().get(pk=anchor.pk)
    task = Task.objects.select_related("domain").get(pk=anchor.task_id)
    version = version_that_counts(task)
    if version is None or task.stage != Stage.APPROVED:
        return False
    return _follow(anchor, task, version, actor=actor)


def _follow(anchor: Anchor, task: Task, version: RubricVersion, *, actor: Any) -> bool:
    sheets = [sheet for sheet in anchor.current_sheets() if sheet.version_id != version.pk]
    if not sheets:
        return False
    if anchor.stage == AnchorStage.SCORING:
        return sum(_follow_open(anchor, sheet, version) for sheet in sheets) > 0
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


def _follow_open(anchor: Anchor, sheet: Sheet, version: RubricVersion) -> bool:
    """Bring one sheet of an anchor that is being scored over; False where it is history."""
    if sheet.state == Sheet.State.OPEN:
        _remember(anchor, sheet, "rubric_changed")
        _move(sheet, version)
        return True
    if sheet.submitted_at is None or sheet.submitted_at < anchor.stage_since:
        return False  # history; whoever takes the response scores by the new version
    # The first of two scorers is through and waits for the second: the sheet opens again.
    _remember(anchor, sheet, "rubric_changed")
    _reopen(sheet, version)
    return True


def _take_back(anchor: Anchor, sheets: list[Sheet], version: RubricVersion, actor: Any) -> None:
    """A senior has sheets of lines that no longer count: their scorers get them back, moved."""
    for check in MetaEvaluation.objects.filter(anchor=anchor, verdict=""):
        _remember(anchor, sheets[0], "check_released", senior=check.senior_id, draft=check.draft)
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
    """Give the former scorer a sheet of the new version, unchanged lines filled in.

    Where they may no longer score, the response waits in the pool for a colleague, who sees
    nothing of theirs.
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
        SheetLine(sheet=new, criterion=twin, met=met, rationale=line.rationale, at=line.at)
        for line, twin, met in _twins(old, new.version_id)
        if twin is not None
    )
    notices.score_again(new)


def _move_alignment_sheets(task: Task, version: RubricVersion) -> None:
    sheets = Sheet.objects.filter(
        response__task=task, purpose=Sheet.Purpose.ALIGNMENT, state=Sheet.State.OPEN
    ).exclude(version=version)
    for sheet in sheets:
        _remember(task, sheet, "sheet_followed_rubric", response=sheet.response_id)
        _move(sheet, version)


def _move(sheet: Sheet, version: RubricVersion) -> None:
    """Put an open sheet on another version. Unchanged lines keep verdict and reason; a line in
    other words keeps its reason and waits for a verdict; a line that is gone goes."""
    # The sheet's row is the lock of its lines.
    moved = Sheet.objects.filter(pk=sheet.pk, state=Sheet.State.OPEN).update(
        version=version, followed_at=timezone.now(), revision=F("revision") + 1
    )
    if not moved:
        return
    for line, twin, met in list(_twins(sheet, version.pk)):
        if twin is None:
            line.delete()
        else:
            SheetLine.objects.filter(pk=line.pk).update(criterion=twin, met=met)
    sheet.version = version


def _twins(
    sheet: Sheet, version: int | None
) -> Iterator[tuple[SheetLine, Criterion | None, bool | None]]:
    """Each line of a sheet with its line in another version, and the verdict that still holds."""
    new: Mapping[str, Criterion] = {
        line.key: line for line in Criterion.objects.filter(version=version)
    }
    for line in sheet.lines.select_related("criterion"):
        twin = new.get(line.criterion.key)
        same = twin is not None and twin.text == line.criterion.text
        yield line, twin, line.met if same else None


def _remember(thing: Any, sheet: Sheet, event: str, **data: Any) -> None:
    """Keep a sheet's lines as they were in the history."""
    thing.note(event, actor=None, reason=MOVED, scorer=sheet.user_id, lines=lines_of(sheet), **data)
