"""The exam: begun once, saved as answered, marked by the machine, its keys never shown."""

import logging
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.actions.exams import close_overdue, save_answers, start_sitting
from curation.actions.qualification import turn_down
from curation.models import Application, Exam, ExamSitting, Question, User
from judge import jobs
from tests.qualification.conftest import RIGHT

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
SignIn = Callable[[User], Client]


@pytest.fixture
def sitting(at_exam: Go, applicant: User) -> ExamSitting:
    return start_sitting(actor=applicant, application=at_exam(applicant))


def late(sitting: ExamSitting, seconds: int) -> None:
    ExamSitting.objects.filter(pk=sitting.pk).update(
        deadline=timezone.now() - timedelta(seconds=seconds)
    )


def save(browser: Client, sitting: ExamSitting, **answers: Any) -> Any:
    data = {name.replace("_", "-"): value for name, value in answers.items()}
    return browser.post(f"/exams/{sitting.pk}/save/", data, headers={"Accept": "application/json"})


def test_the_intro_says_what_counts_before_the_clock_starts(
    sign_in: SignIn, applicant: User, at_exam: Go
) -> None:
    application = at_exam(applicant)
    page = sign_in(applicant).get(f"/applications/{application.pk}/exam/").content.decode()
    assert "30 minutes for 3 questions" in page
    assert "3 of 5 points (60 %)" in page
    assert "1 of 2" in page
    assert not ExamSitting.objects.exists()


def test_starting_twice_is_one_attempt(sign_in: SignIn, applicant: User, at_exam: Go) -> None:
    application, browser = at_exam(applicant), sign_in(applicant)
    first = browser.post(f"/applications/{application.pk}/exam/")
    second = browser.post(f"/applications/{application.pk}/exam/")
    assert first["Location"] == second["Location"]
    assert ExamSitting.objects.count() == 1
    # and the intro leads back into it
    assert browser.get(f"/applications/{application.pk}/exam/")["Location"] == first["Location"]


def test_the_exam_waits_for_the_staff(
    sign_in: SignIn, applicant: User, applied: Go, exam: Exam
) -> None:
    application, browser = applied(applicant), sign_in(applicant)
    assert browser.post(f"/applications/{application.pk}/exam/").status_code == 409
    assert browser.get(f"/applications/{application.pk}/exam/").status_code == 409


def test_every_answer_is_saved_with_its_time_and_found_again(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    answer = save(browser, sitting, q_q1="2")
    assert answer.status_code == 200
    assert len(answer.json()["saved_at"]) == len("12:30:59")
    assert save(browser, sitting, q_q2=["3", "0"], m_q2="1", q_q3="73 519,25").json()["open"] == []
    sitting.refresh_from_db()
    assert sitting.answers == {"q1": [2], "q2": [0, 3], "q3": "73 519,25"}
    page = browser.get(f"/exams/{sitting.pk}/").content.decode()
    assert page.count(" checked") == 3
    assert 'value="73 519,25"' in page
    assert "3 of 3 answered" in page


def test_a_save_leaves_the_answers_it_does_not_name(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    """Two tabs: neither wipes out what the other one saved."""
    browser = sign_in(applicant)
    save(browser, sitting, q_q1="2")
    save(browser, sitting, q_q3="5")
    sitting.refresh_from_db()
    assert sitting.answers == {"q1": [2], "q3": "5"}


def test_the_last_tick_can_be_taken_away(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    save(browser, sitting, q_q2="1", m_q2="1")
    assert 2 in save(browser, sitting, m_q2="1").json()["open"]
    sitting.refresh_from_db()
    assert sitting.answers == {"q2": []}


def test_a_number_that_cannot_be_read_is_kept_and_said(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    answer = save(browser, sitting, q_q3="about ten")
    assert answer.json()["unreadable"] == [3]
    assert 'value="about ten"' in browser.get(f"/exams/{sitting.pk}/").content.decode()


@pytest.mark.parametrize(
    "answers",
    [
        {"q_q1": "3"},
        {"q_q1": "-1"},
        {"q_q1": "x"},
        {"q_q1": ["0", "1"]},
        {"q_q1": "9" * 5000},
        {"q_q2": ["0", "9"]},
        {"q_q3": "1" * 61},
        {"q_q3": "1\x002"},
    ],
)
def test_an_answer_the_question_does_not_have_is_refused_and_nothing_is_saved(
    sign_in: SignIn, applicant: User, sitting: ExamSitting, answers: dict[str, Any]
) -> None:
    answer = save(sign_in(applicant), sitting, **answers)
    assert answer.status_code == 400
    assert answer.json()["fields"]
    sitting.refresh_from_db()
    assert sitting.answers == {}


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
    assert sitting.answers == {"q1": [2]}
    answer = browser.post(f"/exams/{sitting.pk}/hand-in/", {"confirmed": "1"})
    assert answer.status_code == 302
    sitting.refresh_from_db()
    assert (sitting.points, sitting.points_possible, sitting.passed) == (2, 5, False)


def test_a_pass_opens_the_training(sign_in: SignIn, applicant: User, sitting: ExamSitting) -> None:
    browser = sign_in(applicant)
    data = {"q-q1": "2", "q-q2": ["0", "3"], "q-q3": "73519.25"}
    answer = browser.post(f"/exams/{sitting.pk}/hand-in/", data)
    assert answer["Location"] == f"/exams/{sitting.pk}/"
    page = browser.get(answer["Location"]).content.decode()
    assert "You passed with 5 of 5 points." in page
    assert "Every answer was right." in page
    assert sitting.application.history.filter(to_stage="training").exists()
    story = browser.get(f"/applications/{sitting.application_id}/").content.decode()
    assert "Exam passed with 5 of 5 points." in story


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
    assert browser.post(f"/applications/{sitting.application_id}/exam/").status_code == 409


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
    turn_down(actor=staff, application=sitting.application, reason="Not the profile's owner.")
    other = person("other")
    other_sitting = start_sitting(actor=other, application=at_exam(other))
    late(sitting, 31)
    late(other_sitting, 31)
    assert close_overdue() == 2
    sitting.application.refresh_from_db()
    assert sitting.application.stage == "rejected"


def test_another_persons_exam_does_not_exist_for_anybody(
    sign_in: SignIn, peer: User, staff: User, senior: User, sitting: ExamSitting
) -> None:
    for other in (peer, staff, senior):
        browser = sign_in(other)
        assert browser.get(f"/exams/{sitting.pk}/").status_code == 404
        assert save(browser, sitting, q_q1="2").status_code == 404
        assert browser.post(f"/exams/{sitting.pk}/hand-in/").status_code == 404
    assert Client().get(f"/exams/{sitting.pk}/").status_code == 302
    assert save(Client(), sitting, q_q1="2").status_code == 401


def test_autosave_takes_nothing_but_a_post(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    assert sign_in(applicant).get(f"/exams/{sitting.pk}/save/").status_code == 405


# --- keys ----------------------------------------------------------------------------------------
def everything_sent(browser: Client, sitting: ExamSitting, *, finish: bool) -> str:
    """Every page and answer a candidate can get hold of, as one text."""
    pk, application = sitting.pk, sitting.application_id
    seen = [
        browser.get(f"/applications/{application}/"),
        browser.get(f"/exams/{pk}/"),
        save(browser, sitting, q_q1="1", q_q3="12"),
        save(browser, sitting, q_q1="7"),
        browser.post(f"/exams/{pk}/hand-in/", {}),
    ]
    if finish:
        browser.post(f"/exams/{pk}/hand-in/", {"confirmed": "1"})
        seen += [
            browser.get(f"/exams/{pk}/"),
            browser.get(f"/applications/{application}/"),
            browser.get(f"/applications/{application}/exam/"),
            save(browser, sitting, q_q1="1"),
        ]
    return "\n".join(
        answer.content.decode() + "\n".join(f"{k}: {v}" for k, v in answer.items())
        for answer in seen
    )


def test_planted_keys_appear_in_no_page_no_answer_and_no_log(
    sign_in: SignIn, applicant: User, sitting: ExamSitting, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        text = everything_sent(sign_in(applicant), sitting, finish=True)
    logged = "\n".join(r.getMessage() for r in caplog.records if r.name != "django.db.backends")
    for secret in ("73519", "0.417", "tolerance"):
        assert secret not in text
        assert secret not in logged


def test_what_a_candidate_gets_does_not_depend_on_the_keys_of_the_open_questions(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    """The indexes of right options cannot be searched for, so two keys are compared instead."""
    browser = sign_in(applicant)
    texts = []
    for q1, q2, q3 in (([2], [0, 3], "73519.25"), ([0], [1], "4")):
        for key_id, key in (("q1", q1), ("q2", q2), ("q3", {"value": q3})):
            Question.objects.filter(key_id=key_id).update(key=key)
        ExamSitting.objects.filter(pk=sitting.pk).update(answers={}, saved_at=None)
        texts.append(
            "".join(
                (
                    browser.get(f"/applications/{sitting.application_id}/").content.decode(),
                    _still(browser.get(f"/exams/{sitting.pk}/").content.decode()),
                )
            )
        )
        answer = save(browser, sitting, q_q1="0", q_q2="1", m_q2="1", q_q3="4").json()
        answer.pop("saved_at")
        texts[-1] += str(answer)
    assert _still(texts[0]) == _still(texts[1])


def _still(page: str) -> str:
    """Without what differs between two loads of the same page."""
    page = re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", page)
    page = re.sub(r'"X-CSRFToken": "[^"]+"', "", page)
    return re.sub(r'data-now="[^"]+"', "", page)


def test_while_the_exam_runs_the_key_column_is_not_even_read(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    with CaptureQueriesContext(connection) as queries:
        browser.get(f"/exams/{sitting.pk}/")
        save(browser, sitting, q_q1="1")
        browser.post(f"/exams/{sitting.pk}/hand-in/", {})
    assert not [q["sql"] for q in queries if '"curation_question"."key",' in q["sql"]]
    assert not [q["sql"] for q in queries if '"curation_question"."key" ' in q["sql"]]


def test_the_paper_costs_the_same_for_three_and_for_thirty_questions(
    sign_in: SignIn, applicant: User, exam: Exam, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    with CaptureQueriesContext(connection) as few:
        browser.get(f"/exams/{sitting.pk}/")
    Question.objects.bulk_create(
        Question(
            exam=exam, key_id=f"x{n}", position=n + 9, kind="single", text="?", options=["a", "b"],
            key=[0],
        )
        for n in range(27)
    )  # fmt: skip
    with CaptureQueriesContext(connection) as many:
        browser.get(f"/exams/{sitting.pk}/")
    assert len(many) == len(few)


def test_the_worker_marks_exams_nobody_came_back_to(applicant: User, sitting: ExamSitting) -> None:
    save_answers(actor=applicant, sitting=sitting, answers=RIGHT)
    late(sitting, 31)
    jobs.sweep()
    sitting.application.refresh_from_db()
    assert sitting.application.stage == "training"


def test_the_work_command_marks_them_too(applicant: User, sitting: ExamSitting) -> None:
    late(sitting, 31)
    assert jobs.drain() == 1
    sitting.refresh_from_db()
    assert sitting.passed is False
    assert jobs.drain() == 0


def test_an_exam_that_cannot_be_marked_does_not_stop_the_sweep(
    sitting: ExamSitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any) -> None:
        raise ValueError("a key of a form nobody knows")

    late(sitting, 31)
    monkeypatch.setattr("curation.actions.exams.mark", broken)
    assert jobs.sweep() == 0
    sitting.refresh_from_db()
    assert sitting.submitted_at is None
