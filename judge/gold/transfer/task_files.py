"""Files of imported tasks: found in a folder beside the lines, checked, and stored with them."""

import io
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Annotated, Any

from django.core.files import File
from django.utils.translation import gettext as _
from pydantic import AfterValidator, model_validator

from curation.base.records.faults import Faults
from curation.base.records.json_lines import Line, Record, accepted, quoted
from curation.base.records.kind import in_parts
from curation.base.web.refusals import BadInput
from curation.tasks.attachments.actions import add_imported, delete_unless_shared
from curation.tasks.attachments.content import FILES_PER_THING, free_name, size_limit
from curation.tasks.attachments.prepare import PreparedFile, prepare
from curation.tasks.task.models import Task

ARCHIVE = "attachments.zip"  # of a gold release


def folder_beside(path: str | Path) -> Path:
    """Return the folder of the files that belong to a file of tasks: `t.jsonl` -> `t-files`."""
    whole = Path(path)
    return whole.with_name(f"{whole.stem}-files")


def _inside(name: str) -> str:
    """Accept the path of a file within the folder, written with slashes."""
    steps = PurePosixPath(name).parts
    outside = name.startswith("/") or ".." in steps or "\\" in name or not name.isprintable()
    if outside or not steps:
        raise ValueError(
            _("This must be the path of a file within the folder of files: a/plan.png.")
        )
    return name


class FileLine(Line):
    """A file of a task: its path in the folder, or an object with the path and a name."""

    file: Annotated[str, AfterValidator(_inside)]
    name: Annotated[
        str, AfterValidator(lambda name: accepted(name, None if name.strip() else _("No name.")))
    ] = ""

    @model_validator(mode="before")
    @classmethod
    def _from_path(cls, given: Any) -> Any:
        return {"file": given} if isinstance(given, str) else given


@dataclass(frozen=True)
class FoundFile:
    """A file as it will be stored: its path in the folder, under which name, with which content."""

    inside: str
    name: str
    sha256: str

    @property
    def mark(self) -> list[str]:
        """What tells it from another file."""
        return [self.name, self.sha256]


def stored_marks(task: Task) -> list[list[str]]:
    """Return the marks of a stored task's files, in the order of the file."""
    rows = task.attachments.filter(removed_at__isnull=True).order_by("pk")
    return [[name, sha256] for name, sha256 in rows.values_list("name", "sha256")]


class FileFolder:
    """The files that a file of tasks names: a folder, or a release's archive.

    Args:
        path: None for the folder beside the tasks, or a release's archive there.
        author: the author of own tasks; None for tasks of another benchmark.
    """

    def __init__(self, tasks: str | Path, path: str | Path | None, *, author: Any) -> None:
        archive = Path(tasks).with_name(ARCHIVE)
        self.path = Path(path) if path else folder_beside(tasks)
        if not path and not self.path.exists() and archive.is_file():
            self.path = archive
        self.author = author

    def check(self, record: Record, faults: Faults) -> tuple[FoundFile, ...] | None:
        """Examine the files of a line; add a fault for each that cannot be stored.

        Returns:
            None if the line says nothing of files.
        """
        listed = record.get("files")
        if listed is None:
            return None
        if len(listed) > FILES_PER_THING:
            sentence = _("A task has at most %(n)s files.") % {"n": FILES_PER_THING}
            faults.add(record.line, "files", sentence)
            return ()
        found: list[FoundFile] = []
        for number, entry in enumerate(listed, start=1):
            given = entry if isinstance(entry, dict) else {"file": entry}
            inside = given["file"]
            try:
                ready = self.prepared(inside, given.get("name") or PurePosixPath(inside).name)
            except BadInput as refusal:
                reasons = refusal.fields.get("file") or [refusal.detail]
                sentence = f"{quoted(inside, limit=80)}: {reasons[0]}"
                faults.add(record.line, f"files[{number}]", sentence)
                continue
            name = free_name(ready.name, {file.name for file in found})
            found.append(FoundFile(inside, name, ready.sha256))
            ready.content.close()
        return tuple(found)

    def prepared(self, inside: str, name: str) -> PreparedFile:
        """Open and examine a file.

        Raises:
            BadInput: it is not there, cannot be read, or may not be kept.
        """
        try:
            content = self._packed(inside) if self.path.is_file() else self._open(inside)
        except (OSError, KeyError, zipfile.BadZipFile) as problem:
            raise BadInput(
                _("There is no such file in %(folder)s, or it cannot be read (%(why)s).")
                % {"folder": quoted(self.path.name), "why": type(problem).__name__}
            ) from None
        people = [] if self.author is None else [self.author]
        return prepare(File(content, name=name), people=people, blind=True)

    def _open(self, inside: str) -> IO[bytes]:
        path = self.path / inside
        if not path.resolve().is_relative_to(self.path.resolve()):  # a link that leads out of it
            raise BadInput(_("It leads out of the folder of files."))
        return path.open("rb")

    def _packed(self, inside: str) -> IO[bytes]:
        with zipfile.ZipFile(self.path) as archive:
            if archive.getinfo(inside).file_size > size_limit():
                raise BadInput(_("It is larger than files may be here."))
            return io.BytesIO(archive.read(inside))


@dataclass
class StoredFiles:
    """The files an import has stored so far; their contents go if it is rolled back."""

    folder: FileFolder
    tasks: list[int] = field(default_factory=list)
    _contents: list[str] = field(default_factory=list)

    def add(self, files: Mapping[str, tuple[FoundFile, ...]]) -> None:
        """Store the files of new tasks, in the transaction of the import.

        Args:
            files: by the keys of the tasks.

        Raises:
            BadInput: a file has changed since it was checked.
            Conflict: the author's files would take up more than they may.
        """
        keys = list(files)
        for part in in_parts(keys):
            for task in Task.objects.filter(key__in=part):
                self.tasks.append(task.pk)
                for file in files[task.key]:
                    self._add(task, file)

    def _add(self, task: Task, file: FoundFile) -> None:
        ready = self.folder.prepared(file.inside, file.name)
        if ready.sha256 != file.sha256:
            raise BadInput(_("%(name)s changed while it was read.") % {"name": file.name})
        row = add_imported(task=task, ready=ready, author=self.folder.author)
        ready.content.close()
        self._contents.append(str(row.file.name))

    @contextmanager
    def without_leftovers(self) -> Iterator[None]:
        """Delete the contents that no file has after an attempt that was rolled back."""
        try:
            yield
        finally:
            delete_unless_shared(self._contents)
