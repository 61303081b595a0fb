"""The skills library of a domain: labels at three levels, labels of tasks, hours of work.

The levels are those of JADE (section 3.1): intent, information need, constraint. A label is one
skill; its checkpoints are the rubric of a task of origin "skill".
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from curation.base.process.states import Stateful
from curation.joining.domains.models import Category, Change, Domain, Named
from curation.tasks.task.models import Task

MOST_HOURS = 200  # in one entry


class Level(models.IntegerChoices):
    """The three levels of the taxonomy, from the widest to the narrowest."""

    INTENT = 1, _("Intent")
    NEED = 2, _("Information need")
    CONSTRAINT = 3, _("Constraint")


class SkillLabel(Named):
    """A label of a domain's taxonomy; `skill` is the task with its checkpoints, once written."""

    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="skill_labels")
    level = models.PositiveSmallIntegerField(choices=Level.choices)
    description = models.TextField(blank=True)
    description_zh = models.TextField(blank=True)
    position = models.PositiveSmallIntegerField(default=0)  # within its level
    # One-to-one: a label has at most one skill, and a skill belongs to one label.
    skill = models.OneToOneField(
        Task, null=True, blank=True, on_delete=models.PROTECT, related_name="skill_label"
    )
    # {"by", "tasks", "lines"} of a skill that was summarised from the rubrics of so many tasks and
    # not written by experts; null for one that people wrote.
    summary = models.JSONField(null=True, blank=True)
    retired_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)  # refuses stale saves

    class Meta:
        ordering = ("domain", "level", "position", "pk")
        constraints = [
            models.UniqueConstraint(
                fields=["domain", "key"], name="skill_label_key_is_unique_in_its_domain"
            ),
            models.CheckConstraint(
                condition=Q(level__in=Level.values), name="a_skill_label_is_at_a_known_level"
            ),
            models.CheckConstraint(
                condition=Q(summary__isnull=True) | Q(skill__isnull=False),
                name="what_is_summarised_is_a_skill",
            ),
        ]

    @property
    def described(self) -> str:
        """The description in the reader's language; the English one where there is no other."""
        chinese = (get_language() or "").startswith("zh")
        return (self.description_zh if chinese else "") or self.description


class CategorySuitability(models.Model):
    """Whether answers of a category can be judged openly, as staff say; no row: not said yet."""

    class Verdict(models.TextChoices):
        SUITABLE = "suitable", _("Suitable")
        PARTLY = "partly", _("Only partly suitable")
        UNSUITABLE = "unsuitable", _("Unsuitable")

    category = models.OneToOneField(
        Category, on_delete=models.PROTECT, related_name="open_judgement"
    )
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    reason = models.TextField()
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    set_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "category suitabilities"
        constraints = [
            models.CheckConstraint(
                condition=Q(verdict__in=["suitable", "partly", "unsuitable"]) & ~Q(reason=""),
                name="suitability_is_said_with_a_reason",
            )
        ]


class SkillChange(Change):
    """One change of a taxonomy: who, when, from what to what. Written once, never changed."""

    class Kind(models.TextChoices):
        ADDED = "added"
        CHANGED = "changed"
        RETIRED = "retired"
        RESTORED = "restored"
        SKILL = "skill"  # its skill was begun
        SUITABILITY = "suitability"

    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="skill_changes")
    label = models.ForeignKey(
        SkillLabel, null=True, on_delete=models.PROTECT, related_name="changes"
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)

    class Meta(Change.Meta):
        constraints = [
            models.CheckConstraint(
                condition=~Q(kind="retired") | ~Q(reason=""), name="a_retired_label_has_a_reason"
            )
        ]


class LabelOnTask(models.Model):
    """A label that stands on a task, or stood there: given by a person, or confirmed by one."""

    class How(models.TextChoices):
        ANNOTATED = "annotated", _("given by a person")
        CONFIRMED = "confirmed", _("proposed by a model, confirmed by a person")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="skill_labels")
    label = models.ForeignKey(SkillLabel, on_delete=models.PROTECT, related_name="on_tasks")
    how = models.CharField(max_length=10, choices=How.choices)
    given_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    given_at = models.DateTimeField(default=timezone.now)
    removed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.UniqueConstraint(
                fields=["task", "label"],
                condition=Q(removed_at__isnull=True),
                name="a_label_stands_once_on_a_task",
            ),
            models.CheckConstraint(
                condition=Q(how__in=["annotated", "confirmed"]), name="how_a_label_came_is_known"
            ),
            models.CheckConstraint(
                condition=Q(removed_at__isnull=True) | Q(removed_at__gte=F("given_at")),
                name="a_label_is_removed_after_it_was_given",
            ),
        ]


class ProposalRound(models.Model):
    """One reading of a task by a model; without proposals where it proposed no label."""

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="proposal_rounds")
    model = models.CharField(max_length=160)  # provider and model
    by_rule = models.BooleanField(default=False)  # the offline rules, not a model
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("pk",)


class LabelProposal(Stateful):
    """A label that a model proposes for a task. It counts only once a person confirms it."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waits for a person")
        CONFIRMED = "confirmed", _("confirmed")
        REJECTED = "rejected", _("rejected")

    moves = {State.WAITING: (State.CONFIRMED, State.REJECTED)}

    round = models.ForeignKey(ProposalRound, on_delete=models.PROTECT, related_name="proposals")
    label = models.ForeignKey(SkillLabel, on_delete=models.PROTECT, related_name="proposals")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.UniqueConstraint(
                fields=["round", "label"], name="a_label_is_proposed_once_in_a_round"
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", decided_at__isnull=True)
                | Q(state__in=["confirmed", "rejected"], decided_at__isnull=False),
                name="a_decided_proposal_says_when",
            ),
        ]


class EffortEntry(models.Model):
    """Hours that a person worked on a skill, as staff entered them."""

    label = models.ForeignKey(SkillLabel, on_delete=models.PROTECT, related_name="effort")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="skill_hours"
    )
    hours = models.DecimalField(max_digits=5, decimal_places=2)
    note = models.TextField(blank=True)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)
    taken_back_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)
        constraints = [
            models.CheckConstraint(
                condition=Q(hours__gt=0, hours__lte=MOST_HOURS), name="hours_of_work_are_in_range"
            )
        ]
