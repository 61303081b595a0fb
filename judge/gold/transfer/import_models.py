"""Uploads of tasks, responses and scores: prepared, checked, imported once, and kept as a list."""

import secrets
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.process.states import Stateful
from curation.base.web.fields import LineField
from curation.joining.people import User

NAME_LIMIT = 200  # of a file


def _place(_row: "DataImport", _name: str) -> str:
    """Return a path in the storage that nobody can guess; the typed name is no part of it."""
    return f"imports/{secrets.token_hex(16)}"


class DataImport(Stateful):
    """An upload on its way into the programme. Until it is imported, nothing of it is stored.

    An upload that is never imported expires: its row and files are deleted. One that was imported
    keeps its row, without files.
    """

    class Kind(models.TextChoices):
        EXTERNAL = "external", _("Tasks of another benchmark")
        DRAFTS = "drafts", _("Drafts of an expert")
        RESPONSES = "responses", _("Responses")
        SCORES = "scores", _("Scores")

    class State(models.TextChoices):
        OPEN = "open", _("being prepared")
        CHECKING = "checking", _("being checked")
        CHECKED = "checked", _("checked")
        WAITING = "waiting", _("being imported")
        DONE = "done", pgettext_lazy("an upload", "imported")
        FAILED = "failed", _("not imported")

    moves = {
        State.OPEN: (State.CHECKING,),
        State.CHECKING: (State.CHECKED, State.OPEN),
        State.CHECKED: (State.OPEN, State.CHECKING, State.WAITING),
        State.WAITING: (State.DONE, State.FAILED),
        State.FAILED: (State.OPEN, State.CHECKING),
    }

    kind = models.CharField(max_length=10, choices=Kind.choices)
    author = models.ForeignKey(  # whose drafts the tasks become
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    file_name = LineField(max_length=NAME_LIMIT)
    file: Any = models.FileField(upload_to=_place, blank=True)  # "" after the import
    size = models.PositiveBigIntegerField()  # bytes
    sha256 = models.CharField(max_length=64)
    # A second table with the lines of the rubrics, and an archive of the tasks' files.
    rubrics_name = LineField(max_length=NAME_LIMIT, blank=True)
    rubrics: Any = models.FileField(upload_to=_place, blank=True)
    archive_name = LineField(max_length=NAME_LIMIT, blank=True)
    archive: Any = models.FileField(upload_to=_place, blank=True)
    shape = models.CharField(max_length=5)  # of `curation.base.records.files`
    encoding = models.CharField(max_length=10, blank=True)
    separator = models.CharField(max_length=1, blank=True)
    outline = models.JSONField(default=list)  # of each sheet: see `outline.py`
    mapping = models.JSONField(null=True, blank=True)  # see `mapping.py`; null: not chosen yet
    options = models.JSONField(default=dict)  # of the import: new_version, …
    revision = models.PositiveIntegerField(default=1)  # rises with each change before the import
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    lines_read = models.PositiveIntegerField(default=0)  # of the check or import under way
    # added, unchanged, changed, revised; names of new domains and categories
    counts = models.JSONField(default=dict)
    faults = models.JSONField(default=list)  # the first of them: row, column, field, sentence
    fault_count = models.PositiveIntegerField(default=0)
    first_rows = models.JSONField(default=list)  # as they will look: [[key, text], …] of each
    problem = models.TextField(blank=True)  # why it was not imported, where no fault says so
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    # Who asked for the check or import that is under way, or was the last.
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="drafts", author__isnull=False)
                | (~Q(kind="drafts") & Q(author__isnull=True)),
                name="imported_drafts_have_an_author",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=("waiting", "done")) | Q(fault_count=0),
                name="nothing_with_faults_is_imported",
            ),
            models.CheckConstraint(
                condition=Q(state__in=("done", "failed"), ended_at__isnull=False)
                | ~Q(state__in=("done", "failed")),
                name="an_import_that_ended_says_when",
            ),
            models.CheckConstraint(
                condition=~Q(file="") | Q(state__in=("done", "failed")),
                name="an_import_needs_its_file_until_it_has_ended",
            ),
        ]

    def __str__(self) -> str:
        return self.file_name


class KeptMapping(models.Model):
    """A mapping that staff keep under a name for the next file of the same form."""

    kind = models.CharField(max_length=10, choices=DataImport.Kind.choices)
    name = LineField(max_length=60)
    heads = models.JSONField()  # the mapping by the names of columns and sheets
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "name"], name="a_kept_mapping_has_its_name_once"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="a_kept_mapping_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name
