"""A rubric that passes from its author to another expert, and requests for it."""

from django.db import models
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly, reasoned
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.process.states import Stateful
from curation.joining.people import Qualification, User, conflicts_of
from curation.tasks.task.models import REVIEWED_HERE, Origin, Seat, Task
from curation.tasks.task.queries import kept_off


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


# While the rubric is written, reviewed or decided on, its author may be needed again.
HANDED_OVER_AT = (Stage.REFINING, Stage.IN_REVIEW, Stage.DECIDING, Stage.SPOT_CHECK)
# A collected task has no author, so that its rubric is given to an expert as soon as it is
# de-identified: the panel then leaves this expert out.
GIVEN_AT = (Stage.SUBMITTED, Stage.SCREENING, Stage.DRAFTING)
_JUDGING = (Role.REVIEWER, Role.DECIDER, Role.SPOT_CHECKER, Role.AMENDMENT_DECIDER)


def eligible_takers(task: Task) -> "QuerySet[User]":
    """Return who may take a task's rubric over, by name.

    Qualified experts of the domain without a conflict with its writers or those who judge the
    rubric, and without another seat; also the author, if somebody else has the rubric now.
    """
    other_seat = Seat.objects.filter(task=task, user=OuterRef("pk")).exclude(
        role__in=(Role.AUTHOR, Role.RUBRIC_AUTHOR)
    )
    judging = User.objects.filter(seats__task=task, seats__role__in=_JUDGING)
    away = set().union(*conflicts_of(judging).values(), kept_off(task) - {task.author_id})
    return (
        User.objects.filter(
            ~Exists(other_seat),
            is_active=True,
            qualifications__domain_id=task.domain_id,
            qualifications__active=True,
        )
        .exclude(pk__in=away)
        .exclude(pk=task.rubric_author_pk or 0)
        .order_by("display_name", "pk")
    )


def open_request(task: Task) -> HelpRequest | None:
    """Return the open request for help with a task's rubric. One query."""
    return HelpRequest.objects.filter(task=task, state=HelpRequest.State.OPEN).first()


def without_a_writer() -> "QuerySet[Task]":
    """Select the tasks whose rubric waits for its author, who is suspended or asks for help."""
    standing = Qualification.objects.filter(
        domain=OuterRef("domain"), active=True, user__is_active=True
    )
    works = Q(
        Exists(standing.filter(user=OuterRef("author"))), rubric_author__isnull=True
    ) | Exists(standing.filter(user=OuterRef("rubric_author")))
    by_staff = Q(  # who may write skills
        origin=Origin.SKILL, rubric_author__is_staff=True, rubric_author__is_active=True
    )
    asks = Exists(HelpRequest.objects.filter(task=OuterRef("pk"), state=HelpRequest.State.OPEN))
    waiting = Task.objects.filter(origin__in=REVIEWED_HERE, stage__in=HANDED_OVER_AT)
    return waiting.filter(Q(asks) | ~works & ~by_staff & Q(stage=Stage.REFINING)).order_by(
        "stage_since"
    )
