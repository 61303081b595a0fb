"""The proficiency exam of a domain. Keys never leave the server."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.models.domains import Domain
from curation.models.qualification import Application


class Exam(models.Model):
    """One exam per domain."""

    domain = models.OneToOneField(Domain, on_delete=models.PROTECT, related_name="exam")
    title = models.CharField(max_length=200)
    title_zh = models.CharField(max_length=200, blank=True)
    minutes = models.PositiveSmallIntegerField(default=30)
    pass_percent = models.PositiveSmallIntegerField(default=70)
    attempts = models.PositiveSmallIntegerField(default=2)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(pass_percent__gte=1, pass_percent__lte=100),
                name="pass_mark_is_a_percentage",
            )
        ]

    def __str__(self) -> str:
        return self.title


class Question(models.Model):
    """A question the machine can mark."""

    class Kind(models.TextChoices):
        SINGLE = "single", _("Single choice")
        MULTIPLE = "multiple", _("Multiple choice")
        NUMERIC = "numeric", _("A number")

    exam = models.ForeignKey(Exam, on_delete=models.PROTECT, related_name="questions")
    key_id = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    topic = models.CharField(max_length=120, blank=True)
    text = models.TextField()
    options = models.JSONField(default=list, blank=True)
    unit = models.CharField(max_length=30, blank=True)
    key = models.JSONField()  # [indexes] or {"value", "tolerance"}
    points = models.PositiveSmallIntegerField(default=1)
    study = models.TextField(blank=True)

    class Meta:
        ordering = ("exam", "position")
        constraints = [
            models.UniqueConstraint(fields=["exam", "key_id"], name="question_key_is_unique"),
            models.CheckConstraint(
                condition=Q(kind__in=["single", "multiple", "numeric"]),
                name="question_kind_is_known",
            ),
            models.CheckConstraint(condition=Q(points__gte=1), name="a_question_has_points"),
        ]


class ExamSitting(models.Model):
    """One attempt of one applicant."""

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="sittings")
    attempt = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField(default=timezone.now)
    deadline = models.DateTimeField()
    answers = models.JSONField(default=dict, blank=True)
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
                condition=Q(submitted_at__isnull=True, passed__isnull=True)
                | Q(submitted_at__isnull=False, passed__isnull=False),
                name="a_submitted_exam_has_a_result",
            ),
        ]
