"""Senior seats: who holds one, which stand, spot checks, and releases of a seat."""

from functools import reduce
from operator import or_

from django.db import models
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.joining.notices.notify import seniors_of
from curation.joining.people import User
from curation.tasks.task.models import Seat, Task
from curation.tasks.task.queries import kept_off
from rubrics.versions.models import Criterion, RubricVersion


class SpotCheck(models.Model):
    """A senior's audit of an approved rubric."""

    class Verdict(models.TextChoices):
        ACCEPT = "accept", _("Accept")
        SEND_BACK = "send_back", _("Return")
        DISCARD = "discard", _("Discard")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="spot_checks")
    version = models.ForeignKey(RubricVersion, on_delete=models.PROTECT, related_name="spot_checks")
    senior = models.ForeignKey(User, on_delete=models.PROTECT, related_name="spot_checks")
    consistent = models.BooleanField()
    aligned = models.BooleanField()
    evaluable = models.BooleanField()
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    remarks = models.TextField()
    at = models.DateTimeField(default=timezone.now)
    taken_back_at = models.DateTimeField(null=True, blank=True)  # by staff; it counts no more

    class Meta:
        ordering = ("at",)
        constraints = [
            models.UniqueConstraint(
                fields=["task", "version"],
                condition=Q(taken_back_at__isnull=True),
                name="one_spot_check_per_version",
            ),
            models.CheckConstraint(
                condition=Q(taken_back_at__isnull=True) | Q(verdict="discard"),
                name="only_a_discard_is_taken_back",
            ),
            models.CheckConstraint(condition=~Q(remarks=""), name="a_spot_check_has_remarks"),
            models.CheckConstraint(
                condition=~Q(verdict="accept") | Q(consistent=True, aligned=True, evaluable=True),
                name="accepted_rubrics_pass_all_three_tests",
            ),
        ]


class SpotCheckMark(AppendOnly):
    """A line that fails one of the three tests, with the senior's remark."""

    class Test(models.TextChoices):
        CONSISTENCY = "consistency", _("Consistency")
        ALIGNMENT = "alignment", _("Alignment with the task")
        EVALUABILITY = "evaluability", _("Evaluability")

    spot_check = models.ForeignKey(SpotCheck, on_delete=models.PROTECT, related_name="marks")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="+")
    test = models.CharField(max_length=12, choices=Test.choices)
    remark = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["spot_check", "criterion"], name="one_mark_per_line"),
            models.CheckConstraint(condition=~Q(remark=""), name="a_mark_has_a_remark"),
            models.CheckConstraint(
                condition=Q(test__in=["consistency", "alignment", "evaluability"]),
                name="a_mark_names_one_of_the_tests",
            ),
        ]


class SpotCheckRelease(AppendOnly):
    """The release of a spot check or decision from its senior, so that another can take it.

    The seat stays taken: who has read a rubric as its senior may hold no other role on the task.
    """

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="+")
    senior = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    # Null where a conflict of interest ended it.
    released_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.TextField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="a_release_has_a_reason"),
        ]


# A senior holds a seat to spot-check an approved rubric, or to decide the lines that the rounds
# left open. The seat counts only while the person is a senior of the domain.


SEATS = {Stage.SPOT_CHECK: Role.SPOT_CHECKER, Stage.DECIDING: Role.DECIDER}
# A condition on seats: it is the senior's seat of the stage that the task is at now.
OF_THE_STAGE = reduce(or_, (Q(task__stage=stage, role=role) for stage, role in SEATS.items()))


def released() -> Exists:
    """Return a condition on senior seats: released since they were taken."""
    return Exists(
        SpotCheckRelease.objects.filter(
            task=OuterRef("task"), senior=OuterRef("user"), at__gte=OuterRef("taken_at")
        )
    )


def standing_seats() -> QuerySet[Seat]:
    """Return the senior seats of the stage that their task is at now, without released ones."""
    return Seat.objects.filter(OF_THE_STAGE, ~released())


def free_seniors(task: Task) -> QuerySet[User]:
    """Select the seniors of the domain who may take the task's present senior seat."""
    role = SEATS.get(Stage(task.stage), "")
    others = task.seats.exclude(role=role).values("user_id")
    authors = {pk for pk in (task.author_id, task.rubric_author_id) if pk is not None}
    return (
        seniors_of(task.domain_id).exclude(pk__in=others).exclude(pk__in=authors | kept_off(task))
    )


def seniors_with_the_seat(task: Task, role: str | None = None) -> set[int]:
    """Return the ids of those who hold the senior's seat and are still seniors of the domain.

    Args:
        role: which seat; None for that of the task's stage, if it has one.
    """
    role = role or SEATS.get(Stage(task.stage))
    return set(
        task.seats.filter(
            ~released(),
            role=role or "",
            user__is_active=True,
            user__qualifications__domain_id=task.domain_id,
            user__qualifications__active=True,
            user__qualifications__senior=True,
        ).values_list("user_id", flat=True)
    )
