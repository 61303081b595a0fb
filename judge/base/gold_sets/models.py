"""Draws for gold, frozen releases, and the two halves of either."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly
from curation.joining.people import User
from curation.tasks.task.models import Task
from rubrics.versions.models import RubricVersion


class Allocation(models.TextChoices):
    """How a sample is allocated to the strata."""

    PROPORTIONAL = "proportional", _("Proportional to approved tasks")
    EQUAL = "equal", _("Equal")


class GoldDraw(models.Model):
    """A seeded, stratified draw of tasks that get anchors.

    Attributes:
        quotas: stratum -> number, where staff gave their own quotas.
        minimum: strata with fewer approved tasks were set aside; 0 for no minimum.
        set_aside: those strata, as `judge.gold.releases.draw.SetAside.as_dict` writes them.
    """

    size = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    strata = models.CharField(max_length=20, default="domain")
    allocation = models.CharField(max_length=15, choices=Allocation.choices)
    quotas = models.JSONField(null=True, blank=True)
    redistribute = models.BooleanField(default=False)
    minimum = models.PositiveIntegerField(default=0)
    set_aside = models.JSONField(default=list, blank=True)
    created_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)


class GoldDrawItem(models.Model):
    """One task of a draw. `stratum` is the one it was drawn from; "" in old draws."""

    draw = models.ForeignKey(GoldDraw, on_delete=models.PROTECT, related_name="items")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="draws")
    stratum = models.CharField(max_length=130, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["draw", "task"], name="a_draw_holds_a_task_once")
        ]


class GoldRelease(AppendOnly):
    """A frozen, hashed, numbered export.

    Attributes:
        draw: the draw it was frozen from; null if it drew among the anchored tasks itself.
        same_as: the earlier release with the same content. Only rows older than the constraint
            `release_hash_is_unique` have one.
    """

    number = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    strata = models.CharField(max_length=20)
    allocation = models.CharField(max_length=15, choices=Allocation.choices)
    allow_unanchored = models.BooleanField(default=False)
    draw = models.ForeignKey(
        GoldDraw, null=True, blank=True, on_delete=models.PROTECT, related_name="releases"
    )
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
                condition=Q(same_as__isnull=True),
                name="release_hash_is_unique",
            ),
        ]


class GoldItem(AppendOnly):
    """One task of a release, with its stratum ("" in old ones), frozen version and anchor."""

    release = models.ForeignKey(GoldRelease, on_delete=models.PROTECT, related_name="items")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="gold_items")
    version = models.ForeignKey(RubricVersion, on_delete=models.PROTECT, related_name="+")
    anchor = models.ForeignKey(
        "judge.Anchor", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    position = models.PositiveIntegerField()
    stratum = models.CharField(max_length=130, blank=True)
    text_version = models.PositiveIntegerField(default=0)  # of the task's text that was frozen

    class Meta:
        ordering = ("release", "position")
        constraints = [
            models.UniqueConstraint(fields=["release", "task"], name="a_release_holds_a_task_once")
        ]


class GoldException(AppendOnly):
    """A task that was drawn but left out of a release, with staff's reason."""

    release = models.ForeignKey(GoldRelease, on_delete=models.PROTECT, related_name="exceptions")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="gold_exceptions")
    reason = models.TextField()
    state = models.CharField(max_length=20)  # where its anchor stood, as a code

    class Meta:
        ordering = ("release", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["release", "task"], name="a_release_leaves_a_task_out_once"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="an_exception_has_a_reason"),
        ]


class GoldSplit(AppendOnly):
    """A draw or a release was split into a development half and a held-out half.

    Attributes:
        percent: the share of each stratum that is held out.
    """

    draw = models.OneToOneField(
        GoldDraw, null=True, blank=True, on_delete=models.PROTECT, related_name="split"
    )
    release = models.OneToOneField(
        GoldRelease, null=True, blank=True, on_delete=models.PROTECT, related_name="split"
    )
    seed = models.BigIntegerField()
    percent = models.PositiveSmallIntegerField()
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(draw__isnull=False, release__isnull=True)
                | Q(draw__isnull=True, release__isnull=False),
                name="a_split_is_of_a_draw_or_a_release",
            ),
            models.CheckConstraint(
                condition=Q(percent__gte=1, percent__lte=99), name="a_split_leaves_two_halves"
            ),
        ]


class Half(models.TextChoices):
    """The half of a split that a task is in."""

    DEVELOPMENT = "development", _("development half")
    HELD_OUT = "held-out", _("held-out half")


class TaskHalf(AppendOnly):
    """The half of one task, for good.

    A task has one half whatever draws hold it: otherwise what one draw holds out could be tuned on
    through another. `split` is the first one that met the task.
    """

    task = models.OneToOneField(Task, on_delete=models.PROTECT, related_name="half")
    split = models.ForeignKey(GoldSplit, on_delete=models.PROTECT, related_name="tasks")
    half = models.CharField(max_length=12, choices=Half.choices)

    class Meta:
        ordering = ("id",)
        indexes = [models.Index(fields=["half", "task"], name="task_half_task")]
        constraints = [
            models.CheckConstraint(condition=Q(half__in=Half.values), name="a_half_is_known")
        ]


class HalfOpening(AppendOnly):
    """Staff opened the held-out half of a split: from then on its verdicts can be read."""

    split = models.OneToOneField(GoldSplit, on_delete=models.PROTECT, related_name="opening")
    reason = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="an_opening_has_a_reason")
        ]
