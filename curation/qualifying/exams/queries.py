"""Queries about an exam for its candidate, which never select a key; and the seniors' queue."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import ApplicationStage
from curation.joining.people import cached_conflicts_of
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.bank_models import Exam, Question
from curation.qualifying.exams.bank_queries import is_ready, paper_size
from curation.qualifying.exams.grading import is_answered
from curation.qualifying.exams.models import ExamSitting, SittingQuestion

SHOWN = ("key_id", "kind", "text", "options", "unit", "points")
K = Question.Kind


@dataclass(frozen=True)
class Option:
    """An option as it is shown.

    Attributes:
        index: its index on this candidate's page, which the page sends.
        rank: the rank the candidate gave it in an ordering, from 1; None if none.
    """

    index: int
    text: str
    chosen: bool = False
    rank: int | None = None


@dataclass(frozen=True)
class PaperQuestion:
    """A question as the candidate sees it, with their answer."""

    number: int
    key_id: str
    kind: str
    text: str
    unit: str
    points: int
    options: tuple[Option, ...]
    typed: str  # the answer, if it is a number or a short text
    answered: bool
    unreadable: bool  # whether something is typed that is not a number

    @property
    def size(self) -> int:
        return len(self.options)


@dataclass(frozen=True)
class Paper:
    """A sitting as the page on which the candidate answers it."""

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
        """The questions without an answer that can be graded."""
        return tuple(q for q in self.questions if not q.answered)

    @property
    def answered(self) -> int:
        return len(self.questions) - len(self.open)

    @property
    def attempt_label(self) -> str:
        return _("Attempt %(n)s of %(all)s") % {"n": self.attempt, "all": self.attempts}

    @property
    def states(self) -> str:
        """The state of each question, for the tick marks of the page."""
        return " ".join("done" if q.answered else "open" for q in self.questions)


@dataclass(frozen=True)
class Intro:
    """What a candidate should know before starting a sitting."""

    title: str
    minutes: int
    pass_percent: int
    attempts: int
    used: int
    questions: int
    points: int  # minimum points of a paper
    most_points: int
    ready: bool
    wait_hours: int
    has_short_texts: bool
    opens_at: datetime | None  # when the next attempt opens, if that is in the future
    awaits_marks: bool
    last: int | None  # primary key of the last sitting
    reached: str  # the points of the last sitting and the pass mark; "" unless it was not passed

    @property
    def left(self) -> int:
        return max(0, self.attempts - self.used)

    @property
    def pass_points(self) -> int:
        return pass_points(self.pass_percent, self.points)


@dataclass(frozen=True)
class TopicResult:
    """The points reached and possible in a topic."""

    topic: str
    points: int
    possible: int

    @property
    def bar(self) -> list[tuple[int, str]]:
        return [(self.points, "ink-2"), (self.possible - self.points, "empty")]


@dataclass(frozen=True)
class Remark:
    """A senior's remark on a short text."""

    number: int
    topic: str
    points: int
    possible: int
    text: str


@dataclass(frozen=True)
class ExamResult:
    """The outcome of one sitting."""

    title: str
    domain: str
    application: int
    attempt: int
    attempts: int
    waits: int  # number of short texts to be graded; 0 if there is a result
    due: datetime
    passed: bool
    points: int
    possible: int
    reached: str
    pass_points: int | None  # None: the pass mark of its day was not kept
    pass_percent: int | None
    submitted_at: datetime
    late: bool
    topics: tuple[TopicResult, ...]
    study: tuple[dict[str, str], ...]
    remarks: tuple[Remark, ...]
    next_attempt: bool
    opens_at: datetime | None

    @property
    def bar(self) -> list[tuple[int, str]]:
        """The segments of the bar: points reached, then missed."""
        return [(self.points, "ink-2"), (self.possible - self.points, "empty")]


def pass_points(percent: int, possible: int) -> int:
    """Return the lowest whole number of points that reaches the pass mark."""
    return -(-percent * possible // 100)


def reached(sitting: ExamSitting) -> str:
    """Say how many points a sitting reached that was not passed, and how many were needed."""
    possible = sitting.points_possible or 0
    facts = {"points": sitting.points or 0, "possible": possible}
    if sitting.pass_percent is None:
        return _("You reached %(points)s of %(possible)s points, not enough to pass.") % facts
    return _("You reached %(points)s of %(possible)s points; %(needed)s are needed to pass.") % {
        **facts,
        "needed": pass_points(sitting.pass_percent, possible),
    }


def exam_title(exam: Exam) -> str:
    """Return the exam's title in the active language."""
    return (exam.title_zh if (get_language() or "").startswith("zh") else "") or exam.title


# --- the paper ----------------------------------------------------------------------------------
def answer_fields(sitting: ExamSitting) -> list[Mapping[str, Any]]:
    """Return `key_id`, `kind` and `order` of each question, for reading the answers of a form."""
    rows = sitting.paper.values("order", "question__key_id", "question__kind")
    return [
        {"key_id": row["question__key_id"], "kind": row["question__kind"], "order": row["order"]}
        for row in rows
    ]


def exam_paper(sitting: ExamSitting) -> Paper:
    """Return the questions of a sitting with the answers given so far. One query."""
    application = sitting.application
    exam = application.domain.exam
    rows = sitting.paper.values("position", "order", "answer", *(f"question__{n}" for n in SHOWN))
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
        questions=tuple(_question(row) for row in rows),
    )


def _question(row: Mapping[str, Any]) -> PaperQuestion:
    shown = {name: row[f"question__{name}"] for name in SHOWN}
    kind, answer, options = shown["kind"], row["answer"], shown.pop("options")
    answered = is_answered(kind, answer, shown["unit"])
    return PaperQuestion(
        number=row["position"],
        options=_options(kind, options, row["order"], answer),
        typed=str(answer or "") if kind in (K.NUMERIC, K.SHORT) else "",
        answered=answered,
        unreadable=kind == K.NUMERIC and bool(answer) and not answered,
        **shown,
    )


def _options(kind: str, texts: list[str], order: list[int], answer: Any) -> tuple[Option, ...]:
    given = answer if isinstance(answer, list) else []
    ranks = {place: rank for rank, place in enumerate(given, start=1) if place is not None}
    found = [
        Option(
            shown,
            texts[place],
            chosen=kind != K.ORDERING and place in given,
            rank=ranks.get(place) if kind == K.ORDERING else None,
        )
        for shown, place in enumerate(order)
    ]
    if kind == K.ORDERING:  # by the candidate's ranks, then the items without one
        found.sort(key=lambda option: option.rank or len(order) + 1)
    return tuple(found)


# --- before and after -----------------------------------------------------------------------------
def exam_intro(application: Application) -> Intro | None:
    """Return what to know about the exam of the application's domain; None if it has none."""
    exam = Exam.objects.filter(domain=application.domain_id).first()
    if exam is None:
        return None
    number, least, most = paper_size(exam)
    sittings = list(application.sittings.order_by("attempt"))
    last = sittings[-1] if sittings else None
    opens = last.next_opens_at(exam) if last else None
    return Intro(
        title=exam_title(exam),
        minutes=exam.minutes,
        pass_percent=exam.pass_percent,
        attempts=exam.attempts,
        used=len(sittings),
        questions=number,
        points=least,
        most_points=most,
        ready=is_ready(exam),
        wait_hours=exam.wait_hours,
        has_short_texts=exam.questions.filter(active=True, kind=K.SHORT).exists(),
        opens_at=opens if opens and opens > timezone.now() else None,
        awaits_marks=last is not None and last.awaits_marks,
        last=last.pk if last else None,
        reached=reached(last) if last is not None and last.passed is False else "",
    )


def exam_result(sitting: ExamSitting) -> ExamResult:
    """Return the outcome of a sitting that was handed in; without points until all are graded."""
    application = sitting.application
    exam = application.domain.exam
    rows: list[dict[str, Any]] = [
        dict(row)
        for row in sitting.paper.values(
            "position", "points", "remark", "question__topic", "question__points", "question__kind"
        )
    ]
    there = not sitting.awaits_marks
    possible, percent = sitting.points_possible or 0, sitting.pass_percent
    opens = sitting.next_opens_at(exam)
    return ExamResult(
        title=exam_title(exam),
        domain=str(application.domain),
        application=application.pk,
        attempt=sitting.attempt,
        attempts=exam.attempts,
        waits=sum(row["points"] is None for row in rows) if sitting.awaits_marks else 0,
        due=sitting.marks_due_at(exam),
        passed=bool(sitting.passed),
        points=sitting.points or 0,
        possible=possible,
        reached=reached(sitting),
        pass_points=None if percent is None else pass_points(percent, possible),
        pass_percent=percent,
        submitted_at=sitting.submitted_at or sitting.deadline,
        late=bool(sitting.submitted_at and sitting.submitted_at > sitting.deadline),
        topics=_by_topic(rows) if there else (),
        study=tuple(sorted(sitting.wrong_topics, key=lambda row: row["topic"])) if there else (),
        remarks=tuple(
            Remark(
                row["position"],
                row["question__topic"],
                row["points"],
                row["question__points"],
                row["remark"],
            )
            for row in rows
            if there and row["remark"]
        ),
        next_attempt=there
        and application.stage == ApplicationStage.EXAM
        and sitting.attempt < exam.attempts,
        opens_at=opens if opens > timezone.now() else None,
    )


def _by_topic(rows: list[dict[str, Any]]) -> tuple[TopicResult, ...]:
    sums: dict[str, tuple[int, int]] = {}
    for row in rows:
        points, possible = sums.get(row["question__topic"], (0, 0))
        sums[row["question__topic"]] = (
            points + (row["points"] or 0),
            possible + row["question__points"],
        )
    return tuple(TopicResult(topic, *pair) for topic, pair in sums.items() if topic)


# --- what seniors read --------------------------------------------------------------------------
def unmarked(user: Any) -> Any:
    """Return the short texts that a senior may grade, the longest waiting first.

    Leaves out their own, and those of people they are in conflict with.
    """
    return (
        SittingQuestion.objects.filter(
            points__isnull=True,
            question__kind=K.SHORT,
            sitting__submitted_at__isnull=False,
            sitting__passed__isnull=True,
            sitting__application__stage=ApplicationStage.EXAM,
            sitting__application__domain__in=user.senior_domain_ids(),
        )
        .exclude(sitting__application__user=user)
        .exclude(sitting__application__user__in=cached_conflicts_of(user))
        .order_by("sitting__submitted_at", "pk")
    )
