"""Queries about short texts that wait for a senior: by question, without candidates' names."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, QuerySet

from curation.base.access import permissions
from curation.base.process.lifecycle import ApplicationStage
from curation.base.web.refusals import NotFound
from curation.joining.domains.models import Domain
from curation.joining.people import cached_conflicts_of
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.models import SittingQuestion
from curation.qualifying.exams.queries import unmarked

CHANGEABLE = 50  # maximum number of grades shown


@dataclass(frozen=True)
class QuestionToMark:
    """A question with the number of its answers that wait."""

    first: int  # primary key of the oldest answer
    text: str
    topic: str
    domain: str
    waits: int
    since: datetime
    due: datetime


def queue(user: Any) -> QuerySet[SittingQuestion, dict[str, Any]]:
    """Return the questions with answers to grade, the longest waiting first.

    The rows are for `question_to_mark`.
    """
    rows: QuerySet[SittingQuestion, dict[str, Any]] = (
        unmarked(user)
        .order_by()
        .values(
            "question",
            "question__text",
            "question__topic",
            "question__exam__marking_days",
            "question__exam__domain__name",
            "question__exam__domain__name_zh",
        )
        .annotate(waits=Count("pk"), first=Min("pk"), since=Min("sitting__submitted_at"))
        .order_by("since", "question")
    )
    return rows


def question_to_mark(row: dict[str, Any]) -> QuestionToMark:
    """Convert a row of `queue` for the page."""
    return QuestionToMark(
        first=row["first"],
        text=row["question__text"],
        topic=row["question__topic"],
        domain=str(
            Domain(
                name=row["question__exam__domain__name"],
                name_zh=row["question__exam__domain__name_zh"],
            )
        ),
        waits=row["waits"],
        since=row["since"],
        due=row["since"] + timedelta(days=row["question__exam__marking_days"]),
    )


@dataclass(frozen=True)
class AnswerToMark:
    """An answer as a senior reads it."""

    pk: int
    domain: str
    topic: str
    question: str
    guide: str
    points: int
    answer: str
    due: datetime
    waits: int  # number of answers to this question that wait
    mark: int | None  # its points; None if not graded yet


@dataclass(frozen=True)
class GivenMark:
    """A grade that the senior may still change."""

    pk: int
    question: str
    topic: str
    points: int
    most: int
    marked_at: datetime


def changeable_marks(user: Any) -> list[GivenMark]:
    """Return the grades this person gave in sittings without a result, the newest first."""
    rows = (
        SittingQuestion.objects.filter(
            marked_by=user,
            sitting__submitted_at__isnull=False,
            sitting__passed__isnull=True,
            sitting__application__stage=ApplicationStage.EXAM,
            sitting__application__domain__in=user.senior_domain_ids(),
        )
        .exclude(sitting__application__user__in=cached_conflicts_of(user))
        .order_by("-marked_at", "-pk")
        .values_list(
            "pk", "question__text", "question__topic", "points", "question__points", "marked_at"
        )
    )
    return [GivenMark(*row) for row in rows[:CHANGEABLE]]  # type: ignore[arg-type]  # all marked


def access_answer(user: Any, pk: int) -> SittingQuestion:
    """Load an answer that the senior may grade; also a graded one, to say so after a late click.

    Raises:
        NotFound: no such answer, of another domain, the senior's own, or of somebody they
            are in conflict with.
    """
    row = (
        SittingQuestion.objects.select_related("question", "sitting__application__domain__exam")
        .filter(pk=pk, question__kind="short", sitting__submitted_at__isnull=False)
        .first()
    )
    if row is None:
        raise NotFound()
    application: Application = row.sitting.application
    if (
        not permissions.allows(user, "exam.mark", application)
        or permissions.is_its_owner(user, application)
        or application.user_id in cached_conflicts_of(user)
    ):
        raise NotFound()
    return row


def answer_to_mark(user: Any, row: SittingQuestion) -> AnswerToMark:
    """Return what the page shows of an answer: question, guide, text; nothing about its writer."""
    exam = row.sitting.application.domain.exam
    return AnswerToMark(
        pk=row.pk,
        domain=str(row.sitting.application.domain),
        topic=row.question.topic,
        question=row.question.text,
        guide=row.question.key["guide"],
        points=row.question.points,
        answer=str(row.answer or ""),
        due=row.sitting.marks_due_at(exam),
        waits=unmarked(user).filter(question=row.question_id).count(),
        mark=row.points,
    )


def next_answer(user: Any, question: int) -> int | None:
    """Return the next answer to the same question, or None.

    Seniors grade question by question, across candidates.
    """
    found: int | None = (
        unmarked(user).filter(question=question).values_list("pk", flat=True).first()
    )
    return found
