"""The sources of documents that a run can name: a search by its name.

`local:NAME` is a folder of documents on this server: one of those in `documents/` of VAR_DIR by its
name, or any other by its whole path, which only commands take.
"""

from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from judge.methods.evidence.search.interface import Search, SearchError
from judge.methods.evidence.search.manifest import NAME, read_manifest
from judge.methods.evidence.search.store import DocumentStore

LOCAL = "local:"
CHECK_EVERY = 2.0  # seconds between looks at a folder whose documents many threads read


def source_of(name: str) -> Search | None:
    """Return the search of a name as runs store it; None for ""."""
    if not name:
        return None
    return DocumentStore(folder_of(name), check_every=CHECK_EVERY)


def edition_of(name: str) -> str:
    """Return a hash of what a source holds now; "" for "". Raises SearchError."""
    return DocumentStore(folder_of(name)).edition() if name else ""


def folder_of(name: str) -> Path:
    """Return the folder that a source's name means; a whole path stays as it is."""
    return settings.VAR_DIR / "documents" / name.removeprefix(LOCAL).strip()


def offered_sources() -> list[str]:
    """Return the names of the folders of documents in VAR_DIR, in order."""
    folder = settings.VAR_DIR / "documents"
    if not folder.is_dir():
        return []
    return sorted(f"{LOCAL}{one.name}" for one in folder.iterdir() if (one / NAME).is_file())


def checked_source(name: str) -> str:
    """Return the name of a source as runs store it, after a look at it.

    Raises BadInput for an unknown kind, a folder without documents, and a list of them that cannot
    be read.
    """
    name = name.strip()
    if not name.startswith(LOCAL):
        raise _refused(_("Name a source of documents as local:FOLDER."))
    folder = folder_of(name)
    if not (folder / NAME).is_file():
        raise _refused(
            _("There is no %(file)s in the folder “%(folder)s”.") % {"file": NAME, "folder": folder}
        )
    try:
        read_manifest(folder)
    except SearchError as problem:
        raise _refused(str(problem)) from problem
    return f"{LOCAL}{name.removeprefix(LOCAL).strip()}"


def _refused(sentence: str) -> BadInput:
    return BadInput(sentence, fields={"search": [sentence]}, code="no_documents")
