"""Staff keep the bank: a question that was asked never changes, a file is added whole or not."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.actions import hand_in, save_answers, start_sitting
from curation.qualifying.exams.bank_models import BlueprintRow, Exam, Question
from tests.qualifying.qualification.conftest import RIGHT

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
SignIn = Callable[[User], Client]

SETTINGS = {
    "title": "Entry exam",
    "title_zh": "",
    "minutes": "40",
    "pass_percent": "70",
    "attempts": "3",
    "wait_hours": "24",
    "marking_days": "4",
    "shuffle": "on",
}
FORM = {
    "kind": "single",
    "topic": "Bonds",
    "difficulty": "3",
    "points": "2",
    "text": "What falls when yields rise?",
    "options": "The coupon\n* The price\nThe maturity\n",
    "study": "Revise prices and yields.",
}


# --- settings and blueprint -----------------------------------------------------------------------
def test_a_domain_gets_its_exam_and_the_list_says_what_is_missing(
    sign_in: SignIn, staff: User, finance: Domain
) -> None:
    browser = sign_in(staff)
    assert "No exam yet" in browser.get("/staff/exams/").content.decode()
    assert browser.get("/staff/exams/finance/questions/").status_code == 404
    assert browser.post("/staff/exams/finance/", SETTINGS).status_code == 302
    exam = Exam.objects.get(domain=finance)
    assert (exam.minutes, exam.wait_hours, exam.marking_days) == (40, 24, 4)
    assert "The bank has no question yet." in browser.get("/staff/exams/").content.decode()


def to_draw(topic: str, difficulty: int) -> str:
    """The field for how many questions are drawn; difficulty 0 is any."""
    return f"b-{hashlib.sha256(topic.encode()).hexdigest()[:12]}-{difficulty}"


def test_the_list_of_exams_costs_the_same_for_one_domain_and_for_ten(
    sign_in: SignIn, staff: User, exam: Exam
) -> None:
    browser, counts = sign_in(staff), []
    browser.get("/staff/exams/")
    for more in (0, 9):
        for n in range(more):
            domain = Domain.objects.create(key=f"d{n}", name=f"Domain {n}", position=n + 5)
            Exam.objects.create(domain=domain, title=f"Exam {n}")
        with CaptureQueriesContext(connection) as queries:
            browser.get("/staff/exams/")
        counts.append(len(queries))
    assert counts[0] == counts[1] < 10, counts


def test_a_blueprint_is_filled_in_by_topic_and_the_draw_is_checked(
    sign_in: SignIn, staff: User, exam: Exam
) -> None:
    browser = sign_in(staff)
    page = browser.get("/staff/exams/finance/").content.decode()
    assert "Each sitting draws 3 of 3 questions. It is worth 5 points. It lasts 30 minutes." in page
    data = SETTINGS | {to_draw("Expected loss", 0): "1", to_draw("Leases", 2): "1"}
    # A colleague adds a topic that comes first, after the page was opened.
    add = {"kind": "short", "topic": "Bonds", "difficulty": 1, "points": 1, "text": "Why?"}
    Question.objects.create(exam=exam, key_id="bonds", position=9, key={"guide": "So."}, **add)
    assert browser.post("/staff/exams/finance/", data).status_code == 302
    Question.objects.filter(key_id="bonds").delete()
    rows = list(exam.blueprint.values_list("topic", "difficulty", "count"))
    assert rows == [("Expected loss", None, 1), ("Leases", 2, 1)]
    page = browser.get("/staff/exams/finance/").content.decode()
    assert "Each sitting draws 2 of 3 questions. It is worth 3 points. It lasts 40 minutes." in page
    browser.post("/staff/exams/finance/", SETTINGS | {to_draw("Leases", 3): "2"})
    for address in ("/staff/exams/finance/", "/staff/exams/"):
        page = browser.get(address).content.decode()
        assert "“Leases”, Hard: 2 are to be drawn, and the bank has 0 for it." in page


@pytest.mark.parametrize(
    "change",
    [
        {"minutes": "0"},
        {"pass_percent": "101"},
        {"attempts": "0"},
        {"wait_hours": "-1"},
        {"title": ""},
        {to_draw("Leases", 0): "x"},
        {to_draw("Leases", 0): "101"},
    ],
)
def test_settings_that_make_no_exam_are_refused_and_nothing_changes(
    sign_in: SignIn, staff: User, exam: Exam, change: dict[str, str]
) -> None:
    BlueprintRow.objects.create(exam=exam, topic="Leases", count=1)
    reply = sign_in(staff).post("/staff/exams/finance/", SETTINGS | change)
    assert reply.status_code == 400
    exam.refresh_from_db()
    assert exam.minutes == 30
    assert exam.blueprint.count() == 1


# --- questions ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("change", "options", "key"),
    [
        ({}, ["The coupon", "The price", "The maturity"], [1]),
        ({"kind": "multiple", "options": "*a\nb\n* c"}, ["a", "b", "c"], [0, 2]),
        ({"kind": "ordering", "options": "a\nb\nc"}, ["a", "b", "c"], [0, 1, 2]),
        (
            {"kind": "numeric", "options": "", "value": "1.24", "tolerance": "0.01", "unit": "x"},
            [],
            {"value": "1.24", "tolerance": "0.01"},
        ),
        ({"kind": "short", "options": "", "guide": "One point."}, [], {"guide": "One point."}),
    ],
)
def test_a_question_of_each_kind_is_written_and_read_back(
    sign_in: SignIn, staff: User, exam: Exam, change: Any, options: Any, key: Any
) -> None:
    browser = sign_in(staff)
    assert browser.post("/staff/exams/finance/questions/new/", FORM | change).status_code == 302
    question = exam.questions.get(text=FORM["text"])
    assert (question.options, question.key, question.difficulty) == (options, key, 3)
    address = f"/staff/questions/{question.pk}/"
    form = browser.get(address).context["form"]
    same = {
        name: form[name].value() for name in form.fields if form[name].value() not in (None, "")
    }
    assert browser.post(address, same | {"points": "5"}).status_code == 302
    question.refresh_from_db()
    assert (question.options, question.key, question.points) == (options, key, 5)


def test_an_older_page_does_not_undo_a_colleagues_correction_of_the_key(
    sign_in: SignIn, staff: User, exam: Exam
) -> None:
    browser = sign_in(staff)
    browser.post("/staff/exams/finance/questions/new/", FORM)
    question = exam.questions.get(text=FORM["text"])
    address, wrong = f"/staff/questions/{question.pk}/", question.key
    form = browser.get(address).context["form"]
    read = {
        name: form[name].value() for name in form.fields if form[name].value() not in (None, "")
    }
    right = [place for place in range(len(question.options)) if [place] != wrong][:1]
    Question.objects.filter(pk=question.pk).update(key=right)
    answer = browser.post(address, read | {"text": "What was asked, in other words?"})
    assert answer.status_code == 409
    assert "Somebody changed this question since you opened it" in answer.content.decode()
    question.refresh_from_db()
    assert question.key == right


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"options": "a\nb"}, "put * before the one that is right"),
        ({"options": "*a\n*b"}, "put * before the one that is right"),
        ({"options": "* a\na"}, "different texts"),
        ({"kind": "multiple", "options": "a\nb"}, "before each right one"),
        ({"kind": "ordering", "options": "a"}, "in the right order"),
        ({"kind": "numeric", "value": "x"}, "Write the right number"),
        ({"kind": "short", "guide": " "}, "The senior marks by it"),
        ({"text": ""}, "Write what is asked."),
        ({"points": "0"}, "greater than or equal to 1"),
    ],
)
def test_a_question_that_could_not_be_marked_is_refused_where_it_is_wrong(
    sign_in: SignIn, staff: User, exam: Exam, change: dict[str, str], words: str
) -> None:
    reply = sign_in(staff).post("/staff/exams/finance/questions/new/", FORM | change)
    assert reply.status_code == 400
    assert words in reply.content.decode()
    assert exam.questions.count() == 3


def test_a_question_that_was_asked_stays_and_its_new_wording_is_another_one(
    sign_in: SignIn, staff: User, applicant: User, exam: Exam, at_exam: Go
) -> None:
    sitting = start_sitting(actor=applicant, application=at_exam(applicant))
    question = exam.questions.get(key_id="q1")
    browser = sign_in(staff)
    address = f"/staff/questions/{question.pk}/"
    assert "Candidates have had this question in an exam." in browser.get(address).content.decode()
    browser.post(address, FORM)
    question.refresh_from_db()
    assert (question.text, question.active) == ("What happens to EBITDA?", False)
    new = exam.questions.get(replaces=question)
    assert (new.text, new.key_id, new.position, new.active) == (FORM["text"], "q1-2", 1, True)
    # the paper under way keeps the wording it was drawn with, and is marked by it
    assert (
        "What happens to EBITDA?"
        in sign_in(applicant).get(f"/exams/{sitting.pk}/").content.decode()
    )
    save_answers(actor=applicant, sitting=sitting, answers=RIGHT)
    assert hand_in(actor=applicant, sitting=sitting).points == 5
    # and what was replaced can neither be changed again nor come back beside its successor
    assert browser.post(address, FORM | {"points": "7"}).status_code == 409
    state = browser.post(f"{address}state/", {"active": "1"})
    assert state.status_code == 409


def test_a_retired_question_is_not_drawn_and_can_be_brought_back(
    sign_in: SignIn, staff: User, applicant: User, exam: Exam, at_exam: Go
) -> None:
    question = exam.questions.get(key_id="q2")
    browser = sign_in(staff)
    browser.post(f"/staff/questions/{question.pk}/state/", {"active": "0"})
    sitting = start_sitting(actor=applicant, application=at_exam(applicant))
    assert sitting.paper.count() == 2
    browser.post(f"/staff/questions/{question.pk}/state/", {"active": "1"})
    question.refresh_from_db()
    assert question.active


def test_the_bank_is_narrowed_by_topic_difficulty_kind_and_state_at_a_fixed_price(
    sign_in: SignIn, staff: User, exam: Exam
) -> None:
    browser, counts = sign_in(staff), []
    address = "/staff/exams/finance/questions/"
    browser.get(address)
    for more in (0, 27):
        Question.objects.bulk_create(
            Question(
                exam=exam, key_id=f"x{n}", position=n + 9, kind="single", topic="Bonds",
                difficulty=3, text=f"Number {n}?", options=["a", "b"], key=[0], active=n % 2 == 0,
            )
            for n in range(more)
        )  # fmt: skip
        with CaptureQueriesContext(connection) as queries:
            browser.get(address)
        counts.append(len(queries))
    assert counts[0] == counts[1] < 10
    page = browser.get(f"{address}?topic=Bonds&difficulty=3&kind=single&active=no").content.decode()
    assert "13 questions" in page
    assert "What happens to EBITDA?" not in page
    assert "1 question" in browser.get(f"{address}?words=EBITDA").content.decode()
    assert "No questions match" in browser.get(f"{address}?kind=short").content.decode()


# --- files ----------------------------------------------------------------------------------------
ROWS: list[Any] = [
    {"id": "b1", "kind": "single", "topic": "Bond", "text": "?", "options": ["a", "b"], "key": [0]},
    {"kind": "numeric", "topic": "Bonds", "text": "How much?", "key": {"value": "2"}, "points": 2},
    {"kind": "short", "topic": "Notes", "text": "Why?", "key": {"guide": "Because."}, "points": 3},
]  # fmt: skip


def as_file(rows: list[Any]) -> bytes:
    return "\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows).encode()


def test_a_file_of_questions_is_added_by_page_and_by_command(
    sign_in: SignIn, staff: User, exam: Exam, tmp_path: Path, capsys: Any
) -> None:
    file = SimpleUploadedFile("bank.jsonl", as_file(ROWS))
    reply = sign_in(staff).post("/staff/exams/finance/import/", {"file": file})
    assert reply.status_code == 302
    assert exam.questions.count() == 6
    path = tmp_path / "more.jsonl"
    path.write_bytes(as_file([ROWS[1] | {"text": "And how little?"}]))
    call_command("import_questions", "finance", str(path))
    assert "1 questions were added." in capsys.readouterr().out
    assert exam.questions.count() == 7


def test_every_fault_of_a_file_is_told_at_once_and_nothing_is_added(
    sign_in: SignIn, staff: User, exam: Exam, tmp_path: Path
) -> None:
    rows = [
        ROWS[0],
        "{no json",
        ROWS[0],
        ROWS[1] | {"points": 0, "key": {"value": "x"}},
        ROWS[2] | {"id": "q1"},
        ROWS[2] | {"kind": "essay", "colour": "red"},
        [],
    ]
    file = SimpleUploadedFile("bank.jsonl", as_file(rows))
    reply = sign_in(staff).post("/staff/exams/finance/import/", {"file": file})
    page = reply.content.decode()
    assert reply.status_code == 400
    for words in (
        "line 2", "line 3: id", "line 4: points", "line 4: key", "line 5: id", "line 6: kind",
        "line 6: colour", "line 7",
    ):  # fmt: skip
        assert words in page
    assert "line 1" not in page
    assert exam.questions.count() == 3
    path = tmp_path / "bank.jsonl"
    path.write_bytes(as_file(rows))
    with pytest.raises(CommandError, match=":4: points"):
        call_command("import_questions", "finance", str(path))
    with pytest.raises(CommandError, match="no exam in the domain"):
        call_command("import_questions", "law", str(path))
    for raw in (b"", b"\xff\xfe"):
        file = SimpleUploadedFile("bank.jsonl", raw)
        reply = sign_in(staff).post("/staff/exams/finance/import/", {"file": file})
        assert reply.status_code == 400
    assert exam.questions.count() == 3


# --- statistics -----------------------------------------------------------------------------------
def test_statistics_say_what_to_look_at_first_and_come_as_a_file(
    sign_in: SignIn, staff: User, person: Any, exam: Exam, at_exam: Go
) -> None:
    browser = sign_in(staff)
    assert (
        "No question has enough answers"
        in browser.get("/staff/exams/finance/items/").content.decode()
    )
    for n in range(12):
        user = person(f"candidate{n}")
        sitting = start_sitting(actor=user, application=at_exam(user))
        strong = n % 2 == 0
        answers = {"q1": [1 if strong else 2], "q2": [0, 3] if strong else [1]}
        save_answers(actor=user, sitting=sitting, answers=answers, seconds={"q1": 0})
        hand_in(actor=user, sitting=sitting)
    with CaptureQueriesContext(connection) as queries:
        page = browser.get("/staff/exams/finance/items/").content.decode()
    assert len(queries) < 10
    assert "get this wrong more often" in page
    # the question with the wrong key stands on top
    assert page.index("What happens to EBITDA?") < page.index("Compute the loss.")
    assert "6 of 12" in page
    lines = b"".join(browser.get("/staff/exams/finance/items.csv")).decode().splitlines()
    assert lines[0].startswith("\ufeffquestion,kind")
    first = lines[1].split(",")
    assert (first[0], first[5], first[6]) == ("q1", "12", "0.500")
    assert "2: 6; 3 (right): 6" in lines[1]
