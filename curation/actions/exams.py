"""Sitting the exam: begun once, saved as typed, marked by the machine."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.errors import BadInput, Conflict
from curation.lifecycle import ApplicationStage
from curation.marking import mark
from curation.models import Application, ExamSitting, Question

GRACE = timedelta(seconds=30)  # a last save that was under way when time ran out still counts


@transaction.atomic
def start_sitting(*, actor: Any, application: Application) -> ExamSitting:
    """Begin the exam, or return to the sitting that is under way.

    Raises:
        Conflict: not at the exam stage, or no attempt is left.
    """
    if application.stage != ApplicationStage.EXAM:
        raise Conflict(_("The exam is not open for this application now."), code="wrong_stage")
    running = application.sittings.filter(submitted_at__isnull=True).first()
    if running is not None:
        return running
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
    if timezone.now() > current.deadline + GRACE:
        raise Conflict(
            _("The time was over before this answer arrived. What was saved before counts."),
            code="exam_over",
        )
    merged = {**current.answers, **_readable(current, answers)}
    ExamSitting.objects.filter(pk=current.pk).update(answers=merged, saved_at=timezone.now())
    current.answers = merged
    return current


def _readable(sitting: ExamSitting, answers: Mapping[str, Any]) -> dict[str, Any]:
    questions = {q.key_id: q for q in sitting.application.domain.exam.questions.all()}
    problems: dict[str, list[str]] = {}
    values: dict[str, Any] = {}
    for key, answer in answers.items():
        question = questions.get(key)
        if question is None:
            problems[key] = [_("This question is not part of the exam.")]
        elif question.kind == Question.Kind.NUMERIC:
            values[key] = str(answer)[:60]
        else:
            chosen = answer if isinstance(answer, list) else [answer]
            if not all(isinstance(c, int) and 0 <= c < len(question.options) for c in chosen):
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
    exam = current.application.domain.exam
    result = mark(list(exam.questions.all()), current.answers)
    current.submitted_at = now
    current.points = result.points
    current.points_possible = result.possible
    current.passed = result.passes(exam.pass_percent)
    current.wrong_topics = list(result.wrong_topics)
    current.save(
        update_fields=["submitted_at", "points", "points_possible", "passed", "wrong_topics"]
    )
    application = current.application
    if current.passed:
        application.advance(
            ApplicationStage.TRAINING,
            actor=actor,
            reason=_("Exam passed with %(points)s of %(possible)s points.")
            % {"points": result.points, "possible": result.possible},
        )
    elif current.attempt >= exam.attempts:
        application.advance(
            ApplicationStage.REJECTED,
            actor=None,
            reason=_("The exam was not passed in %(n)s attempts.") % {"n": exam.attempts},
        )
    return current


def close_overdue() -> int:
    """Mark the sittings whose time is over and whose candidate never came back.

    Returns:
        how many were closed. Run by the periodic sweep.
    """
    overdue = ExamSitting.objects.filter(
        submitted_at__isnull=True, deadline__lt=timezone.now() - GRACE
    ).annotate(person=F("application__user"))
    closed = 0
    for sitting in overdue:
        hand_in(actor=None, sitting=sitting)
        closed += 1
    return closed
