"""A search over a folder of files with a manifest: for closed use, and for tests.

It never asks a network. What the manifest does not name is not there, a redirection is followed
within the manifest alone, and every copy has the date at which it was fetched.
"""

import codecs
import hashlib
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urljoin

from django.conf import settings

from curation.base.file_contents.reading import read_unstored
from judge.asking.candidates import steering_rules
from judge.asking.prompts.parts import clean, inline
from judge.methods.evidence.search import html_text, index
from judge.methods.evidence.search.addresses import canonical, is_private
from judge.methods.evidence.search.interface import (
    MOST_HITS,
    PAGE_CHARACTERS,
    QUERY_CHARACTERS,
    Gap,
    Hit,
    Note,
    Page,
    Search,
)
from judge.methods.evidence.search.manifest import NAME, Entry, read_manifest

# Nothing of a file is carried out or fetched; PDF and Word are read in a process of their own
# (`curation.base.file_contents`).


TEXT_BYTES = 5_000_000  # of a text or HTML page that are read
FILE_BYTES = 20_000_000  # of a PDF or Word document; a larger one is not read at all
_TEXTS = {".txt", ".md", ".html", ".htm"}
_FILES = {".pdf", ".docx"}
_META = re.compile(rb"<meta[^<>]{0,300}?charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"),
          (codecs.BOM_UTF16_BE, "utf-16"))  # fmt: skip
# What pages may be in; everything else Python knows under this name (zip, idna) is no encoding.
_ENCODINGS = re.compile(
    r"utf_8|utf_16(_[lb]e)?|gb2312|gbk|gb18030|big5(hkscs)?|shift_jis|euc_jp|euc_kr|cp949|koi8_[ru]"
    r"|iso8859_\d+|cp125\d|ascii"
)
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "iso8859_1": "cp1252", "ascii": "cp1252"}


@dataclass(frozen=True, slots=True)
class Read:
    """What a file says; `gap` is None if and only if there is a text."""

    title: str = ""
    text: str = ""
    notes: tuple[Note, ...] = ()
    gap: Gap | None = None
    sha256: str = ""


def read_file(folder: Path, name: str, charset: str = "") -> Read:
    """Return the text of a file of the store.

    Args:
        name: its path within the folder.
        charset: the encoding that was sent with it; "" if none was.
    """
    root = folder.resolve()
    try:
        path = (root / name).resolve()
        if not path.is_relative_to(root):
            return Read(gap=Gap.OUTSIDE)
        if not path.is_file():
            return Read(gap=Gap.DEAD)
        ending, size = path.suffix.lower(), path.stat().st_size
        if ending not in _TEXTS | _FILES:
            return Read(gap=Gap.UNREADABLE)
        if ending in _FILES and size > FILE_BYTES:
            return Read(gap=Gap.TOO_LARGE)
        with path.open("rb") as file:
            data = file.read(TEXT_BYTES if ending in _TEXTS else FILE_BYTES)
            digest = _digest(path) if size > len(data) else hashlib.sha256(data).hexdigest()
    except (OSError, ValueError):  # too long a name, or one with NUL
        return Read(gap=Gap.UNREADABLE)
    notes = {Note.CUT} if size > len(data) else set()
    if ending in _FILES:
        found = read_unstored(data, ending)
        if found["reason"]:
            gap = Gap.EMPTY if found["reason"] == "empty" else Gap.UNREADABLE
            return Read(gap=gap, sha256=digest)
        notes |= {Note.HIDDEN if what == "hidden" else Note.CUT for what in found["cut"]}
        title, text = "", "\n\n".join(section[-1] for section in found["sections"])
    else:
        text, sure = decoded(data, charset, html=ending in (".html", ".htm"))
        notes |= set() if sure else {Note.ENCODING}
        title = ""
        if ending in (".html", ".htm"):
            title, text, hidden = html_text.seen(text)
            notes |= {Note.HIDDEN} if hidden else set()
    return _cleaned(title, text, notes, digest)


def decoded(data: bytes, charset: str = "", *, html: bool = False) -> tuple[str, bool]:
    """Return a text, and whether its encoding is the one that was named (UTF-8 without a name).

    Otherwise UTF-8, GB 18030 and Windows-1252 are tried in this order: the first that fits counts.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace"), True
    if not charset and html and (meta := _META.search(data[:4096])):
        charset = meta[1].decode("ascii")
    named = _encoding(charset) if charset else "utf_8"
    order = (named, "utf_8", "gb18030")
    if not data.isascii() and not named.startswith("utf_16"):
        order = ("utf_8", named, "gb18030")  # little that is not UTF-8 can be read as it by chance
    for encoding in order:
        if encoding:
            try:
                return _strictly(data, encoding), encoding == named
            except UnicodeDecodeError:
                continue
    return data.decode("cp1252", errors="replace"), False


def _strictly(data: bytes, encoding: str) -> str:
    """Decode without a fault; half a character at the end of what was cut is left out."""
    final = len(data) < TEXT_BYTES
    return codecs.getincrementaldecoder(encoding)().decode(data, final)


def _encoding(name: str) -> str:
    try:
        found = codecs.lookup(name).name.replace("-", "_")
    except (LookupError, ValueError):
        return ""
    return _WIDER.get(found, found) if _ENCODINGS.fullmatch(found) else ""


def _cleaned(title: str, text: str, notes: set[Note], digest: str) -> Read:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > PAGE_CHARACTERS:
        text, notes = text[:PAGE_CHARACTERS], notes | {Note.CUT}
    kinds = {mark.kind for mark in steering_rules.marks(f"{title}\n{text}")}
    if kinds & {steering_rules.INSTRUCTION, steering_rules.VERDICT, steering_rules.FENCE}:
        notes = notes | {Note.INSTRUCTIONS}
    if kinds & {steering_rules.INVISIBLE, steering_rules.DIRECTION}:
        notes = notes | {Note.INVISIBLE}
    text = clean(text).replace("\x00", "").strip()
    if not text:
        return Read(gap=Gap.EMPTY, notes=tuple(sorted(notes)), sha256=digest)
    return Read(inline(title)[:300], text, tuple(sorted(notes)), None, digest)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
