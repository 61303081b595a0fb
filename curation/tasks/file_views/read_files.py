"""Read the files of tasks and trials that nobody has read yet."""

import logging
from collections.abc import Collection
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from curation.base.file_contents import limits, reading
from curation.base.file_contents.models import FileContent
from curation.tasks.attachments.content import ENDINGS
from curation.tasks.attachments.models import Attachment

log = logging.getLogger(__name__)

AT_ONCE = 20  # files
_TASKS = 500  # in one query


def unread_files() -> QuerySet[Attachment]:
    """Select the files of tasks and trials whose content was not read yet."""
    return _kept(~Exists(_contents()))


def given_up_files() -> QuerySet[Attachment]:
    """Select the files whose reading was given up, after attempts that broke."""
    return _kept(Exists(_contents().filter(reason=reading.GAVE_UP)))


def _contents() -> QuerySet[FileContent]:
    return FileContent.objects.filter(sha256=OuterRef("sha256"))


def _kept(condition: Any) -> QuerySet[Attachment]:
    return (
        Attachment.objects.filter(Q(task__isnull=False) | Q(trial__isnull=False))
        .filter(condition, removed_at__isnull=True, content_type__in=ENDINGS)
        .exclude(file="")
    )


def read_waiting_files() -> int:
    """Read some files that nobody has read yet; return how many contents, 20 at most."""
    return _read(unread_files().order_by("pk")[:AT_ONCE])


def read_files_of(tasks: Collection[int]) -> None:
    """Read what was not read yet of these tasks' files. Call it outside of a transaction.

    One query for each 500 tasks where nothing is to be read.
    """
    wanted = list(tasks)
    for start in range(0, len(wanted), _TASKS):
        _read(unread_files().filter(task__in=wanted[start : start + _TASKS]))


def read_again() -> int:
    """Read once more what could not be read, or was read by an earlier reader; return how many.

    Models may get something else of these files afterwards.
    """
    due = FileContent.objects.filter(~Q(reason="") | Q(edition__lt=limits.EDITION))
    hashes = list(due.values_list("sha256", flat=True))
    for sha256 in hashes:
        reading.forget(sha256)
    return _read(unread_files().filter(sha256__in=hashes))


def _read(rows: QuerySet[Attachment]) -> int:
    done = set()
    for row in rows:
        if row.sha256 not in done:
            done.add(row.sha256)
            read_file(row)
    return len(done)


def read_file(row: Attachment) -> None:
    """Read the content of a file, and store what was found or why nothing was."""
    ending = ENDINGS[row.content_type]
    try:
        with row.file.open("rb") as file:
            data = file.read()
    except (OSError, ValueError):
        log.warning("The content of attachment %s is missing in the storage", row.pk)
        reading.mark_missing(row.sha256, ending)
        return
    reading.read(data, row.sha256, ending)


def give_up_reading(row: Attachment) -> None:
    """Record that a file cannot be read, after attempts that broke or ended their workers."""
    reading.give_up(row.sha256, ENDINGS[row.content_type])
