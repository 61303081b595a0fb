"""Files as pages show them: without who added them and when."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.file_contents.models import FileContent
from curation.base.web.refusals import Denied, Gone, NotFound
from curation.tasks.attachments.content import ACCEPT, ENDINGS, FILES_PER_THING, PICTURES
from curation.tasks.attachments.holders import HOLDERS, Holder, holder_of, holder_of_file
from curation.tasks.attachments.models import Attachment

_WORDS = {  # names of the formats; the same in every language
    ".pdf": "PDF", ".png": "PNG", ".jpg": "JPEG", ".webp": "WebP", ".docx": "Word",
    ".xlsx": "Excel", ".pptx": "PowerPoint", ".csv": "CSV", ".txt": "TXT", ".md": "Markdown",
}  # fmt: skip


@dataclass(frozen=True)
class AttachedFile:
    """A file as its readers see it.

    Attributes:
        kind: the name of the format: PDF, Word, …
        size: with its unit, such as "12 KB".
    """

    pk: int
    name: str
    kind: str
    size: str
    sha256: str
    is_picture: bool = False

    @property
    def url(self) -> str:
        return reverse("attachment", args=[self.pk])

    @property
    def view_url(self) -> str:
        return reverse("attachment-view", args=[self.pk])

    @property
    def picture_url(self) -> str:
        """The address of the picture; "" for a file that is none."""
        return reverse("attachment-picture", args=[self.pk, 1]) if self.is_picture else ""


@dataclass(frozen=True)
class Box:
    """The files of a thing with what this person may do (`components/attachments.html`).

    Attributes:
        thing: its primary key.
        may_change: whether this person can add and remove files now.
        error: why the last upload was refused; "" if it was not.
        unread: the files whose content the worker has not read yet.
        most: the largest number of files.
    """

    kind: str
    thing: int
    files: tuple[AttachedFile, ...]
    blind: bool
    may_change: bool
    error: str = ""
    unread: frozenset[int] = frozenset()
    accept: str = ACCEPT
    most: int = field(default=FILES_PER_THING)

    @property
    def has_room(self) -> bool:
        return len(self.files) < self.most


def files_of(thing: Any) -> tuple[AttachedFile, ...]:
    """Return the files of a thing in the order they were added. One query."""
    return tuple(attached(row) for row in thing.attachments.filter(removed_at__isnull=True))


def attached(row: Attachment) -> AttachedFile:
    """Return a row of the table as its readers see it."""
    ending = ENDINGS.get(row.content_type, "")
    kind = _WORDS.get(ending, row.content_type)
    size = in_words(row.size)
    return AttachedFile(row.pk, row.name, kind, size, row.sha256, ending in PICTURES)


def box_of(user: Any, thing: Any, *, error: str = "") -> Box:
    """Return the files of a thing for its page. Two queries."""
    holder = holder_of(thing)
    files = files_of(thing)
    return Box(
        kind=holder.kind,
        thing=thing.pk,
        files=files,
        unread=_unread(files) if holder.blind else frozenset(),
        blind=holder.blind,
        may_change=holder.may_change(user, thing) and holder.is_open(thing),
        error=error,
    )


def _unread(files: Sequence[AttachedFile]) -> frozenset[int]:
    hashes = {file.sha256 for file in files}
    if not hashes:
        return frozenset()
    read = set(FileContent.objects.filter(sha256__in=hashes).values_list("sha256", flat=True))
    return frozenset(file.pk for file in files if file.sha256 not in read)


def in_words(size: int) -> str:
    """Return a number of bytes in KB or MB."""
    if size < 1000 * 1024:
        return f"{max(1, round(size / 1024))} KB"
    return f"{size / 1024 / 1024:.1f} MB"


def access_attachment(user: Any, pk: int) -> Attachment:
    """Return a file this person may read; missing, removed and hidden ones look the same.

    Raises:
        NotFound: there is none that this person may read.
        Gone: it runs something, so only people who may remove it get it.
    """
    file = _rows().filter(pk=pk, removed_at__isnull=True).first()
    if file is None:
        raise NotFound()
    holder, thing = holder_of_file(file)
    if not holder.may_read(user, thing):
        raise NotFound()
    active = FileContent.objects.filter(sha256=file.sha256, reason="active")
    if holder.blind and not holder.may_change(user, thing) and active.exists():
        raise Gone(
            _(
                "This file runs scripts or holds other files, so it is not given out. Tell the "
                "staff."
            )
        )
    return file


def access_own_attachment(user: Any, pk: int) -> Attachment:
    """Return a file this person owns, removed or not.

    Raises:
        NotFound: no such file, or the person may not read it.
        Denied: the person may read it, but does not own it.
    """
    file = _rows().filter(pk=pk).first()
    if file is None:
        raise NotFound()
    holder, thing = holder_of_file(file)
    if not holder.may_change(user, thing):
        raise Denied() if _readable(holder, user, thing, file) else NotFound()
    return file


def access_to_read(user: Any, kind: str, pk: int) -> Any:
    """Return the thing whose files this person may read.

    Raises:
        NotFound: no such thing, or the person may not read its files.
    """
    holder = HOLDERS[kind]
    thing = holder.model.objects.select_related(*holder.related).filter(pk=pk).first()
    if thing is None or not holder.may_read(user, thing):
        raise NotFound()
    return thing


def access_holder(user: Any, kind: str, pk: int) -> tuple[Holder, Any]:
    """Return the holder and the thing to which the person may add files.

    Raises:
        NotFound: no such thing, or the person may not read its files.
        Denied: the person may read them, but does not own the thing.
    """
    holder = HOLDERS.get(kind)
    if holder is None:
        raise NotFound()
    thing = holder.model.objects.select_related(*holder.related).filter(pk=pk).first()
    if thing is None:
        raise NotFound()
    if not holder.may_change(user, thing):
        raise Denied() if holder.may_read(user, thing) else NotFound()
    return holder, thing


def _readable(holder: Holder, user: Any, thing: Any, file: Attachment) -> bool:
    return file.removed_at is None and holder.may_read(user, thing)


def _rows() -> Any:
    return Attachment.objects.select_related(
        "application__domain", "task__domain", "trial__application__domain"
    )
