"""Second looks: author and solvers go over an exact answer again, because of what models said."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.roles import Role
from curation.base.process.states import Stateful
from curation.joining.people import User
from curation.screening.panels.models import Solve
from curation.tasks.task.models import Task


class SecondLook(Stateful):
    """One time that staff ask author and solvers to look at an exact answer again, and its end."""

    class Why(models.TextChoices):
        FEW_RIGHT = "few_right", _("Hardly any model is right")
        OTHER_ANSWER = "other_answer", _("Most models agree on another answer")
        STAFF = "staff", _("Staff's own reason")

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        CLOSED = "closed", _("Closed")

    class Outcome(models.TextChoices):
        HOLDS = "holds", _("The answer holds")
        AMENDED = "amended", _("The question or the answer is amended")
        DROPPED = "dropped", _("The task is dropped")

    moves = {State.OPEN: (State.CLOSED,)}

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="second_looks")
    number = models.PositiveSmallIntegerField()  # counts the task's second looks, from 1
    state = models.CharField(max_length=6, choices=State.choices, default=State.OPEN)
    why = models.CharField(max_length=12, choices=Why.choices)
    # What models said at the time: models, right, and the other answer with how many gave it.
    shown = models.JSONField(default=dict, blank=True)
    words = models.TextField()  # of staff, to those who are asked
    opened_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField(default=timezone.now)
    outcome = models.CharField(max_length=7, choices=Outcome.choices, blank=True)
    reason = models.TextField(blank=True)  # of staff, at the end
    closed_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(fields=["task", "number"], name="second_look_number_is_unique"),
            models.UniqueConstraint(
                fields=["task"], condition=Q(state="open"), name="one_open_second_look_per_task"
            ),
            models.CheckConstraint(
                condition=Q(why__in=["few_right", "other_answer", "staff"]),
                name="second_look_has_a_known_cause",
            ),
            models.CheckConstraint(condition=~Q(words=""), name="a_second_look_says_what_to_see"),
            models.CheckConstraint(
                condition=Q(
                    state="open", outcome="", closed_by__isnull=True, closed_at__isnull=True
                )
                | Q(
                    state="closed",
                    outcome__in=["holds", "amended", "dropped"],
                    closed_by__isnull=False,
                    closed_at__isnull=False,
                )
                & ~Q(reason=""),
                name="a_closed_second_look_has_an_outcome",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task} · {self.number}"

    @property
    def open(self) -> bool:
        return self.state == self.State.OPEN


class SecondOpinion(models.Model):
    """What one of those asked says at a second look; empty until they have."""

    look = models.ForeignKey(SecondLook, on_delete=models.PROTECT, related_name="opinions")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="second_opinions")
    role = models.CharField(
        max_length=6, choices=[(r.value, r.label) for r in (Role.AUTHOR, Role.SOLVER)]
    )
    verdict = models.CharField(max_length=10, choices=Solve.Verdict.choices, blank=True)
    remarks = models.TextField(blank=True)
    at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("look", "id")
        constraints = [
            models.UniqueConstraint(fields=["look", "person"], name="one_opinion_per_person"),
            models.CheckConstraint(
                condition=Q(role__in=["author", "solver"]), name="author_and_solvers_look_again"
            ),
            models.CheckConstraint(
                condition=Q(verdict="", at__isnull=True, remarks="")
                | Q(verdict__in=["right", "wrong", "unclear"], at__isnull=False) & ~Q(remarks=""),
                name="a_second_opinion_has_a_reason",
            ),
        ]
