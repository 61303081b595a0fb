"""Ask about a task, a line or a rule; answer, correct, ask on, settle."""

from typing import Any

import pytest
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.web.refusals import Conflict
from curation.joining.notices.models import Notice
from curation.tasks.task.models import Seat, Task
from curation.telling.questions.actions import MOST_OPEN, TEXT_LIMIT, ask_about_task, take_question
from curation.telling.questions.models import AskedQuestion, QuestionEntry
from tests.markup import words_of
from tests.telling.questions.conftest import TEXT

pytestmark = pytest.mark.django_db
State = AskedQuestion.State


def told(kind: str) -> list[str]:
    rows = Notice.objects.filter(kind=kind).order_by("recipient")
    return [row.recipient.email.split("@")[0] for row in rows.select_related("recipient")]


def page_of(question: Any, client: Any) -> str:
    return words_of(client.get(reverse("asked-question", args=[question.pk])).content.decode())


class TestAsking:
    def test_a_reviewer_asks_about_a_line_from_the_review(self, task, reviewer, line, sign_in):
        client = sign_in(reviewer)
        review = task.reviews.get(reviewer=reviewer)
        url = reverse("question-about-task", args=[task.pk])
        assert url in client.get(reverse("review", args=[review.pk])).content.decode()
        assert f"Line 3: {line.text[:40]}" in words_of(client.get(url).content.decode())
        reply = client.post(url, {"line": line.key, "text": TEXT})
        one = AskedQuestion.objects.get()
        assert reply.url == reverse("asked-question", args=[one.pk])
        assert (one.line_number, one.line_text, one.role) == (3, line.text, "reviewer")
        assert set(told("question_asked")) == {"senior", "staff"}

    def test_an_expert_asks_about_a_mark_of_the_linter(self, asking_world, finance, sign_in):
        client = sign_in(asking_world["colleague"])
        url = reverse("question-about-rule")
        sent = {
            "domain": finance.key,
            "rule": "linter:vague_words",
            "text": "Is “about 5 %” vague?",
        }
        client.post(url, sent)
        one = AskedQuestion.objects.get()
        assert (one.rule_kind, one.task, one.role) == ("linter", None, "expert")
        assert one.about == "the mark “words without a measure”"
        # A rule has no author to be in conflict with.
        assert set(told("question_asked")) == {"senior", "tied", "staff"}

    @pytest.mark.parametrize(
        ("sent", "said"),
        [
            ({"text": " "}, "Write your question."),
            ({"text": "a\x00b"}, "Null characters"),
            ({"text": "x" * (TEXT_LIMIT + 1)}, "the limit is 4,000"),
            ({"text": TEXT, "line": "no-such-line"}, "Select a valid choice"),
        ],
    )
    def test_what_cannot_be_asked_is_refused(self, task, reviewer, sign_in, sent, said):
        reply = sign_in(reviewer).post(reverse("question-about-task", args=[task.pk]), sent)
        assert reply.status_code == 400
        assert said in words_of(reply.content.decode())
        assert not AskedQuestion.objects.exists()

    def test_who_has_no_part_in_a_task_asks_nothing_about_it(self, task, asking_world, sign_in):
        url = reverse("question-about-task", args=[task.pk])
        for name in ("colleague", "senior", "tied"):
            client = sign_in(asking_world[name])
            assert client.get(url).status_code == 404
            assert client.post(url, {"text": TEXT}).status_code == 404

    def test_nobody_has_more_than_twenty_questions_waiting(self, task, reviewer):
        for _n in range(MOST_OPEN):
            ask_about_task(actor=reviewer, task=task, text=TEXT)
        with pytest.raises(Conflict) as refused:
            ask_about_task(actor=reviewer, task=task, text=TEXT)
        assert refused.value.code == "too_many"


class TestAnswering:
    def test_a_senior_answers_and_the_asker_is_told(self, asked, reviewer, senior, sign_in):
        assert "Answer a question" in words_of(sign_in(senior).get("/").content.decode())
        reply = sign_in(senior).post(
            reverse("question-answer", args=[asked.pk]), {"answer-text": "Yes."}
        )
        assert reply.status_code == 302
        asked.refresh_from_db()
        assert asked.state == State.ANSWERED
        assert told("question_answered") == ["peer"]
        home = words_of(sign_in(reviewer).get("/").content.decode())
        assert "Your question has an answer" in home
        page = page_of(asked, sign_in(reviewer))
        assert "A senior answers" in page
        assert "Yes." in page

    def test_whoever_answers_has_a_seat_from_then_on(self, task, answered, senior):
        assert Seat.objects.get(task=task, user=senior).role == Role.ADVISER

    def test_a_senior_may_read_the_task_first_and_has_a_seat_by_that(
        self, task, asked, senior, sign_in
    ):
        client = sign_in(senior)
        address = reverse("task", args=[task.pk])
        assert client.get(address).status_code == 404
        question = reverse("asked-question", args=[asked.pk])
        assert client.post(reverse("question-take", args=[asked.pk])).url == question
        assert f'href="{address}"' in client.get(question).content.decode()
        assert client.get(address).status_code == 200

    def test_staff_answer_without_a_seat(self, task, asked, staff, sign_in):
        sign_in(staff).post(reverse("question-answer", args=[asked.pk]), {"answer-text": "Yes."})
        assert QuestionEntry.objects.get(kind="answer").role == "staff"
        assert not Seat.objects.filter(task=task, user=staff).exists()

    def test_the_second_answer_is_refused(self, answered, staff, sign_in):
        reply = sign_in(staff).post(
            reverse("question-answer", args=[answered.pk]), {"answer-text": "No."}
        )
        assert reply.status_code == 409
        assert QuestionEntry.objects.filter(kind="answer").count() == 1

    def test_an_empty_answer_is_refused_and_the_page_stays(self, asked, senior, sign_in):
        take_question(actor=senior, question=asked)
        reply = sign_in(senior).post(
            reverse("question-answer", args=[asked.pk]), {"answer-text": " "}
        )
        assert reply.status_code == 400
        assert "Write the answer." in words_of(reply.content.decode())

    def test_a_corrected_answer_keeps_its_earlier_words(self, answered, reviewer, staff, sign_in):
        url = reverse("question-correct", args=[answered.pk])
        sent = {"entry": "2", "correct-text": "No: round it."}
        assert sign_in(staff).post(url, sent).status_code == 302
        page = page_of(answered, sign_in(reviewer))
        assert page.index("No: round it.") < page.index("Yes, as the table has it.")
        assert told("question_answer_corrected") == ["peer"]
        again = sign_in(staff).post(url, {**sent, "correct-text": "Third words."})
        assert again.status_code == 409  # entry 2 has been corrected: the newest one is named

    def test_a_question_is_not_corrected_as_an_answer(self, answered, staff, sign_in):
        url = reverse("question-correct", args=[answered.pk])
        reply = sign_in(staff).post(url, {"entry": "1", "correct-text": "Other words."})
        assert reply.status_code == 400


class TestGoingOn:
    def test_the_asker_asks_on_and_who_answered_is_told(self, answered, reviewer, sign_in):
        url = reverse("question-follow-up", args=[answered.pk])
        assert sign_in(reviewer).post(url, {"follow-text": "And tables?"}).status_code == 302
        answered.refresh_from_db()
        assert answered.state == State.OPEN
        assert told("question_asked_on") == ["senior"]
        assert sign_in(reviewer).post(url, {"follow-text": "And?"}).status_code == 409

    def test_the_asker_settles_it_once(self, answered, reviewer, sign_in):
        url = reverse("question-settle", args=[answered.pk])
        assert sign_in(reviewer).post(url).status_code == 302
        answered.refresh_from_db()
        assert answered.state == State.SETTLED
        assert sign_in(reviewer).post(url).status_code == 409

    def test_others_neither_settle_nor_ask_on(self, answered, senior, staff, sign_in):
        for user in (senior, staff):
            for route in ("question-settle", "question-follow-up"):
                reply = sign_in(user).post(
                    reverse(route, args=[answered.pk]), {"follow-text": "Hm?"}
                )
                assert reply.status_code == 403

    def test_an_asker_without_a_part_in_the_task_keeps_the_question_alone(
        self, task, answered, reviewer, line, sign_in
    ):
        Seat.objects.filter(task=task, user=reviewer).delete()
        page = page_of(answered, sign_in(reviewer))
        assert TEXT in page
        assert task.title not in page
        assert line.text not in page
        url = reverse("question-follow-up", args=[answered.pk])
        assert sign_in(reviewer).post(url, {"follow-text": "And?"}).status_code == 403


def test_a_draft_is_asked_about_by_its_author_and_answered_by_staff(
    task, author, senior, staff, sign_in
):
    Task.objects.filter(pk=task.pk).update(stage=Stage.DRAFT)
    one = ask_about_task(actor=author, task=Task.objects.get(pk=task.pk), text="Is it long enough?")
    assert told("question_asked") == ["staff"]
    address = reverse("asked-question", args=[one.pk])
    assert sign_in(senior).get(address).status_code == 404
    assert sign_in(staff).get(address).status_code == 200


def test_staff_list_the_questions_and_download_them(answered, staff, sign_in):
    client, url = sign_in(staff), reverse("staff-asked-questions")
    page = words_of(client.get(f"{url}?state=answered&about=line").content.decode())
    assert "line 3 of a rubric" in page
    assert "A reviewer" in page
    assert "No question is here" in client.get(f"{url}?state=open").content.decode()
    table = b"".join(client.get(f"{url}?format=csv").streaming_content).decode()
    assert "A reviewer" in table
