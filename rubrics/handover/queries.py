"""Who may take a rubric over, and the rubrics that wait for somebody who does."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.joining.people.conflicts import conflicts_of
from curation.joining.people.models import Qualification, User
from curation.tasks.task.access import kept_off
from curation.tasks.task.models import REVIEWED_HERE, Origin, Seat, Task
from rubrics.handover.models import HelpRequest

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
