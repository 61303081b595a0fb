"""Verifying again that the answer of a dynamic task still holds."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.states import Stateful
from curation.joining.people import User
from curation.tasks.task.models import Task


class Reverification(Stateful):
    """One request to an expert: does the answer still hold, and until when?

    It is open until an expert takes it. `AMENDING`: the expert found that the answer changed and
    proposes an amendment; it ends when a senior agrees.
    """

    class Why(models.TextChoices):
        DUE = "due", _("Its date came near")
        ASKED = "asked", _("Staff asked for it")

    class State(models.TextChoices):
        OPEN = "open", _("Waits for an expert")
        TAKEN = "taken", _("With an expert")
        AMENDING = "amending", _("The answer changed: an amendment follows")
        CONFIRMED = "confirmed", _("The answer still holds")
        AMENDED = "amended", _("The answer was amended")
        CANCELLED = "cancelled", _("No longer needed")

    OPEN_STATES = (State.OPEN, State.TAKEN, State.AMENDING)
    moves = {
        State.OPEN: (State.TAKEN, State.CANCELLED),
        State.TAKEN: (State.OPEN, State.CONFIRMED, State.AMENDING, State.CANCELLED),
        State.AMENDING: (State.OPEN, State.TAKEN, State.AMENDED, State.CANCELLED),
    }

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="reverifications")
    why = models.CharField(max_length=6, choices=Why.choices)
    reason = models.TextField(blank=True)  # of staff who ask
    asked_by = models.ForeignKey(
        User, null=True, on_delete=models.PROTECT, related_name="reverifications_asked"
    )
    asked_at = models.DateTimeField(default=timezone.now)
    valid_until_before = models.DateField(null=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    expert = models.ForeignKey(
        User, null=True, on_delete=models.PROTECT, related_name="reverifications"
    )
    taken_at = models.DateTimeField(null=True)
    read_version = models.PositiveIntegerField(null=True)  # of the text the expert answers for
    valid_until = models.DateField(null=True)  # what the expert found
    finding = models.TextField(blank=True)  # how it was verified, or what changed
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)
        constraints = [
            models.UniqueConstraint(
                fields=["task"],
                condition=Q(state__in=["open", "taken", "amending"]),
                name="one_open_reverification_per_task",
            ),
            models.CheckConstraint(
                condition=Q(why="due", asked_by__isnull=True)
                | Q(why="asked", asked_by__isnull=False) & ~Q(reason=""),
                name="a_reverification_staff_ask_for_has_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["open", "cancelled"]) | Q(expert__isnull=False),
                name="a_taken_reverification_has_an_expert",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["amending", "confirmed", "amended"])
                | Q(valid_until__isnull=False) & ~Q(finding=""),
                name="a_reverification_ends_with_a_date_and_a_finding",
            ),
        ]
