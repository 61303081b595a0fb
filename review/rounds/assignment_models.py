"""Reviews, rounds, verdicts, suggestions and comments."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly
from curation.base.process.states import Stateful
from curation.joining.people import User
from curation.tasks.task.models import Task
from rubrics.policy.dimensions import Dimension, Importance
from rubrics.versions.models import Criterion, RubricVersion


class Review(Stateful):
    """One reviewer's work on one task, over all its rounds."""

    class State(models.TextChoices):
        ASSIGNED = "assigned", _("Assigned")
        DECLINED = "declined", _("Handed back")
        EXPIRED = "expired", _("Expired")

    moves = {
        State.ASSIGNED: (State.DECLINED, State.EXPIRED),
        State.EXPIRED: (State.ASSIGNED,),
    }

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="reviews")
    reviewer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="reviews")
    state = models.CharField(max_length=10, choices=State.choices, default=State.ASSIGNED)
    number = models.PositiveSmallIntegerField()  # shown as "Reviewer 2"
    reason = models.TextField(blank=True)  # of declining
    assigned_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    assigned_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField()

    class Meta:
        ordering = ("due_at",)
        constraints = [
            models.UniqueConstraint(
                fields=["task", "reviewer"], name="one_review_per_person_and_task"
            ),
            models.UniqueConstraint(fields=["task", "number"], name="reviewer_number_is_unique"),
            models.CheckConstraint(
                condition=~Q(state="declined") | ~Q(reason=""),
                name="declining_a_review_has_a_reason",
            ),
        ]

    @cached_property
    def domain_id(self) -> int:
        """The id of its task's domain, unless a query annotated it."""
        return self.task.domain_id


class Round(models.Model):
    """One pass of one reviewer over one version."""

    review = models.ForeignKey(Review, on_delete=models.PROTECT, related_name="rounds")
    version = models.ForeignKey(RubricVersion, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    opened_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(fields=["review", "number"], name="round_number_is_unique"),
            models.UniqueConstraint(
                fields=["review"],
                condition=Q(finished_at__isnull=True),
                name="one_open_round_per_review",
            ),
        ]


class LineReview(models.Model):
    """A reviewer's current verdict on a line in a round. `VerdictStep` has the earlier ones."""

    class Verdict(models.TextChoices):
        APPROVE = "approve", _("Approved")
        CHANGE = "change", _("Change requested")

    class Aspect(models.TextChoices):
        FACTUAL = "factual", _("Factual validity")
        CLARITY = "clarity", _("Clarity")
        ATOMICITY = "atomicity", _("Atomicity")
        WEIGHT = "weight", _("Weight")

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="lines")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="reviews")
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    aspect = models.CharField(max_length=10, choices=Aspect.choices, blank=True)
    carried_over = models.BooleanField(default=False)  # approved earlier, unchanged since
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["round", "criterion"], name="one_verdict_per_line_and_round"
            ),
            models.CheckConstraint(
                condition=Q(verdict="change") | Q(aspect=""),
                name="only_a_change_request_names_an_aspect",
            ),
        ]


class Suggestion(models.Model):
    """The whole line as the reviewer would write it, so that the author can take it as it is.

    It belongs to a verdict and changes with it until the round is finished.
    """

    line = models.OneToOneField(LineReview, on_delete=models.CASCADE, related_name="suggestion")
    text = models.TextField()
    importance = models.CharField(max_length=10, choices=Importance.choices)
    weight = models.PositiveIntegerField()
    dimension = models.CharField(max_length=30, choices=Dimension.choices)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="a_suggestion_has_text")]


class Comment(AppendOnly):
    """A remark in the thread of a line. A thread follows the line's key across versions."""

    class Side(models.TextChoices):
        AUTHOR = "author", _("Author")
        REVIEWER = "reviewer", _("Reviewer")
        SENIOR = "senior", _("Senior")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="line_comments")
    line_key = models.CharField(max_length=80)
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="comments")
    round = models.ForeignKey(
        Round, null=True, blank=True, on_delete=models.PROTECT, related_name="comments"
    )
    side = models.CharField(max_length=10, choices=Side.choices)
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("at", "id")
        indexes = [models.Index(fields=["task", "line_key"], name="comment_thread")]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="a_comment_has_a_text")]
