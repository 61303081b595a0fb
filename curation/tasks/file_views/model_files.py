"""What models get of the files of tasks, within the limits of one prompt.

Prompts and the author's page read the same, so the page says exactly what was cut.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from django.core.files.storage import default_storage
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, Subquery

from curation.base.file_contents import limits
from curation.base.file_contents.models import ContentPicture, FileContent
from curation.base.file_contents.reader.found import Section
from curation.tasks.attachments.content import ENDINGS
from curation.tasks.attachments.models import Attachment
from curation.tasks.file_views.read_files import unread_files

_AT_ONCE = 500
_PARTS = {".pdf": "page", ".docx": "figure", ".pptx": "slide", ".xlsx": "sheet"}


@dataclass(frozen=True)
class ModelPicture:
    """A picture as models get it.

    Attributes:
        part: what of its file it is: "page", "figure", "slide" or "sheet"; "" for the file itself.
        label: the number of the page, figure or slide, the name of the sheet.
    """

    part: str
    label: str
    content_type: str
    sha256: str
    size: int
    width: int
    height: int
    stored: str  # its name in the storage

    def read(self) -> bytes:
        """Return its bytes. Raises OSError if it is gone from the storage."""
        with default_storage.open(self.stored) as file:
            return bytes(file.read())


@dataclass(frozen=True)
class ModelFile:
    """A file as models get it.

    Attributes:
        sections: its text, cut to the limits of a prompt.
        cut: what was left out -> (kept, all); all may be None.
        reason: why models cannot read it; "" if they can.
    """

    name: str
    ending: str
    sha256: str
    sections: tuple[Section, ...]
    pictures: tuple[ModelPicture, ...]
    pages: int | None
    cut: dict[str, tuple[int, int | None]] = field(default_factory=dict)
    reason: str = ""
    unread_pictures: int = 0

    @property
    def characters(self) -> int:
        """The length of its text."""
        return sum(len(section.text) for section in self.sections)


@dataclass(frozen=True)
class Needs:
    """What a model must be able to do for a task's files.

    Attributes:
        pictures: how many there are to look at, before the limits of a prompt.
        unread: whether there is a file that no model can read.
        waiting: whether there is a file that the worker has yet to read.
        characters: of the texts, before the limits of a prompt.
    """

    pictures: int = 0
    unread: bool = False
    waiting: bool = False
    characters: int = 0


def needs_of(tasks: Collection[int]) -> dict[int, Needs]:
    """Return the needs of the tasks that have files, without loading a text.

    One query for each 500 tasks.
    """
    wanted = list(tasks)
    content = FileContent.objects.filter(sha256=OuterRef("sha256"), reason="")
    drawn = content.annotate(n=Count("pictures", filter=Q(pictures__for_models=True)))
    found: dict[int, Needs] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        part = wanted[start : start + _AT_ONCE]
        rows = Attachment.objects.filter(task__in=part, removed_at__isnull=True).annotate(
            pictures=Subquery(drawn.values("n")),
            letters=Subquery(content.values("characters")),
            waiting=Exists(unread_files().filter(pk=OuterRef("pk"))),
        )
        for task, pictures, letters, waiting in rows.values_list(
            "task_id", "pictures", "letters", "waiting"
        ):
            assert task is not None  # by the filter
            before = found.get(task, Needs())
            found[task] = Needs(
                before.pictures + (pictures or 0),
                before.unread or (letters is None and not waiting),
                before.waiting or waiting,
                before.characters + (letters or 0),
            )
    return found


def model_files(tasks: Collection[int]) -> dict[int, list[ModelFile]]:
    """Return what models get of the files of each task, in the order they were added.

    Three queries for any number of tasks; tasks without files are not in the result.
    """
    rows: dict[int, list[Attachment]] = defaultdict(list)
    held = Attachment.objects.filter(task__in=list(tasks), removed_at__isnull=True)
    for row in held.order_by("id").only("task_id", "name", "content_type", "sha256"):
        assert row.task_id is not None  # by the filter
        rows[row.task_id].append(row)
    if not rows:
        return {}
    contents = contents_of(row.sha256 for some in rows.values() for row in some)
    return {task: _within_limits(some, contents) for task, some in rows.items()}


def read_picture(sha256: str) -> bytes:
    """Return the bytes of a picture for models. Raises OSError if it is gone."""
    picture = ContentPicture.objects.filter(sha256=sha256).first()
    if picture is None:
        raise FileNotFoundError(sha256)
    with picture.file.open("rb") as file:
        return bytes(file.read())


def contents_of(hashes: Iterable[str]) -> dict[str, FileContent]:
    """Return what was read, by the hash of the content, with the pictures for models."""
    pictures = ContentPicture.objects.filter(for_models=True).order_by("number")
    found = FileContent.objects.filter(sha256__in=set(hashes))
    return {
        content.sha256: content
        for content in found.prefetch_related(Prefetch("pictures", pictures))
    }


def _within_limits(rows: list[Attachment], contents: dict[str, FileContent]) -> list[ModelFile]:
    files = []
    characters, pictures = limits.TASK_CHARACTERS, limits.TASK_PICTURES
    for row in rows:
        content = contents.get(row.sha256)
        if content is None:
            files.append(_file(row, reason="not_read"))
            continue
        sections, characters = _texts(content, characters)
        drawn = list(content.pictures.all())
        kept = drawn[:pictures]
        pictures -= len(kept)
        cut = {what: (kept, of) for what, (kept, of) in content.cut.items()}
        held = sum(len(section.text) for section in sections)
        if held < content.characters:
            cut["characters"] = (held, cut.get("characters", (0, content.characters))[1])
        if len(kept) < len(drawn):
            cut["pictures"] = (len(kept), cut.get("pictures", (0, len(drawn)))[1])
        files.append(
            _file(
                row,
                sections=tuple(sections),
                pictures=tuple(_picture(picture, content.ending) for picture in kept),
                pages=content.pages,
                cut=cut,
                reason=content.reason,
                unread_pictures=content.unread_pictures,
            )
        )
    return files


def _file(row: Attachment, **facts: Any) -> ModelFile:
    ending = ENDINGS.get(row.content_type, "")
    nothing: dict[str, Any] = {"sections": (), "pictures": (), "pages": None}
    return ModelFile(row.name, ending, row.sha256, **{**nothing, **facts})


def _picture(picture: ContentPicture, ending: str) -> ModelPicture:
    return ModelPicture(
        part=_PARTS.get(ending, ""),
        label=picture.place or str(picture.number),
        content_type=picture.content_type,
        sha256=picture.sha256,
        size=picture.size,
        width=picture.width,
        height=picture.height,
        stored=str(picture.file),
    )


def _texts(content: FileContent, left: int) -> tuple[list[Section], int]:
    """Return the sections that still fit, the last one cut, and the characters left."""
    kept = []
    for part in content.parts:
        if left <= 0:
            break
        text = part.text[:left]
        left -= len(text)
        kept.append(Section(part.kind, part.part, part.label, text))
    return kept, left
