"""Checklists of tasks: layer 1 of JADE (section 3.2, equations 1 to 3).

A checklist is composed from the skills that a task's labels activate. While it is proposed it has
no lines of its own: they follow from labels, skills and what people overruled. They are written
down when it is put in use, and never change from then on.
"""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly
from curation.base.process.states import Stateful
from curation.joining.people import User
from curation.tasks.skills.models import SkillLabel
from curation.tasks.task.models import Task
from rubrics.policy.checkpoints import ESSENTIAL, FLAW, ORDINARY
from rubrics.versions.models import Criterion


class QueryChecklist(Stateful):
    """A checklist of a task. At most one of them is proposed, and at most one is in use.

    Attributes:
        on_text: the version of the task's text when it was put in use.
        sha256: of its lines; "" until it is put in use.
    """

    class State(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        IN_USE = "in_use", _("in use")
        REPLACED = "replaced", _("replaced")
        DROPPED = "dropped", _("dropped")

    moves = {
        State.PROPOSED: (State.IN_USE, State.DROPPED),
        State.IN_USE: (State.REPLACED,),
    }

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="query_checklists")
    number = models.PositiveIntegerField()  # of the task
    state = models.CharField(max_length=10, choices=State.choices, default=State.PROPOSED)
    proposed_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )  # null: on the command line
    proposed_at = models.DateTimeField(default=timezone.now)
    used_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )  # who put it in use; null: on the command line
    used_at = models.DateTimeField(null=True, blank=True)
    on_text = models.PositiveIntegerField(null=True, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    ended_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )  # who replaced or dropped it
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("task", "-number")
        constraints = [
            models.UniqueConstraint(
                fields=["task", "number"], name="checklists_of_a_task_are_numbered"
            ),
            models.UniqueConstraint(
                fields=["task"],
                condition=Q(state="proposed"),
                name="one_proposed_checklist_for_each_task",
            ),
            models.UniqueConstraint(
                fields=["task"],
                condition=Q(state="in_use"),
                name="one_checklist_in_use_for_each_task",
            ),
            models.CheckConstraint(
                condition=Q(state="proposed", used_at=None, sha256="", ended_at=None)
                | Q(state="dropped", used_at=None, sha256="", ended_at__isnull=False)
                | (Q(state="in_use", used_at__isnull=False, ended_at=None) & ~Q(sha256=""))
                | (
                    Q(state="replaced", used_at__isnull=False, ended_at__isnull=False)
                    & ~Q(sha256="")
                ),
                name="a_checklist_says_how_far_it_is",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task} · {self.number}"


class QueryChecklistLine(AppendOnly):
    """A line of a checklist that was put in use, and the line of the skill that it comes from."""

    checklist = models.ForeignKey(QueryChecklist, on_delete=models.PROTECT, related_name="lines")
    position = models.PositiveIntegerField()
    label = models.ForeignKey(SkillLabel, on_delete=models.PROTECT, related_name="+")
    # A line of a closed version, which never changes; so its text is not copied.
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="+")
    weight = models.SmallIntegerField()

    class Meta:
        ordering = ("checklist", "position")
        constraints = [
            models.UniqueConstraint(
                fields=["checklist", "position"], name="lines_of_a_checklist_are_in_order"
            ),
            models.UniqueConstraint(
                fields=["checklist", "criterion"], name="a_line_is_on_a_checklist_once"
            ),
            models.CheckConstraint(
                condition=Q(weight__in=[ORDINARY, ESSENTIAL, FLAW]),
                name="a_line_of_a_checklist_counts_5_or_10_or_minus_15",
            ),
        ]


class ChecklistOverrule(AppendOnly):
    """A person leaves a skill or one of its lines out of a checklist, or adds a skill; or not any
    more. For each of them the latest row counts. A later checklist begins with copies of them.
    """

    class Kind(models.TextChoices):
        LEFT_OUT = "left_out", _("left out")
        ADDED = "added", _("added")  # a skill whose label does not stand on the task
        TAKEN_BACK = "taken_back", _("as composed again")

    checklist = models.ForeignKey(
        QueryChecklist, on_delete=models.PROTECT, related_name="overrules"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    label = models.ForeignKey(SkillLabel, on_delete=models.PROTECT, related_name="+")
    criterion = models.ForeignKey(
        Criterion, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )  # null: the skill as a whole
    reason = models.TextField(blank=True)
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="taken_back") | ~Q(reason=""),
                name="whoever_overrules_a_checklist_says_why",
            ),
            models.CheckConstraint(
                condition=Q(criterion__isnull=True) | ~Q(kind="added"),
                name="only_a_whole_skill_is_added_to_a_checklist",
            ),
        ]
