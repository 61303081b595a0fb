"""Requests to have a model propose labels for a task; the waiting rows are the queue."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.states import Stateful
from curation.joining.people.models import User
from curation.tasks.skills.models import ProposalRound
from curation.tasks.task.models import Task
from judge.asking.calls.models import Call


class LabelRequest(Stateful):
    """A request to read a task; what the model proposes stands in its round of proposals."""

    class State(models.TextChoices):
        WAITING = "waiting", _("being read")
        READ = "read", _("read")
        FAILED = "failed", _("not read")

    moves = {State.WAITING: (State.READ, State.FAILED)}

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="label_requests")
    asked_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    asked_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    ended_at = models.DateTimeField(null=True, blank=True)
    # Has the hashes of the prompt and of its template.
    call = models.OneToOneField(
        Call, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    round = models.OneToOneField(
        ProposalRound, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    problem = models.TextField(blank=True)  # what the provider said; only staff read it

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["task"], condition=Q(state="waiting"), name="one_labelling_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", ended_at=None, call=None, round=None)
                | Q(
                    state="read",
                    ended_at__isnull=False,
                    call__isnull=False,
                    round__isnull=False,
                )
                | (Q(state="failed", ended_at__isnull=False, round=None) & ~Q(problem="")),
                name="a_labelling_says_how_it_ended",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task} · {self.state}"
