"""The archive with the tasks' files in a release: each content once, named by its hash.

The archive's bytes do not depend on when or where it is made: entries come in the order of the
tasks, uncompressed and without times. Contents are hashed again while they are packed, so a release
cannot hold a damaged file.
"""

import hashlib
import zipfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.files.storage import default_storage
from django.utils.translation import gettext as _

from curation.base.file_contents.models import FileContent
from curation.base.web.refusals import Conflict
from curation.tasks.attachments.content import ENDINGS
from curation.tasks.attachments.models import Attachment
from curation.tasks.file_views.model_files import contents_of
from judge.gold.transfer.task_files import ARCHIVE

BLOCK = 1 << 20
_BATCH = 500


def have_attachments(tasks: Sequence[int]) -> bool:
    """Return whether any of these tasks has a file."""
    return any(
        Attachment.objects.filter(
            task__in=tasks[start : start + _BATCH], removed_at__isnull=True
        ).exists()
        for start in range(0, len(tasks), _BATCH)
    )


def attachment_rows(tasks: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """Return the rows of each task's files, without the task's key. Three queries.

    `text_sha256` is the hash of the text that models get of a file, "" if there is none, and
    `pictures` the number of its pictures for models. `stored` is the content's name in the storage;
    it is needed for packing and not released.
    """
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    rows = (
        Attachment.objects.filter(task__in=tasks, removed_at__isnull=True)
        .order_by("task_id", "id")
        .values_list("task_id", "name", "sha256", "size", "content_type", "file")
    )
    contents = contents_of(row[2] for row in rows)
    for task, name, sha256, size, kind, stored in rows:
        content = contents.get(sha256)
        found[task].append(
            {
                "name": name,
                "file": f"{sha256}{ENDINGS.get(kind, '')}",
                "sha256": sha256,
                "bytes": size,
                "content_type": kind,
                "text_sha256": _text_sha256(content),
                "pictures": len(content.pictures.all()) if content else 0,
                "stored": stored,
            }
        )
    return found


def _text_sha256(content: FileContent | None) -> str:
    """Return the SHA-256 of the texts of a file's parts, joined by form feeds."""
    if content is None or not content.characters:
        return ""
    return hashlib.sha256("\f".join(part.text for part in content.parts).encode()).hexdigest()


class Archive:
    """`attachments.zip`, written entry by entry."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / ARCHIVE
        self._packed = zipfile.ZipFile(self.path, "x", zipfile.ZIP_STORED)
        self._seen: set[str] = set()

    def add(self, row: dict[str, Any]) -> None:
        """Pack a file's content, unless the archive has it already.

        Raises:
            Conflict: the content is gone from the storage, or damaged.
        """
        if row["file"] in self._seen:
            return
        self._seen.add(row["file"])
        entry = zipfile.ZipInfo(row["file"], (1980, 1, 1, 0, 0, 0))
        entry.create_system, entry.external_attr = 3, 0o644 << 16
        sha = hashlib.sha256()
        try:
            with default_storage.open(row["stored"]) as source, self._packed.open(entry, "w") as to:
                while data := source.read(BLOCK):
                    sha.update(data)
                    to.write(data)
        except FileNotFoundError:
            sha = hashlib.sha256()
        if sha.hexdigest() != row["sha256"]:
            raise Conflict(
                _(
                    "The file “%(name)s” of the task %(task)s is gone from the storage or damaged. "
                    "Bring it back from a backup, or have it removed; nothing was written."
                )
                % {"name": row["name"], "task": row["task"]},
                code="file_damaged",
                data={"task": row["task"], "file": row["name"]},
            )

    def close(self) -> tuple[int, int, str]:
        """Close the archive; return its number of entries, size and hash."""
        self._packed.close()
        with self.path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return len(self._seen), self.path.stat().st_size, digest
