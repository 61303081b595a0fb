"""Pools of profiles, what a selection task demands, and the outcome in the real world."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.process.history import AppendOnly, reasoned
from curation.base.web.fields import LineField
from curation.joining.people import User
from curation.tasks.task.models import Task
from rubrics.versions.models import Criterion

OUTCOME_KIND = "outcome"  # of a rater, beside "expert" and "judge"


class ProfilePool(models.Model):
    """A table of profiles that responses choose from. It is imported; nothing crawls for it."""

    key = models.CharField(_("Key"), max_length=60)
    name = LineField(pgettext_lazy("of a thing", "Name"), max_length=200)
    description = models.TextField(_("Description"), blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("key",)
        constraints = [
            models.UniqueConstraint(fields=["key"], name="pool_key_is_unique"),
            models.CheckConstraint(condition=~Q(key="") & ~Q(name=""), name="a_pool_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class Profile(models.Model):
    """A profile of a pool.

    Attributes:
        key: names it in files, unique in its pool.
        link_key, name_key: what responses are matched by (`judge.methods.profiles.links`).
        facts: name of a fact -> its value, from the file's own columns.
    """

    pool = models.ForeignKey(ProfilePool, on_delete=models.PROTECT, related_name="profiles")
    key = models.CharField(max_length=120)
    name = LineField(max_length=200)
    link = models.CharField(max_length=2000, blank=True)
    text = models.TextField(blank=True)
    facts = models.JSONField(default=dict, blank=True)
    link_key = models.CharField(max_length=2000, blank=True)
    name_key = models.CharField(max_length=400)

    class Meta:
        ordering = ("key",)
        constraints = [
            models.UniqueConstraint(fields=["pool", "key"], name="profile_key_is_unique_in_pool"),
            models.UniqueConstraint(
                fields=["pool", "link_key"],
                condition=~Q(link_key=""),
                name="profile_link_is_unique_in_pool",
            ),
            models.CheckConstraint(
                condition=~Q(key="") & ~Q(name=""), name="a_profile_has_key_and_name"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class PoolImport(AppendOnly):
    """One import into a pool that added or changed something.

    Attributes:
        before: key -> name, link, text and facts of each changed profile before it.
        by: None for a command.
    """

    pool = models.ForeignKey(ProfilePool, on_delete=models.PROTECT, related_name="imports")
    file_name = LineField(max_length=200)
    added = models.PositiveIntegerField()
    changed = models.PositiveIntegerField()
    unchanged = models.PositiveIntegerField()
    before = models.JSONField(default=dict)
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(added__gt=0) | Q(changed__gt=0), name="an_import_brings_something"
            ),
        ]


class Selection(models.Model):
    """What a selection task asks for: so many profiles of a pool.

    Attributes:
        number: only the first entries of a response count, as many as this.
        what: the things to choose, in the plural and in the task's language: "creators".
    """

    task = models.OneToOneField(Task, on_delete=models.PROTECT, related_name="selection")
    pool = models.ForeignKey(ProfilePool, on_delete=models.PROTECT, related_name="selections")
    number = models.PositiveSmallIntegerField()
    what = LineField(max_length=60)
    set_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(number__gte=1), name="a_selection_demands_at_least_one_profile"
            ),
            models.CheckConstraint(condition=~Q(what=""), name="a_selection_demands_something"),
        ]


class RealOutcome(AppendOnly):
    """Which profiles were really chosen for a task, by whom. The newest of a rater counts.

    It is a rater's statement of the kind "outcome", as a sheet is one of the kind "expert".
    Neither candidates nor judges nor scorers get to see it.

    Attributes:
        rater: who chose, such as "client".
        reason: why it was entered or changed; an import names its file.
        set_by: None for a command.
    """

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="real_outcomes")
    rater = LineField(max_length=120)
    number = models.PositiveIntegerField()
    reason = models.TextField()
    set_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-number",)
        constraints = [
            models.UniqueConstraint(
                fields=["task", "number"], name="real_outcomes_are_set_one_by_one"
            ),
            models.CheckConstraint(condition=~Q(rater=""), name="a_real_outcome_has_a_rater"),
            reasoned("a_real_outcome_has_a_reason"),
        ]


class ChosenProfile(AppendOnly):
    """A profile of a real outcome."""

    outcome = models.ForeignKey(RealOutcome, on_delete=models.PROTECT, related_name="chosen")
    profile = models.ForeignKey(Profile, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(fields=["outcome", "profile"], name="a_profile_is_chosen_once"),
        ]


class ConditionReason(AppendOnly):
    """Why a model drafted a condition, beside the line of the draft."""

    criterion = models.OneToOneField(Criterion, on_delete=models.PROTECT, related_name="condition")
    reason = models.TextField()
