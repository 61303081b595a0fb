"""Handing in: asked once, marked by the machine, the server's clock decides."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.actions import close_overdue, save_answers, start_sitting
from curation.qualifying.exams.bank_models import Exam
from curation.qualifying.exams.models import ExamSitting
from curation.qualifying.qualification.actions import reject
from judge.jobs import jobs
from tests.qualifying.qualification.conftest import RIGHT
from tests.qualifying.qualification.exams import late, save, stored

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
SignIn = Callable[[User], Client]


def test_handing_in_asks_once_about_open_questions_and_saves_what_was_sent_along(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    answer = browser.post(f"/exams/{sitting.pk}/hand-in/", {"q-q1": "2"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "2 questions have no answer yet." in page
    assert 'href="#question-2"' in page
    sitting.refresh_from_db()
    assert sitting.submitted_at is None
    assert stored(sitting) == {"q1": [2]}
    answer = browser.post(f"/exams/{sitting.pk}/hand-in/", {"confirmed": "1"})
    assert answer.status_code == 302
    sitting.refresh_from_db()
    assert (sitting.points, sitting.points_possible, sitting.passed) == (2, 5, False)


def test_an_exam_is_handed_in_by_a_second_press_and_a_pass_opens_the_training(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    data = {"q-q1": "2", "q-q2": ["0", "3"], "q-q3": "73519.25"}
    answer = browser.post(f"/exams/{sitting.pk}/hand-in/", data)
    assert answer.status_code == 200
    asked = answer.content.decode()
    assert "Every question has an answer." in asked
    assert "Once it is handed in, no answer can be changed." in asked
    sitting.refresh_from_db()
    assert sitting.submitted_at is None
    answer = browser.post(f"/exams/{sitting.pk}/hand-in/", data | {"confirmed": "1"})
    assert answer["Location"] == f"/exams/{sitting.pk}/"
    page = browser.get(answer["Location"]).content.decode()
    assert "You passed with 5 of 5 points." in page
    assert "Every answer was right." in page
    assert sitting.application.history.filter(to_stage="training").exists()
    story = browser.get(f"/applications/{sitting.application_id}/").content.decode()
    assert "Exam passed with 5 of 5 points." in story


def test_the_address_of_a_marked_exam_leads_to_its_result(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    client = sign_in(applicant)
    start = f"/applications/{sitting.application_id}/exam/"
    assert client.get(start)["Location"] == f"/exams/{sitting.pk}/"
    data = {"q-q1": "2", "q-q2": ["0", "3"], "q-q3": "73519.25", "confirmed": "1"}
    client.post(f"/exams/{sitting.pk}/hand-in/", data)
    sitting.application.refresh_from_db()
    assert sitting.application.stage == "training"
    assert client.get(start)["Location"] == f"/exams/{sitting.pk}/"
    assert "points" in client.get(f"/exams/{sitting.pk}/").content.decode()


def test_a_fail_shows_points_pass_mark_and_what_to_study_and_leaves_the_next_attempt(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    browser.post(f"/exams/{sitting.pk}/hand-in/", {"q-q1": "2", "confirmed": "1"})
    page = browser.get(f"/exams/{sitting.pk}/").content.decode()
    assert "You reached 2 of 5 points; 3 are needed to pass." in page
    assert "Go through the equity bridge." in page
    assert "Revise discounting." in page
    assert "Read up on leases." not in page  # that question was right
    browser.post(f"/applications/{sitting.application_id}/exam/")
    second = ExamSitting.objects.get(attempt=2)
    browser.post(f"/exams/{second.pk}/hand-in/", {"confirmed": "1"})
    sitting.application.refresh_from_db()
    assert sitting.application.stage == "rejected"
    page = browser.get(f"/applications/{sitting.application_id}/").content.decode()
    assert "The exam was not passed in 2 attempts." in page
    assert "You reached 0 of 5 points; 3 are needed to pass." in page
    assert browser.post(f"/applications/{sitting.application_id}/exam/").status_code == 409


def test_a_result_names_the_pass_mark_of_its_own_day(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    browser.post(f"/exams/{sitting.pk}/hand-in/", {"q-q1": "2", "confirmed": "1"})
    Exam.objects.update(pass_percent=20)
    pages = (
        browser.get(f"/exams/{sitting.pk}/").content.decode(),
        browser.get(f"/applications/{sitting.application_id}/").content.decode(),
    )
    for page in pages:
        assert "You reached 2 of 5 points; 3 are needed to pass." in page
    assert "the pass mark: 3 points (60 %)" in pages[0]


def test_a_result_whose_pass_mark_was_not_kept_names_none(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    browser.post(f"/exams/{sitting.pk}/hand-in/", {"q-q1": "2", "confirmed": "1"})
    ExamSitting.objects.update(pass_percent=None)
    page = browser.get(f"/exams/{sitting.pk}/").content.decode()
    assert "You reached 2 of 5 points, not enough to pass." in page
    assert "Attempt 1 of 2." in page
    assert "pass mark" not in page


def test_a_number_beyond_all_bounds_is_no_answer_and_the_exam_can_be_handed_in(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    data = {"q-q1": "2", "q-q2": ["0", "3"], "q-q3": "1e9999999"}
    answer = browser.post(f"/exams/{sitting.pk}/hand-in/", data)
    assert "what you typed cannot be read as a number" in answer.content.decode()
    answer = browser.post(f"/exams/{sitting.pk}/hand-in/", data | {"confirmed": "1"})
    assert answer.status_code == 302
    sitting.refresh_from_db()
    assert sitting.points == 4


def test_handing_in_twice_gives_the_first_result(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    for data in ({"confirmed": "1"}, {"q-q1": "2", "confirmed": "1"}):
        assert browser.post(f"/exams/{sitting.pk}/hand-in/", data).status_code == 302
    sitting.refresh_from_db()
    assert sitting.points == 0
    assert sitting.application.sittings.count() == 1


def test_after_the_time_nothing_is_saved_and_what_was_saved_counts(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    save(browser, sitting, q_q1="2")
    late(sitting, 31)
    answer = save(browser, sitting, q_q3="73519.25")
    assert answer.status_code == 409
    assert answer.json()["code"] == "exam_over"
    page = browser.get(f"/exams/{sitting.pk}/").content.decode()  # opening it shows the result
    assert "You reached 2 of 5 points" in page
    assert "The time ran out" in page


def test_the_last_save_under_way_when_the_time_ran_out_still_counts(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    late(sitting, 20)
    assert save(sign_in(applicant), sitting, q_q1="2").status_code == 200


def test_a_stale_start_button_shows_the_result_instead_of_burning_the_next_attempt(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    late(sitting, 31)
    browser = sign_in(applicant)
    answer = browser.post(f"/applications/{sitting.application_id}/exam/")
    assert answer["Location"] == f"/exams/{sitting.pk}/"
    assert ExamSitting.objects.count() == 1


def test_the_sweep_marks_exams_nobody_came_back_to(applicant: User, sitting: ExamSitting) -> None:
    save_answers(actor=applicant, sitting=sitting, answers=RIGHT)
    assert close_overdue() == 0
    late(sitting, 31)
    assert close_overdue() == 1
    assert close_overdue() == 0
    sitting.application.refresh_from_db()
    assert sitting.application.stage == "training"


def test_an_application_closed_during_the_exam_stays_closed_and_does_not_stop_the_sweep(
    sign_in: SignIn, applicant: User, staff: User, sitting: ExamSitting, at_exam: Go, person: Any
) -> None:
    save_answers(actor=applicant, sitting=sitting, answers=RIGHT)
    reject(actor=staff, application=sitting.application, reason="Not the profile's owner.")
    other = person("other")
    other_sitting = start_sitting(actor=other, application=at_exam(other))
    late(sitting, 31)
    late(other_sitting, 31)
    assert close_overdue() == 2
    sitting.application.refresh_from_db()
    assert sitting.application.stage == "rejected"


def test_the_worker_marks_exams_nobody_came_back_to(applicant: User, sitting: ExamSitting) -> None:
    save_answers(actor=applicant, sitting=sitting, answers=RIGHT)
    late(sitting, 31)
    jobs.sweep()
    sitting.application.refresh_from_db()
    assert sitting.application.stage == "training"


def test_the_work_command_marks_them_too(applicant: User, sitting: ExamSitting) -> None:
    late(sitting, 31)
    assert jobs.drain() >= 1  # and the letters about it
    sitting.refresh_from_db()
    assert sitting.passed is False
    assert jobs.drain() == 0


def test_an_exam_that_cannot_be_marked_does_not_stop_the_sweep(
    sitting: ExamSitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any) -> None:
        raise ValueError("a key of a form nobody knows")

    late(sitting, 31)
    monkeypatch.setattr("curation.qualifying.exams.actions.points_of", broken)
    assert jobs.sweep() == 0
    sitting.refresh_from_db()
    assert sitting.submitted_at is None
