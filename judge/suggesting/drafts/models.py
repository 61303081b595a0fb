"""Requests of authors for further drafts."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.states import Stateful
from curation.joining.people import User
from curation.tasks.task.models import Task
from rubrics.versions.models import RubricVersion


class DraftRequest(Stateful):
    """A request for a further draft, with its result.

    The waiting rows are the queue: the worker that claims one writes the draft.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("being written")
        DONE = "done", _("written")
        FAILED = "failed", _("not written")

    moves = {
        State.WAITING: (State.DONE, State.FAILED),
    }

    class Failure(models.TextChoices):
        """Why there is no draft, as authors read it; `problem` has what the provider said."""

        BUSY = "busy", _("The model has too much to do at the moment.")
        UNREACHABLE = "unreachable", _("The model could not be reached.")
        NOT_SET_UP = (
            "not_set_up",
            _("The model is not set up correctly. The programme's staff see what is missing."),
        )
        TOO_LONG = "too_long", _("Your texts are longer than what the model reads at once.")
        REFUSED = "refused", _("The model refused to write about this task.")
        UNUSABLE = "unusable", _("The model wrote something that could not be used as lines.")
        NOTHING = "nothing", _("The rules found nothing in your texts that fits your remarks.")
        CLOSED = "closed", _("The rubric was sent before the draft was written.")
        BROKE = "broke", _("Something went wrong here. The programme's staff see what.")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="draft_requests")
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    remarks = models.TextField(blank=True)
    by_rule = models.BooleanField(default=False)  # by the offline rules, not the configured model
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    ended_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)  # when the author read how it ended
    version = models.OneToOneField(
        RubricVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="request"
    )
    failure = models.CharField(max_length=12, choices=Failure.choices, blank=True)
    problem = models.TextField(blank=True)  # what the provider said; only staff read it

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["task"],
                condition=Q(state="waiting"),
                name="one_draft_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", version=None, failure="", ended_at=None)
                | (Q(state="done", version__isnull=False, failure="") & Q(ended_at__isnull=False))
                | (Q(state="failed", version=None) & ~Q(failure="") & Q(ended_at__isnull=False)),
                name="a_draft_request_says_how_it_ended",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task} · {self.state}"
