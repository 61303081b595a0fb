"""Actions of a candidate on a sitting: start, save answers, hand in; and closing overdue ones."""

import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import ApplicationStage
from curation.base.text import storable
from curation.base.web.dates import day
from curation.base.web.refusals import BadInput, Conflict
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.bank_models import Exam, Question
from curation.qualifying.exams.bank_queries import bank_questions, is_ready
from curation.qualifying.exams.grading import passes, points_of, to_study
from curation.qualifying.exams.models import ExamSitting, SittingQuestion
from curation.qualifying.exams.notices import answers_waiting
from curation.qualifying.exams.paper import draw

log = logging.getLogger(__name__)

GRACE = timedelta(seconds=30)  # accepts a last save that was sent before the deadline
SHORT_TEXT = 4000  # maximum characters of a short text


@dataclass(frozen=True)
class SaveResult:
    """The result of a save.

    Attributes:
        older: keys of questions that keep another answer, because it was typed later.
    """

    sitting: ExamSitting
    older: tuple[str, ...] = ()


def is_over(sitting: ExamSitting) -> bool:
    """Return whether the sitting accepts no more answers."""
    return sitting.submitted_at is not None or timezone.now() > sitting.deadline + GRACE


# --- beginning ------------------------------------------------------------------------------------
@action("application.work_on", about="application")
@transaction.atomic
def start_sitting(*, actor: Any, application: Application) -> ExamSitting:
    """Start a sitting with a new paper, or return the open one.

    An open sitting whose time is over is handed in and returned.

    Raises:
        Conflict: not at the exam stage, no attempt is left, the last one waits for its grades, the
            waiting time is not over, or the bank cannot fill the paper.
    """
    if application.stage != ApplicationStage.EXAM:
        raise Conflict(_("The exam is not open for this application now."), code="wrong_stage")
    # Lock the exam, so that no question changes between the draw and storing the paper.
    exam = Exam.objects.select_for_update().get(domain=application.domain_id)
    last = application.sittings.order_by("-attempt").first()
    if last is not None and last.submitted_at is None:
        # A sitting whose time is over is handed in instead of starting the next attempt: the
        # candidate first has to see its result.
        return hand_in(actor=None, sitting=last) if is_over(last) else last
    if last is not None:
        _refuse_next(last, exam)
    if not is_ready(exam):
        raise Conflict(
            _(
                "The exam cannot be put together now, because questions are being replaced. No "
                "attempt was used. Try again tomorrow, or write to the staff."
            ),
            code="no_paper",
        )
    try:
        with transaction.atomic():
            return _create_sitting(application, exam, attempt=last.attempt + 1 if last else 1)
    except IntegrityError:  # another request started it
        return application.sittings.get(submitted_at__isnull=True)


def _refuse_next(last: ExamSitting, exam: Exam) -> None:
    if last.awaits_marks:
        raise Conflict(
            _(
                "Your last attempt is still being marked. If you did not pass, the next one "
                "opens with the result."
            ),
            code="awaits_marks",
        )
    if last.attempt >= exam.attempts:
        raise Conflict(_("You have used all attempts at this exam."), code="no_attempt_left")
    opens = last.next_opens_at(exam)
    if timezone.now() < opens:
        raise Conflict(
            _("The next attempt opens on %(day)s. Use the days to study.")
            % {"day": day(opens, with_clock=True, with_zone=True)},
            code="too_early",
        )


def _create_sitting(application: Application, exam: Exam, *, attempt: int) -> ExamSitting:
    now = timezone.now()
    sitting = ExamSitting.objects.create(
        application=application,
        attempt=attempt,
        started_at=now,
        deadline=now + timedelta(minutes=exam.minutes),
    )
    paper = draw(
        bank_questions(exam),
        list(exam.blueprint.all()),
        rng=secrets.SystemRandom(),
        shuffle=exam.shuffle,
        seen=set(
            SittingQuestion.objects.filter(sitting__application=application).values_list(
                "question_id", flat=True
            )
        ),
    )
    SittingQuestion.objects.bulk_create(
        SittingQuestion(sitting=sitting, question_id=pk, position=place, order=order)
        for place, (pk, order) in enumerate(paper, start=1)
    )
    return sitting


# --- answering ------------------------------------------------------------------------------------
@action("application.work_on", about="sitting.application")
@transaction.atomic
def save_answers(
    *,
    actor: Any,
    sitting: ExamSitting,
    answers: Mapping[str, Any],
    ages: Mapping[str, float] | None = None,
    seconds: Mapping[str, int] | None = None,
) -> SaveResult:
    """Save answers before the deadline. Answers to other questions stay as they are.

    Args:
        answers: key of the question -> answer, options by their index in the bank.
        ages: key -> seconds since the answer was typed, if it was sent late. The answer typed last
            counts, whichever arrives first.
        seconds: key -> additional seconds with the question in view.

    Raises:
        Conflict: `exam_over`, handed in already, or the time is over.
        BadInput: an answer does not fit its question.
    """
    current = ExamSitting.objects.select_for_update().get(pk=sitting.pk)
    if current.submitted_at is not None:
        raise Conflict(_("This exam has already been handed in."), code="exam_over")
    if is_over(current):
        raise Conflict(
            _("Time was up before this answer arrived. What was saved before then counts."),
            code="exam_over",
        )
    # A save does not need the keys, so it does not read them.
    rows = {
        row.question.key_id: row
        for row in current.paper.select_related("question").defer(
            "question__key", "question__text", "question__study"
        )
    }
    values = _read_answers({key: row.question for key, row in rows.items()}, answers)
    now, older, changed = timezone.now(), [], []
    for key, value in values.items():
        row = rows[key]
        age = min(max(0.0, (ages or {}).get(key, 0.0)), 86_400.0)
        typed_at = max(now - timedelta(seconds=age), current.started_at)
        if row.answered_at is not None and row.answered_at > typed_at:
            older.append(key)
            continue
        row.answer, row.answered_at = value, typed_at
        changed.append(row)
    elapsed = ceil((now - current.started_at).total_seconds())
    for key, more in (seconds or {}).items():
        if key in rows and more > 0:
            rows[key].seconds = min(rows[key].seconds + more, elapsed)
            changed.append(rows[key])
    if changed:
        SittingQuestion.objects.bulk_update(
            {row.pk: row for row in changed}.values(), ["answer", "answered_at", "seconds"]
        )
    if values:
        ExamSitting.objects.filter(pk=current.pk).update(saved_at=now)
        current.saved_at = now
    return SaveResult(current, tuple(older))


def _read_answers(questions: Mapping[str, Question], answers: Mapping[str, Any]) -> dict[str, Any]:
    problems: dict[str, list[str]] = {}
    values: dict[str, Any] = {}
    for key, answer in answers.items():
        question = questions.get(key)
        if question is None:
            problems[key] = [_("This question is not part of the exam.")]
            continue
        problem, values[key] = _read(question, answer)
        if problem:
            problems[key] = [problem]
    if problems:
        raise BadInput(fields=problems)
    return values


def _read(question: Question, answer: Any) -> tuple[str | None, Any]:
    """Return (problem or None, the answer as it is stored)."""
    kind = question.kind
    if kind in (Question.Kind.NUMERIC, Question.Kind.SHORT):
        limit = 60 if kind == Question.Kind.NUMERIC else SHORT_TEXT
        return storable.problem_with(answer, limit=limit), answer
    chosen = answer if isinstance(answer, list) else [answer]
    places = [c for c in chosen if c is not None]
    if not all(type(c) is int and 0 <= c < len(question.options) for c in places):
        return _("Choose from the options shown."), None
    if kind == Question.Kind.ORDERING:
        if chosen and (len(chosen) != len(question.options) or len(set(places)) != len(places)):
            return _("Give each item a different position."), None
        return None, chosen
    if len(places) != len(chosen):
        return _("Choose from the options shown."), None
    if kind == Question.Kind.SINGLE and len(chosen) > 1:
        return _("Choose one option."), None
    return None, sorted(set(chosen))


# --- handing in -----------------------------------------------------------------------------------
@action("application.work_on", about="sitting.application")
@transaction.atomic
def hand_in(*, actor: Any, sitting: ExamSitting) -> ExamSitting:
    """Hand in a sitting and grade it. Idempotent; after the deadline the saved answers count.

    The machine grades at once what it can. Short texts wait for a senior. Without any, the result
    is final now: a pass opens the training; a fail leaves the next attempt, or ends the
    application if none is left.
    """
    now = timezone.now()
    current = ExamSitting.objects.select_for_update().get(pk=sitting.pk)
    if current.submitted_at is not None:
        return current
    rows = list(current.paper.select_related("question"))
    for row in rows:
        row.points = points_of(row.question, row.answer)
        row.marked_at = None if row.points is None else now
    SittingQuestion.objects.bulk_update(rows, ["points", "marked_at"])
    current.submitted_at = now
    current.points_possible = sum(row.question.points for row in rows)
    if any(row.points is None for row in rows):
        current.save(update_fields=["submitted_at", "points_possible"])
        if current.application.stage == ApplicationStage.EXAM:  # a closed one needs no grades
            answers_waiting(current)
        return current
    return complete(current, rows, actor=actor)


def complete(
    sitting: ExamSitting, rows: list[SittingQuestion], *, actor: Any = None
) -> ExamSitting:
    """Store the result of a sitting whose answers are all graded, and advance the application.

    Call it inside the transaction that has locked the sitting.

    Args:
        rows: the whole paper with its questions.
    """
    application = sitting.application
    exam = application.domain.exam
    sitting.points = sum(row.points or 0 for row in rows)
    sitting.points_possible = sum(row.question.points for row in rows)
    sitting.pass_percent = exam.pass_percent
    sitting.passed = passes(sitting.points, sitting.points_possible, sitting.pass_percent)
    sitting.wrong_topics = to_study(rows)
    sitting.save(
        update_fields=[
            *("submitted_at", "points", "points_possible", "passed", "pass_percent"),
            "wrong_topics",
        ]
    )
    facts: dict[str, Any] = {
        "points": sitting.points,
        "possible": sitting.points_possible,
        "attempt": sitting.attempt,
    }
    if application.stage != ApplicationStage.EXAM:
        return sitting  # the application was closed meanwhile: keep the result, advance nothing
    if sitting.passed:
        application.advance(ApplicationStage.TRAINING, actor=actor, reason="", **facts)
    elif sitting.attempt >= exam.attempts:
        application.advance(
            ApplicationStage.REJECTED, actor=None, reason="", attempts=sitting.attempt, **facts
        )
    return sitting


def close_overdue() -> int:
    """Hand in the open sittings whose time is over: a periodic job.

    Returns:
        How many were handed in.
    """
    overdue = ExamSitting.objects.filter(
        submitted_at__isnull=True, deadline__lt=timezone.now() - GRACE
    )
    closed = 0
    for sitting in overdue.order_by("deadline"):
        try:
            hand_in(actor=None, sitting=sitting)
        except Conflict:  # the application changed at the same time; left to the next sweep
            continue
        except Exception:  # go on with the other sittings
            log.exception("Sitting %s could not be closed; the next sweep tries again", sitting.pk)
            continue
        closed += 1
    return closed
