"""Exams of the domains: their settings, their questions, and the blueprint of a paper."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import LineField
from curation.joining.domains.models import Domain


class Exam(models.Model):
    """The exam of a domain."""

    domain = models.OneToOneField(Domain, on_delete=models.PROTECT, related_name="exam")
    title = LineField(max_length=200)
    title_zh = LineField(max_length=200, blank=True)
    minutes = models.PositiveSmallIntegerField(default=30)
    pass_percent = models.PositiveSmallIntegerField(default=70)
    attempts = models.PositiveSmallIntegerField(default=2)
    wait_hours = models.PositiveSmallIntegerField(default=0)  # between two attempts
    shuffle = models.BooleanField(default=True)  # questions and options, for each sitting
    marking_days = models.PositiveSmallIntegerField(default=5)  # time for seniors to grade

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(pass_percent__gte=1, pass_percent__lte=100),
                name="pass_mark_is_a_percentage",
            )
        ]

    def __str__(self) -> str:
        return self.title

    def marks_due_at(self, submitted_at: datetime) -> datetime:
        """Return when the seniors should have graded the short texts of a sitting."""
        return submitted_at + timedelta(days=self.marking_days)


class BlueprintRow(models.Model):
    """How many questions of a topic, and optionally of a difficulty, a paper draws.

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
                Coalesce("difficulty", 0),  # null means any difficulty, and is unique too
                name="one_blueprint_row_per_topic_and_difficulty",
            ),
            models.CheckConstraint(condition=Q(count__gte=1), name="a_blueprint_row_draws"),
        ]


class Question(models.Model):
    """A question of the bank. A senior grades short texts, the machine all others."""

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
    active = models.BooleanField(default=True)  # whether new sittings may draw it
    # A question that was asked never changes; a new wording is a new question.
    replaces = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by"
    )
    text = models.TextField()
    options = models.JSONField(default=list, blank=True)
    unit = LineField(max_length=30, blank=True)
    # Indexes of options (of an ordering: in the right order), {"value", "tolerance"} of a number,
    # or {"guide"} of a short text.
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
