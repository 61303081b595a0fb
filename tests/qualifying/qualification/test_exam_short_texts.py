"""Short texts: marked by a senior without a name, question by question; the last mark decides."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.base.web.refusals import Conflict, Denied
from curation.joining.invitations.actions import record_arrival, renew_referral
from curation.joining.notices.models import Notice
from curation.joining.people import Qualification, User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.actions import hand_in, save_answers, start_sitting
from curation.qualifying.exams.bank_models import Question
from curation.qualifying.exams.grading_actions import change_mark, mark_answer
from curation.qualifying.exams.models import ExamSitting
from curation.qualifying.qualification.actions import reject
from curation.telling.activity.reminders import remind_people
from review.conflicts.models import ConflictOfInterest
from tests.qualifying.qualification.conftest import RIGHT

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
SignIn = Callable[[User], Client]
WORDS = "The covenant holds only with the add-back."


@pytest.fixture
def hands_in(at_exam: Go, short: Question) -> Callable[..., ExamSitting]:
    """Somebody hands in: all right, with a short text."""

    def go(user: User, words: str = WORDS, **answers: Any) -> ExamSitting:
        sitting = start_sitting(actor=user, application=at_exam(user))
        save_answers(actor=user, sitting=sitting, answers={**RIGHT, **answers, "q4": words})
        return hand_in(actor=user, sitting=sitting)

    return go


def answer_of(sitting: ExamSitting) -> int:
    return sitting.paper.get(question__kind="short").pk


def test_a_sitting_with_a_short_text_waits_and_says_for_whom_and_until_when(
    sign_in: SignIn, applicant: User, senior: User, hands_in: Any
) -> None:
    sitting = hands_in(applicant)
    assert (sitting.passed, sitting.points) == (None, None)
    browser = sign_in(applicant)
    due = sitting.submitted_at + timedelta(days=5)
    page = browser.get(f"/exams/{sitting.pk}/").content.decode()
    assert "A senior marks 1 short text" in page
    assert f"{due:%a} {due.day} {due:%b}" in page
    assert "Leases" not in page  # no points of any topic yet
    assert "of 8" not in page
    assert (
        "A senior is marking your exam"
        in browser.get(f"/applications/{sitting.application_id}/").content.decode()
    )
    assert "marks your short texts" in browser.get("/").content.decode()
    assert browser.post(f"/applications/{sitting.application_id}/exam/").status_code == 409
    assert Notice.objects.filter(recipient=senior, kind="answers_waiting").count() == 1


def test_nobody_is_asked_to_mark_for_an_application_that_was_closed_meanwhile(
    sign_in: SignIn, applicant: User, staff: User, senior: User, short: Question, at_exam: Go
) -> None:
    application = at_exam(applicant)
    sitting = start_sitting(actor=applicant, application=application)
    save_answers(actor=applicant, sitting=sitting, answers={"q4": WORDS})
    reject(actor=staff, application=application, reason="The licence has lapsed.")
    hand_in(actor=None, sitting=sitting)
    assert not Notice.objects.filter(kind="answers_waiting").exists()
    assert "No answers are waiting" in sign_in(senior).get("/seniors/answers/").content.decode()


def test_a_text_left_empty_needs_no_senior(applicant: User, hands_in: Any) -> None:
    assert hands_in(applicant, words=" \u200b\n").passed is True  # 5 of 8 points reach 60 %


def test_a_senior_marks_without_a_name_and_the_last_mark_moves_the_application(
    sign_in: SignIn, applicant: User, senior: User, hands_in: Any
) -> None:
    sitting = hands_in(applicant)
    browser = sign_in(senior)
    home = browser.get("/").content.decode()
    assert "Mark answers of an exam" in home
    queue = browser.get("/seniors/answers/").content.decode()
    assert "What do you tell the committee?" in queue
    address = f"/seniors/answers/{answer_of(sitting)}/"
    page = browser.get(address).content.decode()
    assert "Ledgers first" in page
    assert WORDS in page
    for text in (home, queue, page):
        for secret in (
            applicant.email,
            applicant.display_name,
            applicant.pseudonym,
            "Harbour Bank",
        ):
            assert secret not in text
    reply = browser.post(address, {"points": "2", "remark": "The third ledger is missing."})
    assert reply["Location"] == "/seniors/answers/"
    sitting.refresh_from_db()
    assert (sitting.points, sitting.points_possible, sitting.passed) == (7, 8, True)
    sitting.application.refresh_from_db()
    assert sitting.application.stage == "training"
    row = sitting.paper.get(question__kind="short")
    assert (row.marked_by, row.points) == (senior, 2)
    page = sign_in(applicant).get(f"/exams/{sitting.pk}/").content.decode()
    assert "You passed with 7 of 8 points." in page
    assert "The third ledger is missing." in page
    assert "2 of 3" in page
    assert "Practise short notes." in page
    assert "Ledgers first" not in page
    assert senior.pseudonym not in page
    story = sign_in(applicant).get(f"/applications/{sitting.application_id}/").content.decode()
    assert senior.pseudonym not in story


def test_a_fail_after_marking_is_told_and_leaves_the_next_attempt(
    sign_in: SignIn, applicant: User, senior: User, hands_in: Any
) -> None:
    sitting = hands_in(applicant, q1=[0], q2=[1])
    browser = sign_in(senior)
    browser.post(f"/seniors/answers/{answer_of(sitting)}/", {"points": "0", "remark": "Nothing."})
    sitting.refresh_from_db()
    assert sitting.passed is False
    assert Notice.objects.filter(recipient=applicant, kind="exam_not_passed").count() == 1
    page = sign_in(applicant).get(f"/exams/{sitting.pk}/").content.decode()
    assert "Go to the next attempt" in page


def test_one_question_is_marked_across_candidates_before_the_next(
    sign_in: SignIn, applicant: User, person: Any, senior: User, hands_in: Any
) -> None:
    first, second = hands_in(applicant), hands_in(person("other"))
    browser = sign_in(senior)
    assert "2 answers are waiting" in browser.get("/seniors/answers/").content.decode()
    reply = browser.post(f"/seniors/answers/{answer_of(first)}/", {"points": "3"})
    assert reply["Location"] == f"/seniors/answers/{answer_of(second)}/"


@pytest.mark.parametrize(
    "data", [{}, {"points": "4"}, {"points": "-1"}, {"points": "x"}, {"points": "2", "remark": " "}]
)
def test_a_mark_needs_points_of_the_question_and_a_remark_where_some_are_missing(
    sign_in: SignIn, applicant: User, senior: User, hands_in: Any, data: dict[str, str]
) -> None:
    sitting = hands_in(applicant)
    reply = sign_in(senior).post(f"/seniors/answers/{answer_of(sitting)}/", data)
    assert reply.status_code == 400
    assert sitting.paper.get(question__kind="short").points is None


def test_a_second_mark_is_refused_and_the_first_stays(
    sign_in: SignIn, applicant: User, person: Any, finance: Any, senior: User, hands_in: Any
) -> None:
    sitting = hands_in(applicant)
    address = f"/seniors/answers/{answer_of(sitting)}/"
    assert sign_in(senior).post(address, {"points": "3"}).status_code == 302
    other = sign_in(person("second", finance, senior=True))
    assert other.post(address, {"points": "0", "remark": "No."}).status_code == 409
    sitting.refresh_from_db()
    assert sitting.points == 8


def test_only_seniors_of_the_domain_who_are_no_party_may_mark(
    sign_in: SignIn,
    applicant: User,
    peer: User,
    staff: User,
    senior: User,
    person: Any,
    law: Any,
    finance: Any,
    hands_in: Any,
) -> None:
    sitting = hands_in(applicant)
    address = f"/seniors/answers/{answer_of(sitting)}/"
    for other in (peer, staff, applicant):
        assert sign_in(other).get(address).status_code in (403, 404)
    assert sign_in(person("elsewhere", law, senior=True)).get(address).status_code == 404
    Application.objects.filter(pk=sitting.application_id).update(referred_by=senior)
    assert sign_in(senior).get(address).status_code == 404
    assert "No answers are waiting" in sign_in(senior).get("/seniors/answers/").content.decode()
    Application.objects.filter(pk=sitting.application_id).update(referred_by=None)
    Qualification.objects.create(user=applicant, domain=finance, senior=True)
    assert sign_in(applicant).get(address).status_code == 404
    assert "No answers are waiting" in sign_in(applicant).get("/seniors/answers/").content.decode()
    row = sitting.paper.select_related("question", "sitting__application").get(
        question__kind="short"
    )
    with pytest.raises(Denied):
        mark_answer(actor=applicant, answer=row, points=3, remark="")


def test_the_queue_and_home_cost_the_same_for_one_answer_and_for_ten(
    sign_in: SignIn, person: Any, applicant: User, senior: User, hands_in: Any
) -> None:
    hands_in(applicant)
    browser, counts = sign_in(senior), []
    browser.get("/")
    for more in (0, 9):
        for n in range(more):
            hands_in(person(f"other{n}"))
        for address in ("/seniors/answers/", "/"):
            with CaptureQueriesContext(connection) as queries:
                browser.get(address)
            counts.append(len(queries))
    assert counts[:2] == counts[2:]
    assert counts[0] < 10


@pytest.mark.parametrize("tie", ["declared", "link", "employer"])
def test_a_senior_with_a_tie_to_the_candidate_neither_marks_nor_is_told(
    sign_in: SignIn, applicant: User, staff: User, senior: User, person: Any, finance: Any,
    hands_in: Any, tie: str,
) -> None:  # fmt: skip
    other = person("second", finance, senior=True)
    if tie == "declared":
        one, two = sorted((applicant, senior), key=lambda user: user.pk)
        ConflictOfInterest.objects.create(one=one, other=two, kind="advisor", declared_by=staff)
    elif tie == "link":
        record_arrival(invitation=renew_referral(actor=senior), user=applicant)
    else:
        User.objects.filter(pk=senior.pk).update(affiliation="HARBOUR bank")  # the applicant's
    sitting = hands_in(applicant)
    told = Notice.objects.filter(kind="answers_waiting").values_list("recipient", flat=True)
    assert list(told) == [other.pk]
    address, browser = f"/seniors/answers/{answer_of(sitting)}/", sign_in(senior)
    assert "No answers are waiting" in browser.get("/seniors/answers/").content.decode()
    assert "Mark answers of an exam" not in browser.get("/").content.decode()
    assert browser.get(address).status_code == 404
    assert browser.post(address, {"points": "3"}).status_code == 404
    row = sitting.paper.select_related("question", "sitting__application").get(
        question__kind="short"
    )
    with pytest.raises(Denied):
        mark_answer(actor=senior, answer=row, points=3, remark="")
    assert sign_in(other).post(address, {"points": "3"}).status_code == 302


@pytest.fixture
def two_texts(applicant: User, short: Question, at_exam: Go) -> tuple[int, int, ExamSitting]:
    """A sitting with two short texts, handed in: the numbers of its answers."""
    Question.objects.create(
        exam=short.exam, position=6, key_id="q6", kind="short", topic="Judgement",
        text="And the board?", key={"guide": "Plainly."}, points=2,
    )  # fmt: skip
    sitting = start_sitting(actor=applicant, application=at_exam(applicant))
    save_answers(actor=applicant, sitting=sitting, answers={**RIGHT, "q4": WORDS, "q6": WORDS})
    sitting = hand_in(actor=applicant, sitting=sitting)
    first, second = sitting.paper.filter(question__kind="short").values_list("pk", flat=True)
    return first, second, sitting


def test_a_senior_changes_their_mark_on_the_record_until_the_result_is_told(
    sign_in: SignIn, applicant: User, staff: User, senior: User, person: Any, finance: Any,
    two_texts: tuple[int, int, ExamSitting],
) -> None:  # fmt: skip
    first, second, sitting = two_texts
    mine, address = sign_in(senior), f"/seniors/answers/{first}/"
    other = sign_in(person("second", finance, senior=True))
    mine.post(address, {"points": "1", "remark": "Too harsh a remark."})
    assert address in mine.get("/seniors/answers/").content.decode()
    assert address not in other.get("/seniors/answers/").content.decode()
    page = mine.get(address).content.decode()
    assert "Too harsh a remark.</textarea>" in page
    for refused in (other.get(address), other.post(address, {"points": "3"})):
        assert refused.status_code == 409
    row = sitting.paper.select_related("question", "sitting__application").get(pk=first)
    with pytest.raises(Denied):
        change_mark(actor=staff, answer=row, points=3, remark="")
    assert mine.post(address, {"points": "2", "remark": " "}).status_code == 400
    answer = mine.post(address, {"points": "2", "remark": "One ledger is missing."}, follow=True)
    assert "The mark you gave before stays on record." in answer.content.decode()
    story = f"/staff/applications/{sitting.application_id}/"
    told = sign_in(staff).get(story).content.decode()
    assert "A mark of attempt 1 was changed from 1 to 2" in told
    assert "Too harsh a remark." in told
    own = sign_in(applicant).get(f"/applications/{sitting.application_id}/").content.decode()
    assert "A mark of attempt" not in own
    assert "Too harsh" not in own
    mine.post(f"/seniors/answers/{second}/", {"points": "2"})
    sitting.refresh_from_db()
    assert (sitting.points, sitting.passed) == (9, True)
    assert "result not out yet" not in mine.get("/seniors/answers/").content.decode()
    assert mine.get(address).status_code == 409
    assert mine.post(address, {"points": "3"}).status_code == 409
    row = sitting.paper.select_related("question", "sitting__application").get(pk=first)
    with pytest.raises(Conflict):
        change_mark(actor=senior, answer=row, points=3, remark="")
    assert sitting.paper.get(pk=first).points == 2
    page = sign_in(applicant).get(f"/exams/{sitting.pk}/").content.decode()
    assert "One ledger is missing." in page
    assert "Too harsh" not in page


def test_overdue_marking_is_reminded_of_once_and_staff_learn_where_nobody_may_mark(
    applicant: User, staff: User, senior: User, peer: User, hands_in: Any
) -> None:
    sitting = hands_in(applicant)
    due = sitting.submitted_at + timedelta(days=5)
    remind_people(due - timedelta(minutes=1))
    late = Notice.objects.filter(kind__in=("answers_overdue", "marks_overdue"))
    assert not late.exists()
    for _again in range(2):
        remind_people(due + timedelta(minutes=1))
    assert set(late.values_list("recipient", "kind")) == {
        (senior.pk, "answers_overdue"),
        (staff.pk, "marks_overdue"),
    }
    late.delete()
    one, two = sorted((applicant, senior), key=lambda user: user.pk)
    ConflictOfInterest.objects.create(one=one, other=two, kind="advisor", declared_by=staff)
    remind_people(due + timedelta(minutes=1))
    assert list(late.values_list("recipient", "kind")) == [(staff.pk, "marks_overdue")]
    late.delete()
    reject(actor=staff, application=sitting.application, reason="The licence has lapsed.")
    remind_people(due + timedelta(minutes=1))
    assert not late.exists()
