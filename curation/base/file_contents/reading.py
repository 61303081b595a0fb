"""Read files in a process of their own, and store what was found."""

import base64
import hashlib
import json
import logging
import os
import subprocess
import sys
import threading
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from curation.base.file_contents import limits
from curation.base.file_contents.models import ContentPicture, FileContent

log = logging.getLogger(__name__)

_AT_ONCE = threading.BoundedSemaphore(2)  # of one process; a reader may take a gigabyte
GAVE_UP = "gave_up"  # the reason of a content on which attempts to read it broke
_MAY_PASS = {"missing", "too_slow", "unreadable", GAVE_UP}  # may not hold the next time
_GRACE = 5  # seconds beside those of the processor: starting the process, waiting for others
_PATIENCE = {"read": 6}  # times as long; nobody waits for it, so that only the processor counts
_WAIT = 5  # seconds that a request waits for others' pages to be drawn


def read(data: bytes, sha256: str, ending: str) -> FileContent:
    """Return what is in a file, read and stored if nobody has read this content yet.

    Call it outside of a transaction and of a request: reading takes up to 20 seconds of processor,
    and minutes on a busy machine.

    Args:
        ending: its kind, found in its content: ".pdf", ".docx", …
    """
    known = FileContent.objects.filter(sha256=sha256).first()
    if known is not None:
        return known
    with _AT_ONCE:
        found = _run("read", ending, data)
    return _store(sha256, ending, found)


def read_unstored(data: bytes, ending: str) -> dict[str, Any]:
    """Return what is in a file that nobody added, such as a page of a document store.

    Returns:
        the fields of `reader.found.Found`, each section as [kind, part, label, text]; `reason`
        says why nothing was found.
    """
    with _AT_ONCE:
        return _run("read", ending, data)


def read_sheets(data: bytes) -> dict[str, Any]:
    """Return the visible sheets of a workbook as rows of values, for an import.

    Returns:
        `sheets`: for each its name and its rows, each a list of texts, numbers, true, false and
        "" for empty cells; a formula is its last result. `reason`: "" or why there are none.
    """
    with _AT_ONCE:
        return {"sheets": [], **_run("sheets", "-", data)}


class ReaderBusyError(Exception):
    """Other pages are being drawn; this one can be asked for again in a moment."""


def page_picture(content: FileContent, number: int, data: bytes) -> ContentPicture | None:
    """Return the picture of a page of a PDF, drawn and stored if nobody has seen it yet.

    Args:
        data: the PDF.

    Returns:
        None if there is no such page or it cannot be drawn.

    Raises:
        ReaderBusyError: too many pages are being drawn.
    """
    known = content.pictures.filter(number=number).first()
    if known is not None:
        return known
    if not _AT_ONCE.acquire(timeout=_WAIT):
        raise ReaderBusyError
    try:
        pictures = _run("page", str(number), data)["pictures"]
    finally:
        _AT_ONCE.release()
    for drawn in pictures:
        _store_picture(content, drawn, for_models=False)
    return content.pictures.filter(number=number).first()


def mark_missing(sha256: str, ending: str) -> FileContent:
    """Record that a content is gone from the storage, so that nobody tries to read it again."""
    found, _made = FileContent.objects.get_or_create(
        sha256=sha256,
        defaults={"ending": ending, "reason": "missing", "edition": limits.EDITION},
    )
    return found


def give_up(sha256: str, ending: str) -> None:
    """Record that a content cannot be read, after several attempts that broke."""
    FileContent.objects.get_or_create(
        sha256=sha256,
        defaults={"ending": ending, "reason": GAVE_UP, "edition": limits.EDITION},
    )


def forget_failed(sha256: str) -> None:
    """Let a content be read once more where that may help.

    Whoever adds the file again wants that, and staff who try it again.
    """
    if FileContent.objects.filter(sha256=sha256, reason__in=_MAY_PASS).exists():
        forget(sha256)


def forget(sha256: str) -> None:
    """Delete what was read of a content that no file has any more."""
    with transaction.atomic():
        content = FileContent.objects.filter(sha256=sha256).first()
        if content is None:
            return
        names = [str(picture.file) for picture in content.pictures.all()]
        content.delete()
    for name in names:
        try:
            default_storage.delete(name)
        except OSError:
            log.exception("The picture %s of a deleted file could not be deleted", name)


def _store(sha256: str, ending: str, found: dict[str, Any]) -> FileContent:
    with transaction.atomic():
        content, _made = FileContent.objects.get_or_create(
            sha256=sha256,
            defaults={
                "ending": ending,
                "sections": found["sections"],
                "characters": sum(len(section[-1]) for section in found["sections"]),
                "pages": found["pages"],
                "cut": found["cut"],
                "reason": found["reason"],
                "unread_pictures": found["unread_pictures"],
                "elsewhere": found["elsewhere"],
                "edition": limits.EDITION,
            },
        )
        for picture in found["pictures"]:
            _store_picture(content, picture, for_models=True)
    return content


def _store_picture(content: FileContent, drawn: dict[str, Any], *, for_models: bool) -> None:
    data = base64.b64decode(drawn.pop("data"))
    row = ContentPicture(
        content=content,
        for_models=for_models,
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        **drawn,
    )
    if ContentPicture.objects.filter(content=content, number=row.number).exists():
        return
    row.file.save("", ContentFile(data), save=False)
    # Two readers may draw a page at once; the second finds the first one's row.
    ContentPicture.objects.bulk_create([row], ignore_conflicts=True)
    kept = ContentPicture.objects.get(content=content, number=row.number)
    if kept.file.name != row.file.name:
        default_storage.delete(str(row.file.name))


def _run(command: str, argument: str, data: bytes) -> dict[str, Any]:
    """Run the reader. What breaks it, or takes too long, gives a reason, never an exception."""
    nothing: dict[str, Any] = {
        "sections": [],
        "pages": None,
        "cut": {},
        "unread_pictures": 0,
        "elsewhere": [],
        "pictures": [],
    }
    try:
        done = _started(command, argument, data)
        found: dict[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {**nothing, "reason": "too_slow"}
    except (subprocess.CalledProcessError, ValueError):
        log.exception("A file could not be read (%s %s)", command, argument)
        return {**nothing, "reason": "unreadable"}
    return found


def _started(command: str, argument: str, data: bytes) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(  # noqa: S603 - our own module; only numbers and endings vary
        [sys.executable, "-m", "curation.base.file_contents.reader", command, argument],
        input=data,
        capture_output=True,
        timeout=(limits.SECONDS + _GRACE) * _PATIENCE.get(command, 1),
        check=True,
        cwd=settings.BASE_DIR,
        # No variable of ours, so no key is in the process that opens what a stranger sent.
        env={"PATH": os.environ.get("PATH", ""), "OPENBLAS_NUM_THREADS": "1"},
    )
