"""An author writes a task with an exact answer: form, answer, steps, and what is missing."""

from datetime import date
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from curation.tasks.authoring.actions import create_task
from curation.tasks.task.exact_actions import refuse_source
from curation.tasks.task.exact_checks import Step
from curation.tasks.task.exact_models import ExactAnswer, SolutionStep
from curation.tasks.task.models import Task
from tests.tasks.exact_answers.conftest import QUESTION, STEPS, write_answer

pytestmark = pytest.mark.django_db


def address(task):
    return f"/tasks/{task.pk}/answer/"


def form_of(task, **changes):
    """What the page of the answer sends."""
    exact = ExactAnswer.objects.get(task=task)
    sent = {
        "revision": exact.revision,
        "answer": "12",
        "kind": "number",
        "unit": "prefectures",
        "tolerance": "",
        "alternatives": "twelve\n\na dozen",
        "level": "2",
        "cutoff": "2024-12-31",
        "why_unique": "By treaty.",
        "why_stable": "Borders stay.",
        "step-1-text": STEPS[0].text,
        "step-1-source": STEPS[0].source,
        "step-1-date": "2023-05-01",
        "step-2-text": "",
        "step-2-source": "",
        "step-2-date": "",
        "step-3-text": STEPS[1].text,
        "step-3-source": STEPS[1].source,
        "step-3-date": "",
        **changes,
    }
    return {name: value for name, value in sent.items() if value is not None}


def test_an_author_chooses_the_form_and_writes_question_answer_and_steps(sign_in, author, finance):
    client = sign_in(author)
    page = client.get("/tasks/new/").content.decode()
    assert "A few words or one number" in page
    client.post(
        "/tasks/new/",
        {"domain": finance.key, "title": "T", "language": "en", "answer_form": "exact"},
    )
    task = Task.objects.get()
    assert task.answer_form == "exact"
    page = client.get(f"/tasks/{task.pk}/edit/").content.decode()
    assert "Question" in page
    assert address(task) in page
    assert 'name="reference_answer"' not in page
    reply = client.post(address(task), form_of(task), follow=True)
    assert reply.status_code == 200
    exact = ExactAnswer.objects.get(task=task)
    assert (exact.answer, exact.kind, exact.unit, exact.tolerance) == (
        "12",
        "number",
        "prefectures",
        None,
    )
    assert exact.alternatives == ["twelve", "a dozen"]
    assert (exact.level, exact.cutoff) == (2, date(2024, 12, 31))
    steps = SolutionStep.objects.filter(exact=exact).values_list("position", "source_date")
    assert list(steps) == [(1, date(2023, 5, 1)), (2, None)]
    task.refresh_from_db()
    assert task.reference_answer == "12 prefectures / twelve / a dozen"
    assert STEPS[1].text in reply.content.decode()


def test_a_text_is_the_form_where_none_is_chosen_and_other_forms_are_refused(
    sign_in, author, finance
):
    client = sign_in(author)
    sent = {"domain": finance.key, "title": "T", "language": "en"}
    client.post("/tasks/new/", sent)
    assert Task.objects.get().answer_form == "text"
    assert client.get(address(Task.objects.get())).status_code == 404
    assert client.post("/tasks/new/", {**sent, "answer_form": "poem"}).status_code == 400


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"tolerance": "0.5", "kind": "words"}, "Only a number has a tolerance"),
        ({"tolerance": "-1"}, "from 0 on"),
        ({"tolerance": "0.12345678"}, "at most six decimals"),
        ({"tolerance_is_percent": "on"}, "how many per cent"),
        ({"tolerance": "x"}, "Type a number"),
        ({"step-1-source": "javascript:alert(1)"}, "whole address"),
        ({"step-3-source": "an old book"}, "whole address"),
        ({"step-3-text": ""}, "Say what is done"),
        ({"level": "9"}, "9"),
        ({"cutoff": "1066-01-01"}, "1900"),
        ({"answer": "a\x00b"}, "Null characters"),
        ({"alternatives": "\n".join(map(str, range(11)))}, "At most 10 further forms"),
    ],
)
def test_what_cannot_be_stored_is_refused_in_a_sentence_and_nothing_is_lost(
    sign_in, author, question, changes, sentence
):
    before = ExactAnswer.objects.get(task=question).revision
    reply = sign_in(author).post(address(question), form_of(question, **changes))
    page = reply.content.decode()
    assert reply.status_code == 400
    assert sentence in page
    assert "By treaty." in page
    assert STEPS[0].text in page
    assert ExactAnswer.objects.get(task=question).revision == before


def test_a_save_on_an_older_answer_shows_both_and_writes_nothing(sign_in, author, question):
    client = sign_in(author)
    old = form_of(question, answer="13")
    client.post(address(question), form_of(question, answer="14"))
    reply = client.post(address(question), old)
    assert reply.status_code == 409
    page = reply.content.decode()
    assert "14 prefectures" in page
    assert 'value="13"' in page
    assert ExactAnswer.objects.get(task=question).answer == "14"


def test_only_its_author_reaches_the_page_of_the_answer(sign_in, peer, staff, stranger, question):
    for person in (peer, stranger):
        assert sign_in(person).get(address(question)).status_code == 404
        assert sign_in(person).post(address(question), {}).status_code == 404
    assert sign_in(staff).get(address(question)).status_code == 403


MISSING = {
    "answer": ({"answer": " "}, "Write the answer"),
    "no number": ({"answer": "twelve"}, "not one number"),
    "many words": (
        {"answer": "one two three four five six seven eight nine ten eleven twelve thirteen",
         "kind": "words"},
        "13 words",
    ),
    "given away": ({"answer": "north-eastern provinces", "kind": "words"}, "gives the answer"),
    "level": ({"level": None}, "Choose the level"),
    "cut-off": ({"cutoff": None}, "before which all pages"),
    "unique": ({"why_unique": ""}, "no other right answer"),
    "stable": ({"why_stable": ""}, "stay the same"),
    "one step": ({"steps": STEPS[:1]}, "write 1 more"),
    "no page": ({"steps": [Step("Think."), Step("Think again.")]}, "address of a page"),
    "late page": (
        {"steps": [STEPS[0], Step("Look.", "https://a.example.org/", date(2025, 1, 1))]},
        "after the cut-off",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", MISSING)
def test_what_is_missing_stops_a_submission_and_is_named(sign_in, author, question, what):
    changes, sentence = MISSING[what]
    write_answer(author, question, **changes)
    client = sign_in(author)
    assert sentence in client.get(address(question)).content.decode()
    reply = client.post(f"/tasks/{question.pk}/submit/", {})
    assert reply.status_code == 400
    assert sentence in reply.content.decode()
    question.refresh_from_db()
    assert question.stage == "draft"


def test_an_answer_that_changes_is_no_exact_answer(sign_in, author, question):
    Task.objects.filter(pk=question.pk).update(change="dynamic", sources="A list")
    reply = sign_in(author).post(f"/tasks/{question.pk}/submit/", {})
    assert reply.status_code == 400
    assert "An exact answer stays the same" in reply.content.decode()


def test_a_complete_question_needs_no_scenario_no_materials_and_no_long_answer(
    sign_in, author, question
):
    reply = sign_in(author).post(f"/tasks/{question.pk}/submit/", {})
    assert reply.status_code == 302
    question.refresh_from_db()
    assert question.stage == "submitted"
    assert sign_in(author).post(address(question), form_of(question)).status_code in (303, 409)


def test_a_source_on_the_list_is_a_remark_and_stops_nothing(sign_in, author, staff, question):
    refuse_source(actor=staff, suffix="example.org", reason="Anybody can write there.")
    client = sign_in(author)
    assert "Anybody can write there." in client.get(address(question)).content.decode()
    assert client.post(f"/tasks/{question.pk}/submit/", {}).status_code == 302


def test_staff_keep_the_list_of_sources(sign_in, staff, author):
    client = sign_in(staff)
    sent = {"suffix": " .Blogs.Example.com ", "reason": "Second hand."}
    assert client.post("/staff/sources/", sent).status_code == 302
    page = client.get("/staff/sources/").content.decode()
    assert "blogs.example.com" in page
    assert client.post("/staff/sources/", sent).status_code in (303, 409)
    for wrong in ("", "https://a.example/", "one", "-a.b", "a..b", "x" * 121 + ".de"):
        assert client.post("/staff/sources/", {**sent, "suffix": wrong}).status_code == 400
    assert client.post("/staff/sources/", {"suffix": "b.example"}).status_code == 400
    row = page.partition('name="source"')[2].partition('value="')[2].partition('"')[0]
    assert client.post("/staff/sources/accept/", {"source": row}).status_code == 302
    assert "Taken off the list" in client.get("/staff/sources/").content.decode()
    assert client.post("/staff/sources/accept/", {"source": "x"}).status_code == 400
    assert sign_in(author).get("/staff/sources/").status_code == 403


def test_the_reference_answer_of_an_exact_task_is_written_on_its_own_page_only(
    author, finance, question
):
    from curation.base.web.refusals import BadInput
    from curation.tasks.authoring.actions import save_draft

    with pytest.raises(BadInput):
        save_draft(actor=author, task=question, version=question.version, reference_answer="x")
    with pytest.raises(BadInput):
        create_task(
            actor=author, domain=finance, answer_form="exact", **QUESTION, reference_answer="x"
        )


def test_the_database_refuses_a_tolerance_of_words_and_a_fourth_level(question):
    rows = ExactAnswer.objects.filter(task=question)
    for wrong in (
        {"kind": "words", "tolerance": Decimal(1)},
        {"level": 4},
        {"kind": "number", "tolerance": Decimal(-1)},
        {"tolerance_is_percent": True, "tolerance": None},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**wrong)
