"""Files: evidence of an application, materials of a task or of a trial task."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.base.web.fields import LineField
from curation.joining.people import User


def _place(attachment: "Attachment", _name: str) -> str:
    """Return the path in the storage: the content's hash, never the typed name."""
    return f"attachments/{attachment.sha256[:2]}/{attachment.sha256}"


class Attachment(models.Model):
    """A file that belongs to one thing. It is served only as a download."""

    application = models.ForeignKey(
        "curation.Application",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="attachments",
    )
    task = models.ForeignKey(
        "curation.Task",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="attachments",
    )
    trial = models.ForeignKey(
        "curation.Trial",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="attachments",
    )
    uploaded_by = models.ForeignKey(  # null: it came with a task of another benchmark
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    file = models.FileField(upload_to=_place)
    name = LineField(max_length=200)  # as shown and as downloaded
    content_type = models.CharField(max_length=100)  # found in the content, not in the name
    size = models.PositiveIntegerField()  # bytes
    sha256 = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(application__isnull=False, task__isnull=True, trial__isnull=True)
                | Q(application__isnull=True, task__isnull=False, trial__isnull=True)
                | Q(application__isnull=True, task__isnull=True, trial__isnull=False),
                name="an_attachment_belongs_to_one_thing",
            ),
            models.CheckConstraint(
                condition=Q(uploaded_by__isnull=False) | Q(task__isnull=False),
                name="a_persons_file_has_its_person",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def thing(self) -> Any:
        """The application, task or trial the file belongs to."""
        return self.application or self.task or self.trial
