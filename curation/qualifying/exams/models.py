"""Sittings of the exam of a domain, with their papers."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.bank_models import Exam, Question


class ExamSitting(models.Model):
    """An applicant's attempt. Handed in without a result: short texts wait for a senior."""

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="sittings")
    attempt = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField(default=timezone.now)
    deadline = models.DateTimeField()
    saved_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    points = models.PositiveSmallIntegerField(null=True, blank=True)
    points_possible = models.PositiveSmallIntegerField(null=True, blank=True)
    passed = models.BooleanField(null=True, blank=True)
    # The pass mark that decided; null also for results of before it was kept.
    pass_percent = models.PositiveSmallIntegerField(null=True, blank=True)
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
            models.CheckConstraint(
                condition=Q(passed__isnull=False) | Q(pass_percent__isnull=True),
                name="a_pass_mark_belongs_to_a_result",
            ),
        ]

    @property
    def awaits_marks(self) -> bool:
        """Whether it is handed in, and short texts have to be graded before there is a result."""
        return self.submitted_at is not None and self.passed is None

    def marks_due_at(self, exam: Exam) -> datetime:
        """Return when the seniors should have graded its short texts."""
        return exam.marks_due_at(self.submitted_at or self.deadline)

    def next_opens_at(self, exam: Exam) -> datetime:
        """Return when the next attempt may start; the waiting time counts from handing in."""
        return (self.submitted_at or self.deadline) + timedelta(hours=exam.wait_hours)


class SittingQuestion(models.Model):
    """A question of a candidate's paper: its position, the order of its options, the answer."""

    sitting = models.ForeignKey(ExamSitting, on_delete=models.PROTECT, related_name="paper")
    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="asked")
    position = models.PositiveSmallIntegerField()
    order = models.JSONField(default=list, blank=True)  # shown index -> index in the bank
    answer = models.JSONField(null=True, blank=True)  # with indexes in the bank
    answered_at = models.DateTimeField(null=True, blank=True)
    seconds = models.PositiveIntegerField(default=0)  # with the question in view
    points = models.PositiveSmallIntegerField(null=True, blank=True)  # null: not graded yet
    marked_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    marked_at = models.DateTimeField(null=True, blank=True)
    remark = models.TextField(blank=True)  # from the senior to the candidate

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
