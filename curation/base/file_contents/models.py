"""What was read of a file: its text and pictures, by the hash of the content."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.base.file_contents.reader.found import Section


class FileContent(models.Model):
    """What was read of a content, once for all files that have it.

    It says nothing about who added a file or may read it: pages reach it through a file they may
    read, and it is deleted with the last file of this content.
    """

    sha256 = models.CharField(max_length=64, unique=True)
    ending = models.CharField(max_length=10)
    sections = models.JSONField(default=list)  # [kind, part, label, text] of each `Section`
    characters = models.PositiveIntegerField(default=0)  # of the texts of the sections
    pages = models.PositiveIntegerField(null=True, blank=True)  # null: a file without pages
    cut = models.JSONField(default=dict)  # what -> [kept, all]
    reason = models.CharField(max_length=20, blank=True)  # why nothing was found; "" if it was
    unread_pictures = models.PositiveIntegerField(default=0)  # inside an Office document
    # [place, text] beside the sections (`Found.elsewhere`), searched for the author's name
    elsewhere = models.JSONField(default=list)
    edition = models.PositiveSmallIntegerField(default=1)  # of the reader (`limits.EDITION`)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(reason="") | Q(characters=0),
                name="a_content_that_was_read_has_no_reason",
            )
        ]

    @property
    def parts(self) -> list[Section]:
        """The sections, in the order of the file."""
        return [Section(*part) for part in self.sections]


def _place(picture: "ContentPicture", _name: str) -> str:
    """Return the path in the storage: the hashes of the file and of the picture."""
    sha256 = picture.content.sha256
    return f"pictures/{sha256[:2]}/{sha256}-{picture.number}-{picture.sha256[:16]}"


class ContentPicture(models.Model):
    """A picture of a content, scaled down: itself, a page of a PDF, or one within a document."""

    content = models.ForeignKey(FileContent, on_delete=models.CASCADE, related_name="pictures")
    number = models.PositiveIntegerField()  # the page; within a document, counted from 1; else 1
    place = models.CharField(max_length=60, blank=True)  # number of the slide, name of the sheet
    for_models = models.BooleanField()  # models get it; else it is a page that people looked at
    file: Any = models.FileField(upload_to=_place)
    content_type = models.CharField(max_length=20)
    sha256 = models.CharField(max_length=64)  # of this picture
    size = models.PositiveIntegerField()  # bytes
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()

    class Meta:
        ordering = ("content", "number")
        constraints = [
            models.UniqueConstraint(fields=["content", "number"], name="a_page_has_one_picture")
        ]
