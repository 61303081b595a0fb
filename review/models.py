"""Reviews line by line, in rounds, and the seniors' spot checks."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.models import AppendOnly, Task, User
from rubrics.models import Criterion, RubricVersion


class ConflictOfInterest(models.Model):
    """A declared reason why two people must not judge each other's work."""

    class Kind(models.TextChoices):
        AFFILIATION = "affiliation", _("Same affiliation")
        ADVISOR = "advisor", _("Advisor and student")
        COAUTHOR = "coauthor", _("Recent co-authors")
        REFERRAL = "referral", _("One referred the other")

    one = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    declared_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(one__lt=F("other")), name="a_conflict_is_stored_once"
            ),
            models.UniqueConstraint(
                fields=["one", "other", "kind"], name="conflict_kind_is_unique_per_pair"
            ),
        ]


class Review(models.Model):
    """One reviewer's work on one task, over all its rounds."""

    class State(models.TextChoices):
        ASSIGNED = "assigned", _("Assigned")
        DECLINED = "declined", _("Declined")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="reviews")
    reviewer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="reviews")
    state = models.CharField(max_length=10, choices=State.choices, default=State.ASSIGNED)
    number = models.PositiveSmallIntegerField()  # "Reviewer 2" on every page
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
    """The reviewer's current verdict on one line in one round. Its changes are in the threads."""

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
                condition=Q(verdict="approve") | (Q(verdict="change") & ~Q(aspect="")),
                name="a_change_request_names_its_aspect",
            ),
        ]


class Comment(AppendOnly):
    """One remark in the thread of a line. The thread follows the line's key across versions."""

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


class SpotCheck(models.Model):
    """A senior's audit of an approved rubric."""

    class Verdict(models.TextChoices):
        ACCEPT = "accept", _("Accept")
        SEND_BACK = "send_back", _("Send back")
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

    class Meta:
        ordering = ("at",)
        constraints = [
            models.UniqueConstraint(fields=["task", "version"], name="one_spot_check_per_version"),
            models.CheckConstraint(condition=~Q(remarks=""), name="a_spot_check_has_remarks"),
            models.CheckConstraint(
                condition=~Q(verdict="accept") | Q(consistent=True, aligned=True, evaluable=True),
                name="accepted_rubrics_pass_all_three_tests",
            ),
        ]
