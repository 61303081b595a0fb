"""A rubric that passes from its author to another expert, and requests for it."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly, reasoned
from curation.base.process.states import Stateful
from curation.joining.people.models import User
from curation.tasks.task.models import Task


class RubricHandover(AppendOnly):
    """Staff gave a rubric to another expert. `Task.rubric_author` has who writes it now."""

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="rubric_handovers")
    # Null for the first expert of a collected task, which nobody wrote.
    giver = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    taker = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()  # for staff; it may be private
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)
        constraints = [
            reasoned("a_handover_of_a_rubric_has_a_reason"),
            models.CheckConstraint(
                condition=~Q(giver=models.F("taker")),
                name="a_rubric_is_handed_to_somebody_else",
            ),
        ]


class HelpRequest(Stateful):
    """The rubric's author cannot finish it, and asks staff for another expert."""

    class State(models.TextChoices):
        OPEN = "open", _("Waiting for staff")
        ANSWERED = "answered", _("Handed over")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    moves = {State.OPEN: (State.ANSWERED, State.WITHDRAWN)}

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="help_requests")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["task"], condition=Q(state="open"), name="one_open_request_for_help"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_request_for_help_has_a_reason"),
            models.CheckConstraint(
                condition=Q(state="open", closed_at__isnull=True)
                | ~Q(state="open") & Q(closed_at__isnull=False),
                name="a_closed_request_for_help_has_a_time",
            ),
        ]
