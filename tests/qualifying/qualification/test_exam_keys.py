"""Keys never leave the server: no page, no answer, no log, no query of a candidate."""

import logging
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.actions import start_sitting
from curation.qualifying.exams.bank_models import Exam, Question
from curation.qualifying.exams.models import ExamSitting
from tests.markup import without_tokens
from tests.qualifying.qualification.exams import save

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
SignIn = Callable[[User], Client]


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
    sign_in: SignIn,
    applicant: User,
    short: Question,
    sitting: ExamSitting,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG):
        text = everything_sent(sign_in(applicant), sitting, finish=True)
    logged = "\n".join(r.getMessage() for r in caplog.records if r.name != "django.db.backends")
    for secret in ("73519", "0.417", "tolerance", "Ledgers first", 'guide"'):
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
        sitting.paper.update(answer=None, answered_at=None)
        ExamSitting.objects.filter(pk=sitting.pk).update(saved_at=None)
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
    return re.sub(r'data-now="[^"]+"', "", without_tokens(page))


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


def test_the_paper_costs_the_same_for_three_and_for_eight_questions(
    sign_in: SignIn, applicant: User, person: Any, exam: Exam, at_exam: Go
) -> None:
    counts = []
    for user, more in ((applicant, 0), (person("other"), 5)):
        Question.objects.bulk_create(
            Question(
                exam=exam, key_id=f"x{n}", position=n + 9, kind="single", text="?",
                options=["a", "b"], key=[0],
            )
            for n in range(more)
        )  # fmt: skip
        sitting = start_sitting(actor=user, application=at_exam(user))
        browser = sign_in(user)
        browser.get(f"/exams/{sitting.pk}/")
        with CaptureQueriesContext(connection) as page:
            browser.get(f"/exams/{sitting.pk}/")
        with CaptureQueriesContext(connection) as saved:
            save(browser, sitting, q_q1="1", q_q3="4")
        counts.append((len(page), len(saved)))
    assert counts[0] == counts[1]


def test_the_admin_holds_no_questions_any_more(sign_in: SignIn, staff: User, exam: Exam) -> None:
    browser = sign_in(staff)
    for address in ("/admin/curation/question/", "/admin/curation/exam/"):
        assert browser.get(address).status_code == 404


def test_staff_who_are_candidates_themselves_see_no_key_of_that_exam(
    sign_in: SignIn, staff: User, person: Any, exam: Exam, applied: Go
) -> None:
    colleague = person("colleague", is_staff=True)
    applied(colleague)
    browser = sign_in(colleague)
    question = exam.questions.get(key_id="q3")
    for address in (
        "/staff/exams/finance/",
        "/staff/exams/finance/questions/",
        "/staff/exams/finance/questions/new/",
        "/staff/exams/finance/import/",
        "/staff/exams/finance/items/",
        "/staff/exams/finance/items.csv",
        f"/staff/questions/{question.pk}/",
    ):
        reply = browser.get(address)
        assert reply.status_code == 403, address
        assert "73519" not in reply.content.decode()
    assert (
        browser.post(f"/staff/questions/{question.pk}/state/", {"active": "0"}).status_code == 403
    )
    assert "closed to you" in browser.get("/staff/exams/").content.decode()
    assert sign_in(staff).get(f"/staff/questions/{question.pk}/").status_code == 200
