"""The last second: saving, handing in and the sweep at once, and two seniors on one answer."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from curation.base.web.refusals import Conflict
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.actions import close_overdue, hand_in, save_answers, start_sitting
from curation.qualifying.exams.bank_models import Question
from curation.qualifying.exams.grading_actions import mark_answer
from curation.qualifying.exams.models import ExamSitting
from tests.qualifying.qualification.conftest import RIGHT
from tests.qualifying.qualification.exams import late, stored

pytestmark = pytest.mark.django_db(transaction=True)
Go = Callable[[User], Application]


def at_once(*steps: Callable[[], Any]) -> list[Any]:
    """Do each step on a connection of its own at the same moment; results, or the refusals."""
    start, results = threading.Barrier(len(steps)), [None] * len(steps)

    def run(place: int, step: Callable[[], Any]) -> None:
        try:
            start.wait(timeout=60)
            results[place] = step()
        except Conflict as refusal:
            results[place] = refusal
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(steps)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    return results


def test_begun_in_ten_windows_it_is_one_sitting_with_one_paper(
    applicant: User, at_exam: Go
) -> None:
    application = at_exam(applicant)

    def begin() -> Any:
        return start_sitting(
            actor=applicant, application=Application.objects.get(pk=application.pk)
        )

    assert {sitting.pk for sitting in at_once(*[begin] * 10)} == {ExamSitting.objects.get().pk}
    assert ExamSitting.objects.get().paper.count() == 3


def test_saves_of_two_windows_at_once_are_both_kept(applicant: User, sitting: ExamSitting) -> None:
    def save(**answers: Any) -> Callable[[], Any]:
        return lambda: save_answers(actor=applicant, sitting=sitting, answers=answers)

    at_once(save(q1=[2]), save(q2=[0, 3]), save(q3="73519.25"), save(q1=[2]))
    assert stored(sitting) == RIGHT


def test_a_save_in_the_last_second_is_marked_or_refused_and_never_lost_silently(
    applicant: User, sitting: ExamSitting
) -> None:
    save_answers(actor=applicant, sitting=sitting, answers={"q2": [0, 3]})
    late(sitting, 29)  # one second before the grace is over

    def save() -> Any:
        return save_answers(actor=applicant, sitting=sitting, answers={"q1": [2]})

    def give_in() -> Any:
        return hand_in(actor=applicant, sitting=sitting)

    results = at_once(save, give_in, close_overdue, give_in, close_overdue)
    sitting.refresh_from_db()
    saved_in_time = not isinstance(results[0], Conflict)
    assert stored(sitting) == {"q2": [0, 3]} | ({"q1": [2]} if saved_in_time else {})
    assert sitting.points == (4 if saved_in_time else 2)
    application = Application.objects.get(pk=sitting.application_id)
    passed = application.history.filter(to_stage="training").count()
    assert passed == int(saved_in_time)  # 4 of 5 points pass, 2 do not
    assert application.sittings.count() == 1


def test_two_seniors_on_the_last_answers_complete_the_result_once(
    applicant: User, person: Any, finance: Any, short: Question, at_exam: Go
) -> None:
    Question.objects.create(
        exam=short.exam, key_id="q6", position=6, kind="short", topic="Judgement", text="And now?",
        key={"guide": "One point."}, points=1,
    )  # fmt: skip
    sitting = start_sitting(actor=applicant, application=at_exam(applicant))
    answers = {**RIGHT, "q4": "A note.", "q6": "Another note."}
    save_answers(actor=applicant, sitting=sitting, answers=answers)
    hand_in(actor=applicant, sitting=sitting)
    seniors = [person(f"senior{n}", finance, senior=True) for n in range(4)]
    rows = list(
        sitting.paper.filter(points=None).select_related("question", "sitting__application")
    )

    def mark(senior: User, row: Any) -> Callable[[], Any]:
        most = row.question.points
        return lambda: mark_answer(actor=senior, answer=row, points=most, remark="")

    results = at_once(*(mark(senior, rows[n % 2]) for n, senior in enumerate(seniors)))
    assert sum(isinstance(result, Conflict) for result in results) == 2
    sitting.refresh_from_db()
    assert (sitting.points, sitting.passed) == (9, True)
    application = Application.objects.get(pk=sitting.application_id)
    assert application.history.filter(to_stage="training").count() == 1
