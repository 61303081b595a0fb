"""The worker's part: check an upload, import it once, and delete what has expired."""

import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from curation.base.process.states import move
from curation.base.records.files import UnreadableTableError
from curation.base.web.refusals import Conflict, WorkbenchError
from judge.gold.transfer.carry_out import Report, carry_out
from judge.gold.transfer.import_actions import delete_files, files_of
from judge.gold.transfer.import_models import DataImport
from judge.gold.transfer.import_notices import tell

_SAVE_EVERY = 1.0  # seconds between two writes of how many lines are read
State = DataImport.State


class _MovedOnError(Conflict):
    """Another worker has done this, or somebody changed the upload."""


def waiting_imports() -> "QuerySet[DataImport]":
    """Return the uploads that wait for a check or for their import."""
    return DataImport.objects.filter(state__in=(State.CHECKING, State.WAITING))


def is_small(row: DataImport) -> bool:
    """Return whether a page checks an upload itself, instead of the worker."""
    return row.size <= settings.IMPORT_CHECKED_AT_ONCE_KB * 1024


def work_on(row: DataImport, *, heartbeat: Callable[[], bool] = lambda: True) -> None:
    """Check an upload or import it, as its state says.

    Args:
        heartbeat: called now and then; False if another worker has taken over.

    Raises:
        Conflict: another worker has taken over, or somebody changed the upload.
    """
    with translation.override(row.asked_by.language):
        if row.state == State.CHECKING:
            _check(row, heartbeat)
        else:
            _import(row, heartbeat)


def _check(row: DataImport, heartbeat: Callable[[], bool]) -> None:
    try:
        report = carry_out(row, dry_run=True, progress=_Progress(row, heartbeat))
        problem = ""
    except _MovedOnError:
        raise
    except (WorkbenchError, UnreadableTableError) as refusal:
        report, problem = Report(fault_count=1), _sentence(refusal)
    move(
        _still(row),
        State.CHECKED,
        counts=report.counts,
        faults=report.faults,
        fault_count=report.fault_count,
        first_rows=report.first_rows,
        problem=problem,
    )


def _import(row: DataImport, heartbeat: Callable[[], bool]) -> None:
    def done(report: Report) -> None:
        """Mark the upload as imported, in the transaction that imports it."""
        ended = {"counts": report.counts, "ended_at": timezone.now()}
        if not move(_still(row), State.DONE, **ended):
            raise _MovedOnError()
        tell(row, report.counts)

    try:
        report = carry_out(row, dry_run=False, at_end=done, progress=_Progress(row, heartbeat))
    except _MovedOnError:
        raise
    except (WorkbenchError, UnreadableTableError) as refusal:
        fail(row, _sentence(refusal))
        return
    if report.fault_count:
        problem = _("What is stored here has changed since the check.")
        fail(row, problem, faults=report.faults, fault_count=report.fault_count)
        return
    forget_files(row)


def fail(row: DataImport, problem: str, **values: Any) -> None:
    """Record why an upload was not imported, and tell who asked for it."""
    with transaction.atomic():
        ended = {"problem": problem, "ended_at": timezone.now(), **values}
        if move(_still(row), State.FAILED, **ended):
            tell(row, None)


def give_up(row: DataImport, problem: str) -> None:
    """End the check or import of an upload on which the worker broke several times."""
    with translation.override(row.asked_by.language):
        why = _("It broke several times: %(problem)s") % {"problem": problem}
        if row.state == State.WAITING:
            fail(row, why)
        else:
            move(_still(row), State.CHECKED, problem=why, fault_count=1)


def _still(row: DataImport) -> "QuerySet[DataImport]":
    return DataImport.objects.filter(pk=row.pk, state=row.state, revision=row.revision)


def _sentence(refusal: WorkbenchError | UnreadableTableError) -> str:
    if isinstance(refusal, WorkbenchError):
        return str(refusal.detail)
    return refusal.sentence


class _Progress:
    """Writes how many lines are read, once a second, so that the page can say it."""

    def __init__(self, row: DataImport, heartbeat: Callable[[], bool]) -> None:
        self.row, self.heartbeat = row, heartbeat
        self.next = time.monotonic() + _SAVE_EVERY

    def __call__(self, line: int) -> None:
        if time.monotonic() < self.next:
            return
        self.next = time.monotonic() + _SAVE_EVERY
        if not self.heartbeat():
            raise _MovedOnError()
        _still(self.row).update(lines_read=line)


# --- what has expired -----------------------------------------------------------------------------
def forget_files(row: DataImport) -> None:
    """Delete the files of an upload that has ended."""
    files = files_of(row)
    ended = DataImport.objects.filter(pk=row.pk, state__in=(State.DONE, State.FAILED))
    if files and ended.update(file="", rubrics="", archive="", outline=[]):
        delete_files(files)


def forget_uploads() -> int:
    """Delete expired uploads, and the files of those that have ended (a periodic job)."""
    count = 0
    for row in DataImport.objects.filter(state=State.DONE).exclude(file=""):
        forget_files(row)  # the worker was killed between the import and this
        count += 1
    expired = DataImport.objects.filter(expires_at__lt=timezone.now()).exclude(file="")
    for row in expired.filter(state=State.FAILED):
        forget_files(row)
        count += 1
    for row in expired.filter(state__in=(State.OPEN, State.CHECKED)):
        files = files_of(row)
        same = DataImport.objects.filter(pk=row.pk, state=row.state, revision=row.revision)
        if same.delete()[0]:
            delete_files(files)
            count += 1
    return count
