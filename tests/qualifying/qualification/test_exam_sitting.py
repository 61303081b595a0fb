"""Sitting the exam: begun once, saved as answered, found again exactly."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.bank_models import Exam, Question
from curation.qualifying.exams.models import ExamSitting
from tests.markup import one_line
from tests.qualifying.qualification.exams import save, stored

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
SignIn = Callable[[User], Client]


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
    assert stored(sitting) == {"q1": [2], "q2": [0, 3], "q3": "73 519,25"}
    page = one_line(browser.get(f"/exams/{sitting.pk}/").content.decode())
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
    assert stored(sitting) == {"q1": [2], "q3": "5"}


def test_the_last_tick_can_be_taken_away(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    save(browser, sitting, q_q2="1", m_q2="1")
    assert 2 in save(browser, sitting, m_q2="1").json()["open"]
    assert stored(sitting) == {"q2": []}


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
    assert stored(sitting) == {}


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


# --- what a paper is made of --------------------------------------------------------------------
def test_places_on_the_page_are_this_candidates_own_and_stored_as_the_banks(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    """The page must not tell the bank's order, in which a key may be obvious."""
    sitting.paper.filter(question__key_id="q2").update(order=[3, 2, 1, 0])
    browser = sign_in(applicant)
    save(browser, sitting, q_q2=["0", "3"], m_q2="1")
    assert stored(sitting) == {"q2": [0, 3]}
    save(browser, sitting, q_q2=["1"], m_q2="1")
    assert stored(sitting) == {"q2": [2]}
    page = one_line(browser.get(f"/exams/{sitting.pk}/").content.decode())
    assert page.index("Minorities") < page.index("Pensions")
    assert 'name="q-q2" value="1" data-key="2" checked' in page


def test_an_order_is_saved_by_the_numbers_of_its_items(
    sign_in: SignIn, applicant: User, ordering: Question, sitting: ExamSitting
) -> None:
    sitting.paper.filter(question=ordering).update(order=[0, 1, 2, 3])
    browser = sign_in(applicant)
    answer = save(browser, sitting, o_q5_0="3", o_q5_1="1", o_q5_2="4")
    assert 4 in answer.json()["open"]  # one item has no number yet
    assert stored(sitting) == {"q5": [1, None, 0, 2]}
    assert (
        4
        not in save(browser, sitting, o_q5_0="3", o_q5_1="1", o_q5_2="4", o_q5_3="2").json()["open"]
    )
    assert stored(sitting) == {"q5": [1, 3, 0, 2]}
    page = browser.get(f"/exams/{sitting.pk}/").content.decode()
    assert page.index("first") < page.index("second") < page.index("third")


def test_two_items_with_one_number_are_no_answer_yet(
    sign_in: SignIn, applicant: User, ordering: Question, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    answer = save(browser, sitting, o_q5_0="1", o_q5_1="1", o_q5_2="9", o_q5_3="x")
    assert answer.status_code == 200
    assert 4 in answer.json()["open"]


def test_a_short_text_is_kept_as_typed(
    sign_in: SignIn, applicant: User, short: Question, sitting: ExamSitting
) -> None:
    browser = sign_in(applicant)
    words = "First line.\n<b>Second</b>"
    save(browser, sitting, q_q4=words)
    assert stored(sitting) == {"q4": words}
    assert "&lt;b&gt;Second&lt;/b&gt;" in browser.get(f"/exams/{sitting.pk}/").content.decode()
    assert save(browser, sitting, q_q4="x" * 4001).status_code == 400


def test_a_question_retired_meanwhile_stays_in_the_paper_that_holds_it(
    sign_in: SignIn, applicant: User, exam: Exam, sitting: ExamSitting
) -> None:
    exam.questions.update(active=False)
    browser = sign_in(applicant)
    assert "Compute the loss." in browser.get(f"/exams/{sitting.pk}/").content.decode()
    assert save(browser, sitting, q_q3="5").status_code == 200


# --- time ---------------------------------------------------------------------------------------
def test_seconds_in_view_add_up_and_never_exceed_the_time_that_passed(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    ExamSitting.objects.filter(pk=sitting.pk).update(
        started_at=timezone.now() - timedelta(seconds=100)
    )
    browser = sign_in(applicant)
    save(browser, sitting, q_q1="2", s_q1="20", s_q3="15")
    save(browser, sitting, s_q1="10", s_q2="99999", s_q3="-4", s_nowhere="4")
    seconds = dict(sitting.paper.values_list("question__key_id", "seconds"))
    assert seconds["q1"] == 30
    assert seconds["q3"] == 15
    assert 100 <= seconds["q2"] <= 110
    assert stored(sitting) == {"q1": [2]}


def test_what_was_typed_last_counts_whatever_arrives_first(
    sign_in: SignIn, applicant: User, sitting: ExamSitting
) -> None:
    """A laptop comes back from a tunnel after the answer was changed on another machine."""
    ExamSitting.objects.filter(pk=sitting.pk).update(
        started_at=timezone.now() - timedelta(minutes=10)
    )
    browser = sign_in(applicant)
    save(browser, sitting, q_q1="2")
    answer = save(browser, sitting, q_q1="0", a_q1="300", q_q3="7", a_q3="290")
    assert answer.json()["older"] == [1]
    assert stored(sitting) == {"q1": [2], "q3": "7"}
    assert save(browser, sitting, q_q1="0").json()["older"] == []
    assert stored(sitting)["q1"] == [0]
