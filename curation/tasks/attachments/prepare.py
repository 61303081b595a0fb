"""A file as it will be stored: examined, without metadata, under a name that names nobody."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.files import File
from django.core.files.base import ContentFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.tasks.attachments import office_files, pictures
from curation.tasks.attachments.content import (
    DOCUMENTS,
    PICTURES,
    TYPES,
    clean_name,
    examine,
    file_refusal,
)
from curation.tasks.attachments.naming import find_words, first_mention, identifying_words

_PLACE_NAMES = {  # by `Named.place`
    "properties": gettext_lazy("properties"),
    "comments": gettext_lazy("comments"),
    "links": gettext_lazy("links"),
    "text": gettext_lazy("text, as tracked changes or paths"),
}


@dataclass(frozen=True)
class PreparedFile:
    """A file that may be stored; `content` is at its beginning."""

    name: str
    ending: str
    content: File  # type: ignore[type-arg]
    size: int
    sha256: str

    @property
    def facts(self) -> dict[str, Any]:
        """The columns of `Attachment` that say what it is."""
        return {
            "name": self.name,
            "content_type": TYPES[self.ending],
            "size": self.size,
            "sha256": self.sha256,
        }


def prepare(
    upload: File,  # type: ignore[type-arg]
    *,
    people: Iterable[Any],
    blind: bool,
) -> PreparedFile:
    """Examine a file and return what is stored of it.

    Args:
        people: whose it is and who adds it; nobody for the task of another benchmark.
        blind: whether its readers must not learn who they are. Then metadata is removed, and the
            words of the names from the name of the file.

    Raises:
        BadInput: the file may not be kept; `fields["file"]` says why.
    """
    examined = examine(upload, name=upload.name or "", size=upload.size)
    words = [word for person in people for word in identifying_words(person)] if blind else []
    if mention := first_mention(examined.people, words):
        named, word = mention
        raise file_refusal(
            _(
                "This document names you: “%(word)s” stands in its %(place)s (“%(name)s”). Those "
                "who read it must not learn who wrote it. Save it without personal details, then "
                "add it again."
            )
            % {"place": _PLACE_NAMES[named.place], "name": named.name[:100], "word": word}
        )
    if parts := [part for part in sorted(examined.parts) if find_words(part.title(), words)]:
        raise file_refusal(
            _(
                "A file inside this document is called “%(name)s”, and those who read it must not "
                "learn who wrote it. Insert it again under another name, then add the document."
            )
            % {"name": parts[0]}
        )
    content = _content(upload, examined.ending, blind=blind)
    return PreparedFile(
        name=clean_name(upload.name or "", examined.ending, hide=words),
        ending=examined.ending,
        content=content,
        size=content.size,
        sha256=_sha256(content),
    )


def _content(upload: File, ending: str, *, blind: bool) -> File:  # type: ignore[type-arg]
    upload.seek(0)
    if blind and ending in PICTURES:
        return ContentFile(pictures.without_metadata(upload.read(), ending))
    if blind and ending in DOCUMENTS:
        return File(office_files.without_metadata(upload))
    return upload


def _sha256(content: File) -> str:  # type: ignore[type-arg]
    total = hashlib.sha256()
    for piece in content.chunks():
        total.update(piece)
    content.seek(0)
    return total.hexdigest()
