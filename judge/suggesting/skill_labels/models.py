"""Requests to have a model propose labels for a task; the waiting rows are the queue."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.states import Stateful
from curation.joining.people import User
from curation.tasks.skills.models import ProposalRound
from curation.tasks.skills.readings import Reading
from curation.tasks.task.models import Task
from judge.asking.calls.models import Call
from judge.base.queue.models import MachineWork, is_awake, last_heartbeat
from judge.base.queue.send import LABELS


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


State = LabelRequest.State


def unfinished(task: Task) -> Reading | None:
    """Return the newest reading of a task that waits, is under way or failed. Three queries."""
    last = LabelRequest.objects.filter(task=task).order_by("-pk").first()
    if last is None or last.state == State.READ:
        return None
    if last.state == State.FAILED:
        return Reading(failed=True, since=last.ended_at or last.asked_at, problem=last.problem)
    work = MachineWork.objects.filter(kind=LABELS, object_id=last.pk).first()
    held = work is not None and bool(work.lease) and work.lease_until is not None
    return Reading(
        failed=False,
        since=last.asked_at,
        begun=held and work.lease_until > timezone.now(),  # type: ignore[union-attr,operator]
        awake=is_awake(last_heartbeat()),
        problem=work.problem if work is not None else "",
    )
