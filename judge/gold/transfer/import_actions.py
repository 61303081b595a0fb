"""Staff upload a file, say what its columns are, have it checked, and import it once."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.core.files.base import File
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.access.permissions import authorize
from curation.base.process.states import move
from curation.base.records.files import (
    JSON_LINES,
    LABELS,
    TableFile,
    UnreadableTableError,
    read_file,
)
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.people import User
from judge.base.queue.send import send
from judge.gold.transfer.carry_out import read_upload
from judge.gold.transfer.import_fields import KINDS, permission_for
from judge.gold.transfer.import_mapping import (
    ColumnMapping,
    by_heads,
    domains_of,
    foreign_values,
    guess,
    missing,
    outline_of,
)
from judge.gold.transfer.import_models import NAME_LIMIT, DataImport, KeptMapping

KEPT = timedelta(days=7)  # how long an upload waits to be imported
OPTIONS = ("new_version", "replace_unstorable")
_ZIP = b"PK\x03\x04"
State = DataImport.State


def size_limit() -> int:
    """Return the largest size of one upload, in bytes."""
    return int(settings.IMPORT_MAX_MB) * 1024 * 1024


@dataclass(frozen=True)
class ReadFiles:
    """The files of an upload, read and found usable.

    Attributes:
        found: the tables in them.
    """

    file: File  # type: ignore[type-arg]
    rubrics: File | None  # type: ignore[type-arg]
    archive: File | None  # type: ignore[type-arg]
    found: TableFile


def read_files(
    *,
    file: File,  # type: ignore[type-arg]
    rubrics: File | None = None,  # type: ignore[type-arg]
    archive: File | None = None,  # type: ignore[type-arg]
) -> ReadFiles:
    """Read what somebody wants to upload. Call it outside of a transaction: it takes its time.

    Args:
        rubrics: a second table, with the lines of the rubrics.
        archive: a ZIP with the files of the tasks.

    Raises:
        BadInput: a file is too large or cannot be read.
    """
    for name, given in (("file", file), ("rubrics", rubrics), ("archive", archive)):
        if given is not None:
            _check_size(name, given)
    found = _read("file", file)
    if rubrics is not None:
        beside = _read("rubrics", rubrics)
        if JSON_LINES in (found.shape, beside.shape):
            raise _refusal("rubrics", _("Rubrics in a file of their own go with tables only."))
        found.sheets.extend(beside.sheets)
    if archive is not None:
        archive.seek(0)
        if archive.read(4) != _ZIP:
            raise _refusal("archive", _("This is no ZIP archive."))
        archive.seek(0)
    return ReadFiles(file, rubrics, archive, found)


@action("import")
@transaction.atomic
def upload(*, actor: Any, kind: str, files: ReadFiles, author: User | None = None) -> DataImport:
    """Keep files until they are imported or expire. Nothing of them is stored in the programme.

    Args:
        author: whose drafts the tasks become.

    Raises:
        BadInput: the author is missing, or a file does not go with what is imported.
        Denied: the person may import other kinds only.
    """
    if actor is not None:
        authorize(actor, permission_for(kind))
    tasks = KINDS[kind].tasks
    if kind == DataImport.Kind.DRAFTS and author is None:
        raise _refusal("author", _("Choose whose drafts the tasks become."))
    beside = {"rubrics": files.rubrics, "archive": files.archive}
    for name, given in beside.items():
        if given is not None and not tasks:
            raise _refusal(name, _("This goes with tasks only."))
    found = files.found
    row = DataImport(
        kind=kind,
        author=author if kind == DataImport.Kind.DRAFTS else None,
        file_name=_name_of(files.file),
        rubrics_name=_name_of(files.rubrics),
        archive_name=_name_of(files.archive),
        size=files.file.size + sum(given.size for given in beside.values() if given is not None),
        sha256=_sha256(files.file),
        shape=found.shape,
        encoding=found.encoding,
        separator=found.separator,
        outline=outline_of(found.sheets),
        by=actor,
        asked_by=actor,
        expires_at=timezone.now() + KEPT,
    )
    with without_leftovers(row):
        row.file.save("", files.file, save=False)
        for name, given in beside.items():
            if given is not None:
                getattr(row, name).save("", given, save=False)
        row.save()
    return row


def _name_of(file: File | None) -> str:  # type: ignore[type-arg]
    if file is None:
        return ""
    clean = storable.one_line(storable.storable(str(file.name or ""))[0])
    return clean[-NAME_LIMIT:] or "file"


def _check_size(name: str, file: File) -> None:  # type: ignore[type-arg]
    if file.size > size_limit():
        said = _("The file is larger than %(n)s MB.") % {"n": settings.IMPORT_MAX_MB}
        raise _refusal(name, f"{said} {_('Import it with the commands (manage.py), or split it.')}")


def _read(name: str, file: File) -> TableFile:  # type: ignore[type-arg]
    file.seek(0)
    try:
        return read_file(file.read(), name=_name_of(file))
    except UnreadableTableError as problem:
        raise _refusal(name, _in_words(problem)) from None
    finally:
        file.seek(0)


def _in_words(problem: UnreadableTableError) -> str:
    if not problem.row:
        return problem.sentence
    return _("Row %(n)s: %(why)s") % {"n": problem.row, "why": problem.sentence}


def _sha256(file: File) -> str:  # type: ignore[type-arg]
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return digest.hexdigest()


def _refusal(name: str, sentence: str) -> BadInput:
    return BadInput(sentence, fields={name: [sentence]})


# --- what the columns are -------------------------------------------------------------------------
@action("import.change", "row")
def set_encoding(*, actor: Any, row: DataImport, encoding: str, revision: int) -> None:
    """Read a text file again in another encoding; its mapping is guessed again.

    Raises:
        BadInput: it cannot be read in it.
        Conflict: somebody changed the import meanwhile.
    """
    if encoding not in LABELS or not row.encoding:
        raise _refusal("encoding", _("Choose one of the encodings."))
    row.encoding = encoding
    try:
        found = read_upload(row)
    except UnreadableTableError as problem:
        raise _refusal("encoding", _in_words(problem)) from None
    _change(
        row,
        revision,
        shape=found.shape,
        encoding=encoding,
        separator=found.separator,
        outline=outline_of(found.sheets),
        mapping=None,
    )


@action("import.change", "row")
@transaction.atomic
def set_mapping(
    *, actor: Any, row: DataImport, mapping: ColumnMapping, revision: int, keep_as: str = ""
) -> bool:
    """Say what the columns and values of a table are; keep it under a name for other files.

    Returns:
        whether every value is known; if not, people are asked about them once more.

    Raises:
        BadInput: a needed field is given by no column.
        Conflict: somebody changed the import meanwhile, or keeps a mapping under this name.
    """
    lacking = missing(row, mapping)
    if lacking:
        names = ", ".join(str(one.label) for one in lacking)
        detail = _("No column and no value gives: %(names)s.") % {"names": names}
        at = [one.key for one in lacking if one.fixed]
        said = [_("No column gives this. Say above which one does, or write it here.")]
        fields = dict.fromkeys(at, said) if len(at) == len(lacking) else {}
        raise BadInput(detail, fields=fields)
    before = ColumnMapping.of(row.mapping) if row.mapping else guess(row)
    asked = {
        (one.field.key, one.value) for one in foreign_values(row, before, domains_of(row.kind))
    }
    unknown = [
        one
        for one in foreign_values(row, mapping, domains_of(row.kind))
        if not one.guessed and (one.field.key, one.value) not in asked
    ]
    name = storable.one_line(keep_as)
    if len(name) > 60:
        raise _refusal("keep_as", _("A name has at most %(n)s characters.") % {"n": 60})
    if name:
        _keep(row, mapping, name, actor)
    _change(row, revision, mapping=mapping.as_json())
    return not unknown


def _keep(row: DataImport, mapping: ColumnMapping, name: str, actor: Any) -> None:
    """Keep a mapping under a name; an own one of the same name is replaced."""
    values = {"heads": by_heads(row, mapping), "by": actor, "at": timezone.now()}
    kept, new = KeptMapping.objects.get_or_create(kind=row.kind, name=name, defaults=values)
    if new:
        return
    if kept.by_id != actor.pk:  # type: ignore[attr-defined]
        whose = kept.by.display_name or str(kept.by)
        raise Conflict(
            _("%(name)s keeps a mapping under this name. Choose another name.") % {"name": whose},
            code="name_taken",
        )
    KeptMapping.objects.filter(pk=kept.pk).update(**values)


@action("import.change", "kept")
def forget_mapping(*, actor: Any, kept: KeptMapping) -> None:
    """Delete a kept mapping."""
    kept.delete()


@action("import.change", "row")
@transaction.atomic
def set_options(*, actor: Any, row: DataImport, options: Mapping[str, Any], revision: int) -> None:
    """Say how to import: a new version of changed rubrics, unstorable characters replaced, …

    Raises:
        BadInput: the reason for a look at held-out tasks is missing.
        Conflict: somebody changed the import meanwhile.
    """
    chosen = {**row.options, **{name: True for name in OPTIONS if options.get(name)}}
    if "held_out_reason" in options:
        reason = str(options["held_out_reason"])
        chosen["held_out_reason"] = required_reason(reason, field="held_out_reason")
    _change(row, revision, options=chosen)


def _change(row: DataImport, revision: int, **values: Any) -> None:
    """Change an import that is prepared; what was found of it no longer holds."""
    with transaction.atomic():
        rows = _as_read(row, revision)
        move(rows, State.OPEN)  # from checked, failed or being checked
        changed = rows.filter(state=State.OPEN).update(
            revision=F("revision") + 1,
            counts={},
            faults=[],
            fault_count=0,
            problem="",
            first_rows=[],
            **values,
        )
        if not changed:
            raise _changed_meanwhile()
    row.refresh_from_db()


def _as_read(row: DataImport, revision: int) -> "QuerySet[DataImport]":
    return DataImport.objects.filter(pk=row.pk, revision=revision).exclude(file="")


def _changed_meanwhile() -> Conflict:
    return Conflict(
        _("Somebody changed this import meanwhile, or it is under way. See how it stands."),
        code="changed_meanwhile",
    )


# --- check and import -----------------------------------------------------------------------------
@action("import.change", "row")
@transaction.atomic
def ask_for_check(*, actor: Any, row: DataImport, revision: int) -> None:
    """Have an upload checked by the worker; a small one is checked by the page itself.

    Raises:
        Conflict: somebody changed the import meanwhile, or it is under way.
    """
    if row.shape != JSON_LINES and row.mapping is None:
        raise Conflict(_("Say first what the columns are."), code="no_mapping")
    _ask(row, revision, State.CHECKING, actor, problem="", lines_read=0)


@action("import.change", "row")
@transaction.atomic
def start_import(*, actor: Any, row: DataImport, revision: int) -> None:
    """Queue the import of an upload without faults. Of two who press at once, one does it.

    Raises:
        Conflict: it has faults, was changed or started meanwhile.
    """
    _ask(row, revision, State.WAITING, actor, problem="", lines_read=0, fault_count=0)


def _ask(row: DataImport, revision: int, to: str, actor: Any, **values: Any) -> None:
    rows = _as_read(row, revision)
    if to == State.WAITING:
        rows = rows.filter(fault_count=0)
    now = timezone.now()
    values |= {"asked_by": actor, "asked_at": now, "ended_at": None}
    if not move(rows, to, revision=F("revision") + 1, **values):
        raise _changed_meanwhile()
    transaction.on_commit(partial(send, "work_on_import", row.pk))
    row.refresh_from_db()


@action("import.change", "row")
def discard(*, actor: Any, row: DataImport, revision: int) -> None:
    """Delete an upload that was not imported.

    Raises:
        Conflict: it is under way or imported, or somebody changed it meanwhile.
    """
    rows = _as_read(row, revision).filter(state__in=(State.OPEN, State.CHECKED, State.FAILED))
    with transaction.atomic():
        files = files_of(row)
        if not rows.delete()[0]:
            raise _changed_meanwhile()
        transaction.on_commit(partial(delete_files, files))


def files_of(row: DataImport) -> list[Any]:
    """Return the storage and name of each file of an upload."""
    return [(one.storage, one.name) for one in (row.file, row.rubrics, row.archive) if one]


@contextmanager
def without_leftovers(row: DataImport) -> Iterator[None]:
    """Delete the files of a new upload if a step fails, with whose transaction it is taken back."""
    try:
        yield
    except BaseException:
        delete_files(files_of(row))
        raise


def delete_files(files: list[Any]) -> None:
    """Delete files from their storage."""
    for storage, name in files:
        storage.delete(name)
