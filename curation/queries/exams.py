"""What a candidate may see of an exam. The key column is never selected here."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Sum
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from curation.marking import is_answered
from curation.models import Application, Exam, ExamSitting, Question

SHOWN = ("key_id", "kind", "topic", "text", "options", "unit", "points")


@dataclass(frozen=True)
class Option:
    """One option of a choice."""

    index: int
    text: str
    chosen: bool


@dataclass(frozen=True)
class PaperQuestion:
    """A question as the candidate sees it, with their own answer."""

    number: int
    key_id: str
    kind: str
    topic: str
    text: str
    unit: str
    points: int
    options: tuple[Option, ...]
    typed: str  # of a numeric question
    answered: bool
    unreadable: bool  # something is typed, but it is no number


@dataclass(frozen=True)
class Paper:
    """One sitting, as a page to write on."""

    sitting: int
    application: int
    domain: str
    title: str
    attempt: int
    attempts: int
    started_at: datetime
    deadline: datetime
    now: datetime
    saved_at: datetime | None
    questions: tuple[PaperQuestion, ...]

    @property
    def open(self) -> tuple[PaperQuestion, ...]:
        """The questions without an answer that can be marked."""
        return tuple(q for q in self.questions if not q.answered)

    @property
    def answered(self) -> int:
        return len(self.questions) - len(self.open)

    @property
    def attempt_label(self) -> str:
        return _("Attempt %(n)s of %(all)s") % {"n": self.attempt, "all": self.attempts}

    @property
    def states(self) -> str:
        """For the tick marks."""
        return " ".join("done" if q.answered else "open" for q in self.questions)


@dataclass(frozen=True)
class Intro:
    """What a candidate should know before the clock starts."""

    title: str
    minutes: int
    pass_percent: int
    attempts: int
    used: int
    questions: int
    points: int

    @property
    def left(self) -> int:
        return max(0, self.attempts - self.used)

    @property
    def pass_points(self) -> int:
        return pass_points(self.pass_percent, self.points)


@dataclass(frozen=True)
class ExamResult:
    """The outcome of one sitting."""

    title: str
    domain: str
    application: int
    attempt: int
    attempts: int
    passed: bool
    points: int
    possible: int
    pass_points: int
    pass_percent: int
    submitted_at: datetime
    late: bool
    study: tuple[dict[str, str], ...]
    next_attempt: bool

    @property
    def bar(self) -> list[tuple[int, str]]:
        """For the bar of points: reached, then missed."""
        return [(self.points, "ink-2"), (self.possible - self.points, "empty")]


def pass_points(percent: int, possible: int) -> int:
    """The lowest whole number of points that reaches the pass mark."""
    return -(-percent * possible // 100)


def exam_title(exam: Exam) -> str:
    """The exam's title in the active language."""
    return (exam.title_zh if (get_language() or "").startswith("zh") else "") or exam.title


def answer_fields(sitting: ExamSitting) -> list[dict[str, Any]]:
    """`key_id` and `kind` of each question: what a form needs to read the answers."""
    rows = Question.objects.filter(exam__domain=sitting.application.domain_id)
    return [{"key_id": key_id, "kind": kind} for key_id, kind in rows.values_list("key_id", "kind")]


def paper(sitting: ExamSitting) -> Paper:
    """The questions of a sitting with the answers given so far."""
    application = sitting.application
    exam = application.domain.exam
    questions = []
    rows = exam.questions.order_by("position", "id").values(*SHOWN)
    for number, row in enumerate(rows, start=1):
        given = sitting.answers.get(row["key_id"])
        numeric = row["kind"] == Question.Kind.NUMERIC
        answered = is_answered(row["kind"], given, row["unit"])
        questions.append(
            PaperQuestion(
                number=number,
                options=tuple(
                    Option(index, text, isinstance(given, list) and index in given)
                    for index, text in enumerate(row.pop("options"))
                ),
                typed=str(given or "") if numeric else "",
                answered=answered,
                unreadable=numeric and bool(given) and not answered,
                **row,
            )
        )
    return Paper(
        sitting=sitting.pk,
        application=application.pk,
        domain=str(application.domain),
        title=exam_title(exam),
        attempt=sitting.attempt,
        attempts=exam.attempts,
        started_at=sitting.started_at,
        deadline=sitting.deadline,
        now=timezone.now(),
        saved_at=sitting.saved_at,
        questions=tuple(questions),
    )


def intro(application: Application) -> Intro | None:
    """The exam of the application's domain; None if it has none."""
    exam = Exam.objects.filter(domain=application.domain_id).first()
    if exam is None:
        return None
    size = exam.questions.aggregate(number=Count("id"), points=Sum("points"))
    return Intro(
        title=exam_title(exam),
        minutes=exam.minutes,
        pass_percent=exam.pass_percent,
        attempts=exam.attempts,
        used=application.sittings.count(),
        questions=size["number"],
        points=size["points"] or 0,
    )


def result(sitting: ExamSitting) -> ExamResult:
    """The outcome of a sitting that was handed in."""
    application = sitting.application
    exam = application.domain.exam
    possible = sitting.points_possible or 0
    return ExamResult(
        title=exam_title(exam),
        domain=str(application.domain),
        application=application.pk,
        attempt=sitting.attempt,
        attempts=exam.attempts,
        passed=bool(sitting.passed),
        points=sitting.points or 0,
        possible=possible,
        pass_points=pass_points(exam.pass_percent, possible),
        pass_percent=exam.pass_percent,
        submitted_at=sitting.submitted_at or sitting.deadline,
        late=bool(sitting.submitted_at and sitting.submitted_at > sitting.deadline),
        study=tuple(sitting.wrong_topics),
        next_attempt=application.stage == "exam" and sitting.attempt < exam.attempts,
    )
