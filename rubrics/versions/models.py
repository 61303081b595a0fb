"""Rubric versions and their lines."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly
from curation.joining.people import User
from curation.tasks.task.models import Task
from rubrics.policy.dimensions import MAX_WEIGHT, MIN_WEIGHT, Dimension, Importance


def lines_sha256(lines: Iterable[Sequence[Any]]) -> str:
    """Return the SHA-256 of lines given as (key, text, importance, weight, dimension), in order."""
    content = json.dumps([list(line) for line in lines], ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()


class RubricVersion(models.Model):
    """A numbered set of lines. A frozen version never changes; a task has at most one open one.

    A model's draft is a frozen version of its own.
    """

    class Origin(models.TextChoices):
        DRAFT = "draft", _("Drafted by a model")
        EXPERT = "expert", _("Written by the expert")
        IMPORT = "import", _("Imported")
        ANSWER = "answer", _("Made from the exact answer")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="rubric_versions")
    number = models.PositiveSmallIntegerField()
    origin = models.CharField(max_length=10, choices=Origin.choices)
    drafted_by = models.CharField(max_length=120, blank=True)  # provider and model, for drafts
    created_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    saved_at = models.DateTimeField(default=timezone.now)
    revision = models.PositiveIntegerField(
        default=1
    )  # increases with each step; detects stale saves
    # The version of the task's text it was written for, or last compared with.
    text_version = models.PositiveIntegerField(default=0)
    frozen_at = models.DateTimeField(null=True, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ("task", "number")
        constraints = [
            models.UniqueConstraint(fields=["task", "number"], name="version_number_is_unique"),
            models.UniqueConstraint(
                fields=["task"],
                condition=Q(frozen_at__isnull=True),
                name="one_open_version_per_task",
            ),
            models.CheckConstraint(
                condition=Q(frozen_at__isnull=True, sha256="")
                | (Q(frozen_at__isnull=False) & ~Q(sha256="")),
                name="a_frozen_version_has_a_hash",
            ),
            models.CheckConstraint(
                condition=~Q(origin="draft") | Q(frozen_at__isnull=False),
                name="a_draft_is_never_edited",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task} · {self.number}"

    @property
    def frozen(self) -> bool:
        return self.frozen_at is not None

    def content_sha256(self) -> str:
        """Return the SHA-256 of the lines: key, text, importance, weight, dimension, in order."""
        return lines_sha256(
            self.criteria.order_by("position", "id").values_list(
                "key", "text", "importance", "weight", "dimension"
            )
        )


class Criterion(models.Model):
    """One line of a rubric: a single TRUE/FALSE statement about a response."""

    class Provenance(models.TextChoices):
        DRAFT = "draft", _("draft")  # of a model's draft, or kept from it unchanged
        EDITED = "edited", _("edited")
        ADDED = "added", _("mine")
        IMPORTED = "imported", _("imported")
        COPIED = "copied", _("copied")  # from another rubric of the same author
        ANSWER = "answer", _("from the answer")

    version = models.ForeignKey(RubricVersion, on_delete=models.PROTECT, related_name="criteria")
    key = models.CharField(max_length=80)  # identifies the line across versions
    position = models.PositiveIntegerField()
    text = models.TextField()
    importance = models.CharField(max_length=10, choices=Importance.choices)
    weight = models.PositiveIntegerField()
    dimension = models.CharField(max_length=30, choices=Dimension.choices)
    provenance = models.CharField(
        max_length=10, choices=Provenance.choices, default=Provenance.ADDED
    )
    source = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="derived"
    )  # the draft line it came from
    quote = models.TextField(blank=True)  # the passage of the reference answer it rests on
    copied_from = models.ForeignKey(
        Task, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )  # the author's task from which it was copied; not shown to reviewers
    external = models.BooleanField(default=False)  # another benchmark's line: any positive weight

    class Meta:
        ordering = ("position", "id")
        verbose_name_plural = "criteria"
        constraints = [
            models.UniqueConstraint(fields=["version", "key"], name="line_key_is_unique"),
            models.CheckConstraint(
                condition=Q(weight__gte=MIN_WEIGHT)
                & (Q(external=True) | Q(weight__lte=MAX_WEIGHT)),
                name="weights_run_from_1_to_10",
            ),
            models.CheckConstraint(
                condition=Q(importance__in=Importance.values), name="importance_is_known"
            ),
            models.CheckConstraint(
                condition=Q(dimension__in=Dimension.values), name="dimension_is_known"
            ),
            models.CheckConstraint(
                condition=Q(copied_from__isnull=True) | Q(provenance="copied"),
                name="only_a_copied_line_was_copied",
            ),
        ]

    def __str__(self) -> str:
        return self.text


class LineChange(AppendOnly):
    """One recorded step on a working version, with its lines before and after.

    Undo reads it, and it stores the author's reasons. Lines are stored as values (see
    `rubrics.lines.history.snapshot`), because a removed line has no row.
    """

    class Kind(models.TextChoices):
        EDITED = "edited", _("Line edited")
        ADDED = "added", _("Line added")
        REMOVED = "removed", _("Line removed")
        MOVED = "moved", _("Line moved")
        SPLIT = "split", _("Line split")
        MERGED = "merged", _("Lines merged")
        BROUGHT_BACK = "brought_back", _("Line brought back")
        COPIED = "copied", _("Lines copied")
        PASSAGE = "passage", _("Passage chosen")
        TAKEN = "taken", _("Lines taken from a draft")
        IMPORTED = "imported", _("File imported")
        SUGGESTED = "suggested", _("Suggestion taken")
        DECIDED = "decided", _("Line decided by a senior")
        CONFIRMED = "confirmed", _("Line read and kept")
        REASON = "reason", _("Reason given")
        UNDONE = "undone", _("Step undone")

    version = models.ForeignKey(RubricVersion, on_delete=models.PROTECT, related_name="changes")
    revision = models.PositiveIntegerField()  # of the version, after this step
    key = models.CharField(max_length=80)  # of the line; blank for several lines
    kind = models.CharField(max_length=12, choices=Kind.choices)
    before = models.JSONField(default=list, blank=True)
    after = models.JSONField(default=list, blank=True)
    reason = models.TextField(blank=True)
    undoes = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="undone_by"
    )  # one-to-one: a step can be undone only once
    actor = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)
        indexes = [models.Index(fields=["version", "key"], name="change_version_key")]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="undone", undoes__isnull=False)
                | (~Q(kind="undone") & Q(undoes__isnull=True)),
                name="only_an_undo_undoes",
            )
        ]

    @property
    def keys(self) -> list[str]:
        """Keys of the lines the step is about."""
        return list(dict.fromkeys(kept["key"] for kept in [*self.after, *self.before]))

    @property
    def description(self) -> str:
        """What was done, in words, with the number of lines if there are several."""
        count = max(len(self.before), len(self.after))
        together = {
            self.Kind.EDITED: gettext("%(n)s lines edited"),
            self.Kind.ADDED: gettext("%(n)s lines added"),
            self.Kind.REMOVED: gettext("%(n)s lines removed"),
            self.Kind.MOVED: gettext("%(n)s lines moved"),
        }
        if count > 1 and self.kind in together:
            return together[self.Kind(self.kind)] % {"n": count}
        return str(self.get_kind_display())
