"""The proficiency exam of a domain. Keys never leave the server."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.models.domains import Domain
from curation.models.fields import LineField
from curation.models.people import User
from curation.models.qualification import Application


class Exam(models.Model):
    """One exam per domain."""

    domain = models.OneToOneField(Domain, on_delete=models.PROTECT, related_name="exam")
    title = LineField(max_length=200)
    title_zh = LineField(max_length=200, blank=True)
    minutes = models.PositiveSmallIntegerField(default=30)
    pass_percent = models.PositiveSmallIntegerField(default=70)
    attempts = models.PositiveSmallIntegerField(default=2)
    wait_hours = models.PositiveSmallIntegerField(default=0)  # between two attempts
    shuffle = models.BooleanField(default=True)  # questions and options, anew for each sitting
    marking_days = models.PositiveSmallIntegerField(default=5)  # a senior has for short texts

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(pass_percent__gte=1, pass_percent__lte=100),
                name="pass_mark_is_a_percentage",
            )
        ]

    def __str__(self) -> str:
        return self.title


class BlueprintRow(models.Model):
    """How many questions of a topic (and, where given, of a difficulty) a sitting draws.

    An exam without rows asks every active question.
    """

    exam = models.ForeignKey(Exam, on_delete=models.PROTECT, related_name="blueprint")
    topic = LineField(max_length=120)
    difficulty = models.PositiveSmallIntegerField(null=True, blank=True)  # 1 to 3; null: any
    count = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("exam", "topic", "difficulty")
        constraints = [
            models.UniqueConstraint(
                F("exam"),
                F("topic"),
                Coalesce("difficulty", 0),  # null is a value here: any difficulty
                name="one_blueprint_row_per_topic_and_difficulty",
            ),
            models.CheckConstraint(condition=Q(count__gte=1), name="a_blueprint_row_draws"),
        ]


class Question(models.Model):
    """A question of the bank. Short texts are marked by a senior, all others by the machine."""

    class Kind(models.TextChoices):
        SINGLE = "single", _("Single choice")
        MULTIPLE = "multiple", _("Multiple choice")
        NUMERIC = "numeric", _("A number")
        ORDERING = "ordering", _("Put in order")
        SHORT = "short", _("Short text, marked by a senior")

    class Difficulty(models.IntegerChoices):
        EASY = 1, _("Easy")
        MEDIUM = 2, _("Medium")
        HARD = 3, _("Hard")

    exam = models.ForeignKey(Exam, on_delete=models.PROTECT, related_name="questions")
    key_id = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    topic = LineField(max_length=120, blank=True)
    difficulty = models.PositiveSmallIntegerField(
        choices=Difficulty.choices, default=Difficulty.MEDIUM
    )
    active = models.BooleanField(default=True)  # drawn for new sittings
    # A question that was asked never changes: its new wording is a new question.
    replaces = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by"
    )
    text = models.TextField()
    options = models.JSONField(default=list, blank=True)
    unit = LineField(max_length=30, blank=True)
    # [indexes] (ordering: in the right order), {"value", "tolerance"}, or {"guide"} for a senior
    key = models.JSONField()
    points = models.PositiveSmallIntegerField(default=1)
    study = models.TextField(blank=True)

    class Meta:
        ordering = ("exam", "position")
        constraints = [
            models.UniqueConstraint(fields=["exam", "key_id"], name="question_key_is_unique"),
            models.CheckConstraint(
                condition=Q(kind__in=["single", "multiple", "numeric", "ordering", "short"]),
                name="question_kind_is_known",
            ),
            models.CheckConstraint(condition=Q(points__gte=1), name="a_question_has_points"),
            models.CheckConstraint(
                condition=Q(difficulty__gte=1, difficulty__lte=3), name="difficulty_is_one_to_three"
            ),
        ]


class ExamSitting(models.Model):
    """One attempt of one applicant. Handed in without a result: short texts wait for a senior."""

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="sittings")
    attempt = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField(default=timezone.now)
    deadline = models.DateTimeField()
    saved_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    points = models.PositiveSmallIntegerField(null=True, blank=True)
    points_possible = models.PositiveSmallIntegerField(null=True, blank=True)
    passed = models.BooleanField(null=True, blank=True)
    wrong_topics = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ("application", "attempt")
        constraints = [
            models.UniqueConstraint(
                fields=["application", "attempt"], name="exam_attempt_is_unique"
            ),
            models.UniqueConstraint(
                fields=["application"],
                condition=Q(submitted_at__isnull=True),
                name="one_open_sitting",
            ),
            models.CheckConstraint(
                condition=Q(submitted_at__isnull=False) | Q(passed__isnull=True),
                name="a_result_comes_after_handing_in",
            ),
        ]

    @property
    def awaits_marks(self) -> bool:
        """Handed in, and a senior has short texts to read before there is a result."""
        return self.submitted_at is not None and self.passed is None

    def marks_due_at(self, exam: Exam) -> datetime:
        """When the seniors should have marked its short texts."""
        return (self.submitted_at or self.deadline) + timedelta(days=exam.marking_days)

    def next_opens_at(self, exam: Exam) -> datetime:
        """When the attempt after this one may begin: the waiting time counts from handing in."""
        return (self.submitted_at or self.deadline) + timedelta(hours=exam.wait_hours)


class SittingQuestion(models.Model):
    """One question as one candidate got it: its place, its shuffled options, its answer."""

    sitting = models.ForeignKey(ExamSitting, on_delete=models.PROTECT, related_name="paper")
    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="asked")
    position = models.PositiveSmallIntegerField()
    order = models.JSONField(default=list, blank=True)  # shown place -> place in the bank
    answer = models.JSONField(null=True, blank=True)  # in the bank's places
    answered_at = models.DateTimeField(null=True, blank=True)
    seconds = models.PositiveIntegerField(default=0)  # with the question in view
    points = models.PositiveSmallIntegerField(null=True, blank=True)  # null: not marked yet
    marked_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    marked_at = models.DateTimeField(null=True, blank=True)
    remark = models.TextField(blank=True)  # of the senior, for the candidate

    class Meta:
        ordering = ("sitting", "position")
        constraints = [
            models.UniqueConstraint(
                fields=["sitting", "question"], name="a_question_is_asked_once_per_sitting"
            ),
            models.UniqueConstraint(
                fields=["sitting", "position"], name="one_question_per_place_of_a_sitting"
            ),
        ]
