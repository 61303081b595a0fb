"""Opinions of a model on the lines of a rubric, and the requests for them."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.states import Stateful
from curation.joining.people.models import User
from curation.tasks.task.models import Task
from judge.asking.calls.models import Call
from rubrics.versions.models import RubricVersion


class OpinionRequest(Stateful):
    """An author's request to have the open lines read; the waiting rows are the queue."""

    class State(models.TextChoices):
        WAITING = "waiting", _("being read")
        READ = "read", _("read")
        FAILED = "failed", _("not read")

    moves = {
        State.WAITING: (State.READ, State.FAILED),
    }

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="opinion_requests")
    version = models.ForeignKey(RubricVersion, on_delete=models.PROTECT, related_name="+")
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    ended_at = models.DateTimeField(null=True, blank=True)
    read_by = models.CharField(max_length=160, blank=True)  # provider and model
    by_rule = models.BooleanField(default=False)  # the offline rules are configured: no opinions
    # Has the hashes of the prompt and of its template.
    call = models.OneToOneField(
        Call, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    problem = models.TextField(blank=True)  # what the provider said; only staff read it

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["task"], condition=Q(state="waiting"), name="one_reading_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", ended_at=None, call=None)
                | Q(state="read", ended_at__isnull=False, call__isnull=False)
                | (Q(state="failed", ended_at__isnull=False) & ~Q(problem="")),
                name="a_reading_says_how_it_ended",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task} · {self.state}"


class LineOpinion(models.Model):
    """The model's opinion on one line, with the text of the line at that time."""

    request = models.ForeignKey(OpinionRequest, on_delete=models.PROTECT, related_name="opinions")
    key = models.CharField(max_length=80)
    text = models.TextField()
    says = models.TextField()

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(fields=["request", "key"], name="one_opinion_of_a_line"),
            models.CheckConstraint(condition=~Q(says=""), name="an_opinion_says_something"),
        ]

    def __str__(self) -> str:
        return self.says
