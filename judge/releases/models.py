"""Draws for gold, and frozen releases."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.people.models import User
from curation.process.history import AppendOnly
from curation.tasks.models import Task
from judge.anchors.models import Anchor
from rubrics.versions.models import RubricVersion


class Allocation(models.TextChoices):
    """How a sample is allocated to the strata."""

    PROPORTIONAL = "proportional", _("Proportional to approved tasks")
    EQUAL = "equal", _("Equal")


class GoldDraw(models.Model):
    """A seeded, stratified draw of tasks that get anchors."""

    size = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    strata = models.CharField(max_length=20, default="domain")
    allocation = models.CharField(max_length=15, choices=Allocation.choices)
    created_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)


class GoldDrawItem(models.Model):
    """One task of a draw."""

    draw = models.ForeignKey(GoldDraw, on_delete=models.PROTECT, related_name="items")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="draws")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["draw", "task"], name="a_draw_holds_a_task_once")
        ]


class GoldRelease(AppendOnly):
    """A frozen, hashed, numbered export.

    Attributes:
        same_as: the earlier release with the same content. Only rows older than the constraint
            `release_hash_is_unique` have one.
    """

    number = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    strata = models.CharField(max_length=20)
    allocation = models.CharField(max_length=15, choices=Allocation.choices)
    allow_unanchored = models.BooleanField(default=False)
    manifest = models.JSONField()
    sha256 = models.CharField(max_length=64)
    same_as = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-number",)
        constraints = [
            models.UniqueConstraint(fields=["number"], name="release_number_is_unique"),
            models.UniqueConstraint(
                fields=["sha256"],
                condition=models.Q(same_as__isnull=True),
                name="release_hash_is_unique",
            ),
        ]


class GoldItem(AppendOnly):
    """One task of a release, with the version and anchor that were frozen."""

    release = models.ForeignKey(GoldRelease, on_delete=models.PROTECT, related_name="items")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="gold_items")
    version = models.ForeignKey(RubricVersion, on_delete=models.PROTECT, related_name="+")
    anchor = models.ForeignKey(
        Anchor, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    position = models.PositiveIntegerField()
    text_version = models.PositiveIntegerField(default=0)  # of the task's text that was frozen

    class Meta:
        ordering = ("release", "position")
        constraints = [
            models.UniqueConstraint(fields=["release", "task"], name="a_release_holds_a_task_once")
        ]
