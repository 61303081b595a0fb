"""Sitting the exam: begun once, saved as typed, marked by the machine."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation import text
from curation.errors import BadInput, Conflict
from curation.lifecycle import ApplicationStage
from curation.marking import mark
from curation.models import Application, ExamSitting, Question

GRACE = timedelta(seconds=30)  # a last save that was under way when time ran out still counts


def is_over(sitting: ExamSitting) -> bool:
    """Whether no answer to this sitting can be saved any more."""
    return sitting.submitted_at is not None or timezone.now() > sitting.deadline + GRACE


@transaction.atomic
def start_sitting(*, actor: Any, application: Application) -> ExamSitting:
    """Begin the exam, or return to the sitting that is under way (handed in if its time is over).

    Raises:
        Conflict: not at the exam stage, or no attempt is left.
    """
    if application.stage != ApplicationStage.EXAM:
        raise Conflict(_("The exam is not open for this application now."), code="wrong_stage")
    running = application.sittings.filter(submitted_at__isnull=True).first()
    if running is not None:
        # Its time may have run out while nobody looked. Then it counts as handed in; the next
        # attempt is begun only by a person who has seen that.
        return hand_in(actor=None, sitting=running) if is_over(running) else running
    exam = application.domain.exam
    used = application.sittings.count()
    if used >= exam.attempts:
        raise Conflict(_("All attempts at this exam are used."), code="no_attempt_left")
    try:
        with transaction.atomic():
            return ExamSitting.objects.create(
                application=application,
                attempt=used + 1,
                deadline=timezone.now() + timedelta(minutes=exam.minutes),
            )
    except IntegrityError:  # a second tab began it a moment ago
        return application.sittings.get(submitted_at__isnull=True)


@transaction.atomic
def save_answers(*, actor: Any, sitting: ExamSitting, answers: Mapping[str, Any]) -> ExamSitting:
    """Save answers while the time runs. Answers to other questions stay.

    Raises:
        Conflict: submitted already, or the time is over.
        BadInput: an answer of a form the question does not have.
    """
    current = ExamSitting.objects.select_for_update().get(pk=sitting.pk)
    if current.submitted_at is not None:
        raise Conflict(_("This exam was handed in already."), code="exam_over")
    if is_over(current):
        raise Conflict(
            _("The time was over before this answer arrived. What was saved before counts."),
            code="exam_over",
        )
    merged = {**current.answers, **_readable(current, answers)}
    ExamSitting.objects.filter(pk=current.pk).update(answers=merged, saved_at=timezone.now())
    current.answers = merged
    return current


def _readable(sitting: ExamSitting, answers: Mapping[str, Any]) -> dict[str, Any]:
    exam = sitting.application.domain.exam
    questions = {q.key_id: q for q in exam.questions.defer("key")}  # a save needs no key
    problems: dict[str, list[str]] = {}
    values: dict[str, Any] = {}
    for key, answer in answers.items():
        question = questions.get(key)
        if question is None:
            problems[key] = [_("This question is not part of the exam.")]
        elif question.kind == Question.Kind.NUMERIC:
            problem = text.problem_with(answer, limit=60)
            if problem:
                problems[key] = [problem]
            else:
                values[key] = answer
        else:
            chosen = answer if isinstance(answer, list) else [answer]
            if not all(type(c) is int and 0 <= c < len(question.options) for c in chosen):
                problems[key] = [_("Choose from the options shown.")]
            elif question.kind == Question.Kind.SINGLE and len(chosen) > 1:
                problems[key] = [_("Choose one option.")]
            else:
                values[key] = sorted(set(chosen))
    if problems:
        raise BadInput(fields=problems)
    return values


@transaction.atomic
def hand_in(*, actor: Any, sitting: ExamSitting) -> ExamSitting:
    """Hand in and mark. Handing in twice gives the first result; late, what was saved counts.

    A pass opens the training. A fail leaves the next attempt, or ends the application when
    none is left.
    """
    now = timezone.now()
    current = ExamSitting.objects.select_for_update().get(pk=sitting.pk)
    if current.submitted_at is not None:
        return current
    application = current.application
    exam = application.domain.exam
    result = mark(list(exam.questions.all()), current.answers)
    current.submitted_at = now
    current.points = result.points
    current.points_possible = result.possible
    current.passed = result.passes(exam.pass_percent)
    current.wrong_topics = result.to_study()
    current.save(
        update_fields=["submitted_at", "points", "points_possible", "passed", "wrong_topics"]
    )
    facts: dict[str, Any] = {
        "points": result.points,
        "possible": result.possible,
        "attempt": current.attempt,
    }
    if application.stage != ApplicationStage.EXAM:
        return current  # staff closed the application meanwhile: the result is kept, nothing moves
    if current.passed:
        application.advance(ApplicationStage.TRAINING, actor=actor, reason="", **facts)
    elif current.attempt >= exam.attempts:
        application.advance(
            ApplicationStage.REJECTED, actor=None, reason="", attempts=current.attempt, **facts
        )
    return current


def close_overdue() -> int:
    """Mark the sittings whose time is over and whose candidate never came back.

    Returns:
        how many were closed. Run by the periodic sweep.
    """
    overdue = ExamSitting.objects.filter(
        submitted_at__isnull=True, deadline__lt=timezone.now() - GRACE
    )
    closed = 0
    for sitting in overdue:
        try:
            hand_in(actor=None, sitting=sitting)
        except Conflict:  # somebody moved the application in this very moment: next sweep
            continue
        closed += 1
    return closed
