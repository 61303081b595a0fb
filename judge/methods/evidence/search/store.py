"""A search over a folder of files with a manifest: for closed use, and for tests.

It never asks a network. What the manifest does not name is not there, a redirection is followed
within the manifest alone, and every copy has the date at which it was fetched.
"""

import hashlib
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin

from django.conf import settings

from judge.methods.evidence.search import index
from judge.methods.evidence.search.addresses import canonical, is_private
from judge.methods.evidence.search.interface import (
    MOST_HITS,
    QUERY_CHARACTERS,
    Gap,
    Hit,
    Note,
    Page,
    Search,
)
from judge.methods.evidence.search.manifest import NAME, Entry, read_manifest
from judge.methods.evidence.search.reading import read_file

HOPS = 5  # redirections that are followed


class DocumentStore(Search):
    """The store in one folder.

    Args:
        folder: with `manifest.jsonl` (see `manifest`) and the files it names.
        index_file: where the index is kept; None for a file in VAR_DIR.
        check_every: seconds for which the folder is taken to be as it was at the last look.
    """

    def __init__(
        self, folder: Path, index_file: Path | None = None, *, check_every: float = 0.0
    ) -> None:
        self.folder = folder
        self._check_every, self._lock = check_every, threading.Lock()
        self._looked: tuple[float, Mapping[str, tuple[Entry, ...]]] | None = None
        name = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
        self.index_file = index_file or settings.VAR_DIR / "search" / f"{name}.sqlite3"

    def find(self, query: str, limit: int = 5) -> Sequence[Hit]:
        """Return the pages that fit best; see `Search`."""
        self._ready()
        return index.find(self.index_file, query[:QUERY_CHARACTERS], max(1, min(limit, MOST_HITS)))

    def page(self, address: str) -> Page:
        """Return what the store has of an address; see `Search`."""
        manifest = self._ready()
        gap, final, hops = _end_of(address, manifest)
        if gap is not None:
            return Page(address, final, "", "", None, (), gap)
        found = index.look_up(self.index_file, final)
        if found is None:
            return Page(address, final, "", "", None, (), Gap.NOT_STORED)
        notes = {*found.notes, Note.REDIRECTED} if hops else found.notes
        return replace(found, address=address, notes=tuple(sorted(notes)))

    def _ready(self) -> Mapping[str, tuple[Entry, ...]]:
        """Return the manifest, after building the index again where a file changed."""
        with self._lock:  # one thread looks, and one alone builds
            if self._looked and time.monotonic() < self._looked[0] + self._check_every:
                return self._looked[1]
            manifest = read_manifest(self.folder)
            fingerprint = self._fingerprint(manifest)
            if not index.is_current(self.index_file, fingerprint):
                index.build(self.index_file, fingerprint, self._pages(manifest))
            self._looked = (time.monotonic(), manifest)
            return manifest

    def edition(self) -> str:
        """Return a hash of the manifest and the sizes of its files: other documents, another one.

        Raises SearchError where the manifest cannot be read.
        """
        manifest = read_manifest(self.folder)
        digest = hashlib.sha256((self.folder / NAME).read_bytes())
        for name in sorted({one.file for copies in manifest.values() for one in copies}):
            path = self.folder / name
            digest.update(f"{name}\0{path.stat().st_size if path.is_file() else -1}\n".encode())
        return digest.hexdigest()

    def _fingerprint(self, manifest: Mapping[str, tuple[Entry, ...]]) -> str:
        digest = hashlib.sha256(f"{index.EDITION}".encode())
        names = {one.file for copies in manifest.values() for one in copies if one.file}
        for name in [NAME, *sorted(names)]:
            try:
                known = (self.folder / name).stat()
                said = f"{name}\0{known.st_size}\0{known.st_mtime_ns}\n"
            except (OSError, ValueError):
                said = f"{name}\0missing\n"
            digest.update(said.encode(errors="surrogateescape"))
        return digest.hexdigest()

    def _pages(self, manifest: Mapping[str, tuple[Entry, ...]]) -> Iterator[Page]:
        for address, copies in sorted(manifest.items()):
            if not copies[0].redirects_to and not is_private(address):
                yield self._page(address, copies)

    def _page(self, address: str, copies: Sequence[Entry]) -> Page:
        """Return the newest copy, with a note if an earlier one has another text."""
        newest = copies[0]
        if newest.status:
            return Page(address, address, "", "", newest.fetched_at, (), Gap.DEAD)
        read = read_file(self.folder, newest.file, newest.charset)
        notes = set(read.notes)
        if newest.sha256 and read.sha256 and newest.sha256 != read.sha256:
            notes.add(Note.ALTERED)
        earlier = (read_file(self.folder, one.file, one.charset) for one in copies[1:] if one.file)
        if any(one.gap is None and one.text != read.text for one in earlier):
            notes.add(Note.CHANGED)
        title = newest.title or read.title
        return Page(
            address, address, title, read.text, newest.fetched_at, tuple(sorted(notes)), read.gap
        )


def _end_of(address: str, manifest: Mapping[str, tuple[Entry, ...]]) -> tuple[Gap | None, str, int]:
    """Return why an address leads nowhere, or None; where it leads; and by how many hops."""
    seen: list[str] = []
    while True:
        if is_private(address):
            return Gap.PRIVATE, address, len(seen)
        here = canonical(address)
        if not here:
            return Gap.NO_WEB_ADDRESS, address, len(seen)
        if here in seen or len(seen) > HOPS:
            return Gap.LOOP, here, len(seen)
        copies = manifest.get(here)
        if not copies or not copies[0].redirects_to:
            return None, here, len(seen)
        seen.append(here)
        try:
            address = urljoin(here, copies[0].redirects_to)
        except ValueError:
            return Gap.NO_WEB_ADDRESS, copies[0].redirects_to, len(seen)
