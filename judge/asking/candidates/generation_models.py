"""Orders to have a candidate answer tasks, and the state of each answer."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.states import Stateful
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.asking.calls.error_words import in_words
from judge.asking.candidates.models import Candidate, Response

MOST_SAMPLES = 20


class Generation(Stateful):
    """One order: a number of answers of one candidate to each of some tasks, within a budget.

    It is WAITING until nothing is left to ask; `reason` says why it is paused or ended.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Under way")
        PAUSED = "paused", _("Paused")
        FINISHED = "finished", _("Finished")
        CANCELLED = "cancelled", _("Cancelled")

    moves = {
        State.WAITING: (State.PAUSED, State.FINISHED, State.CANCELLED),
        State.PAUSED: (State.WAITING, State.CANCELLED),
        State.FINISHED: (State.WAITING,),
    }

    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="generations")
    provider = models.CharField(max_length=20)
    model = models.CharField(max_length=120)
    parameters = models.JSONField(default=dict, blank=True)
    setup = models.JSONField(default=dict, blank=True)  # as of a judge run
    # Name of the set of tasks it was ordered for (judge/base/gold_sets); "" in orders from before
    # sets.
    task_set = models.CharField(max_length=60, blank=True)
    samples = models.PositiveSmallIntegerField(default=1)
    concurrency = models.PositiveSmallIntegerField(default=4)
    budget_micro = models.PositiveBigIntegerField(null=True, blank=True)
    max_calls = models.PositiveIntegerField(null=True, blank=True)
    calls = models.PositiveIntegerField(default=0)  # attempts, also the failed ones
    spent_micro = models.PositiveBigIntegerField(default=0)
    dearest_micro = models.PositiveBigIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    reason = models.TextField(blank=True)
    facts = models.JSONField(default=dict, blank=True)
    created_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(samples__gte=1, samples__lte=MOST_SAMPLES),
                name="a_generation_asks_one_to_twenty_times",
            ),
            models.CheckConstraint(
                condition=Q(concurrency__gte=1), name="a_generation_asks_at_least_one_at_once"
            ),
        ]


class GenerationItem(Stateful):
    """One answer that is wanted: done with its response, failed with its reason, or waiting."""

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        DONE = "done", _("Answered")
        FAILED = "failed", _("Failed")

    moves = {
        State.WAITING: (State.DONE, State.FAILED),
        State.FAILED: (State.WAITING,),
    }

    generation = models.ForeignKey(Generation, on_delete=models.PROTECT, related_name="items")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    # Set aside for the open attempt, written before it is sent; null while there is none.
    # If a dead process left it behind, that attempt may have been billed.
    reserved_micro = models.PositiveBigIntegerField(null=True, blank=True)
    not_before = models.DateTimeField(default=timezone.now)
    problem = models.TextField(blank=True)
    response = models.OneToOneField(
        Response, null=True, blank=True, on_delete=models.PROTECT, related_name="generated_by"
    )

    class Meta:
        ordering = ("generation", "id")
        indexes = [
            models.Index(
                fields=["generation", "state", "task", "number"], name="generation_item_next"
            ),
            models.Index(fields=["generation", "response"], name="generation_item_response"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["generation", "task", "number"], name="an_answer_is_wanted_once"
            ),
            models.CheckConstraint(
                condition=~Q(state="done") | Q(response__isnull=False),
                name="a_done_answer_has_its_response",
            ),
            models.CheckConstraint(
                condition=Q(response__isnull=True) | Q(state="done"),
                name="an_answer_with_a_response_is_done",
            ),
            models.CheckConstraint(
                condition=Q(reserved_micro__isnull=True) | Q(state="waiting"),
                name="only_a_waiting_answer_is_under_way",
            ),
            models.CheckConstraint(
                condition=~Q(state="failed") | ~Q(problem=""), name="a_failed_answer_has_a_reason"
            ),
        ]

    @property
    def why(self) -> str:
        """Why it failed, in the reader's language; "" if it did not."""
        return in_words(self.problem)
