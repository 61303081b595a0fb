"""What a question tells, and to whom it tells nothing."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.base.process.roles import Role
from curation.base.web.refusals import Denied
from curation.joining.notices.models import Notice
from curation.joining.people import User
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Seat
from curation.telling.questions.actions import answer_question, ask_about_task, take_question
from curation.telling.questions.models import AskedQuestion
from curation.telling.questions.queries import answerable
from curation.telling.questions.waiting import waiting
from tests.markup import words_of
from tests.telling.questions.conftest import TEXT

pytestmark = pytest.mark.django_db


def address(question: AskedQuestion) -> str:
    return reverse("asked-question", args=[question.pk])


def test_the_author_learns_nothing_of_a_reviewers_question(answered, author, sign_in):
    client = sign_in(author)
    assert client.get(address(answered)).status_code == 404
    for page in ("/", "/notices/", reverse("questions"), reverse("tasks")):
        words = words_of(client.get(page).content.decode())
        assert "question waits" not in words
        assert TEXT not in words


def test_an_author_who_is_a_senior_does_not_answer_about_the_own_task(
    asking_world, asked, author, finance
):
    author.qualifications.update(senior=True)
    author = type(author).objects.get(pk=author.pk)
    assert asked not in answerable(author)
    with pytest.raises(Denied):
        answer_question(actor=author, question=asked, text="Yes.")


def test_a_conflict_with_the_author_keeps_a_senior_from_seeing_it(asked, asking_world, sign_in):
    tied = asking_world["tied"]
    assert sign_in(tied).get(address(asked)).status_code == 404
    assert answerable(tied) == []
    assert "Answer a question" not in sign_in(tied).get("/").content.decode()


@pytest.mark.parametrize("role", [Role.SCORER, Role.CHECKER, Role.SOLVER, Role.REVIEWER])
def test_a_seat_that_stays_blind_keeps_a_senior_from_seeing_it(role, task, asked, senior, sign_in):
    take_seat(task=task, user=senior, role=role)
    assert sign_in(senior).get(address(asked)).status_code == 404
    assert answerable(senior) == []


def test_staff_with_a_blind_seat_or_who_wrote_it_do_not_see_it(task, asked, staff, sign_in):
    take_seat(task=task, user=staff, role=Role.SCORER)
    assert sign_in(staff).get(address(asked)).status_code == 404
    assert answerable(staff) == []
    Seat.objects.filter(user=staff).delete()
    task.rubric_author = staff
    task.save(update_fields=["rubric_author"])
    assert sign_in(staff).get(address(asked)).status_code == 404
    assert answerable(staff) == []


def test_the_spot_checker_of_a_task_may_answer_and_keeps_that_seat(task, asked, senior):
    take_seat(task=task, user=senior, role=Role.SPOT_CHECKER)
    assert answerable(senior) == [asked]
    answer_question(actor=senior, question=asked, text="Yes.")
    assert Seat.objects.get(task=task, user=senior).role == Role.SPOT_CHECKER


def test_an_expert_who_is_no_senior_and_a_stranger_see_nothing(
    asked, asking_world, stranger, sign_in
):
    for user in (asking_world["colleague"], stranger):
        assert sign_in(user).get(address(asked)).status_code == 404


def test_nobody_is_named_on_any_page_of_a_question(answered, asking_world, sign_in):
    names: list[Any] = [asking_world[n] for n in ("author", "peer", "senior", "screener")]
    for reader in ("peer", "senior", "staff"):
        user = asking_world[reader]
        page = sign_in(user).get(address(answered)).content.decode()
        main = words_of(page[page.index("<main") :])
        for person in names:
            assert person.pseudonym not in main
            assert person.email not in main


def test_a_question_about_one_task_is_not_listed_for_a_senior_of_another_domain(asked, person, law):
    assert answerable(person("lawyer", law, senior=True)) == []


def test_the_screener_who_asks_is_a_screener_to_whoever_answers(
    task, asking_world, senior, sign_in
):
    one = ask_about_task(actor=asking_world["screener"], task=task, text=TEXT)
    take_question(actor=senior, question=one)
    assert "A screener asks" in words_of(sign_in(senior).get(address(one)).content.decode())


def test_a_senior_without_a_seat_learns_neither_words_nor_task_nor_line(
    task, asked, line, senior, staff, sign_in
):
    client = sign_in(senior)
    for page in (address(asked), reverse("questions"), "/"):
        words = words_of(client.get(page).content.decode())
        assert "line 3 of a rubric" in words
        for hidden in (TEXT, task.title, line.text, "Your answer"):
            assert hidden not in words
    assert "Read the question and the task" in words_of(client.get(address(asked)).content.decode())
    client.post(reverse("question-take", args=[asked.pk]))
    words = words_of(client.get(address(asked)).content.decode())
    for shown in (TEXT, task.title, line.text, "Your answer"):
        assert shown in words
    assert TEXT in words_of(client.get(reverse("questions")).content.decode())
    assert TEXT in words_of(sign_in(staff).get(address(asked)).content.decode())


def test_staffs_list_has_the_questions_alone_that_the_reader_may_open(task, asked, staff, sign_in):
    client, url = sign_in(staff), reverse("staff-asked-questions")
    assert [row.pk for row in client.get(url).context["list"].rows] == [asked.pk]
    take_seat(task=task, user=staff, role=Role.SCORER)
    assert not client.get(url).context["list"].rows


def test_staff_without_the_duty_are_neither_told_nor_asked(task, asking_world, person, finance):
    reader = person("reader", is_staff=True)
    User.objects.filter(pk=reader.pk).update(does_editing=False)
    both = person("both", finance, senior=True, is_staff=True)
    User.objects.filter(pk=both.pk).update(does_editing=False)
    one = ask_about_task(actor=asking_world["peer"], task=task, text=TEXT)
    told = set(Notice.objects.filter(kind="question_asked").values_list("recipient", flat=True))
    assert told == {asking_world["senior"].pk, asking_world["staff"].pk, both.pk}
    assert answerable(User.objects.get(pk=reader.pk)) == []
    assert answerable(User.objects.get(pk=both.pk)) == [one]


def test_home_loads_a_few_questions_without_the_texts_of_their_tasks(task, asking_world, staff):
    for _n in range(12):
        ask_about_task(actor=asking_world["peer"], task=task, text=TEXT)
    for reader in (staff, asking_world["senior"]):
        with CaptureQueriesContext(connection) as asked:
            assert len(waiting(reader)) == 10
        assert not any("reference_answer" in query["sql"] for query in asked.captured_queries)
