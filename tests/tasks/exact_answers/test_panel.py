"""The panel of a task with an exact answer: its tests, and the one line that is made when kept."""

import pytest
from django.db import IntegrityError, transaction

from curation.screening.panels.actions import join_panel
from curation.screening.panels.models import ReferenceCheck, ScreeningVote, Solve
from curation.screening.panels.voting_actions import open_screening
from curation.tasks.task.models import TaskEvent
from rubrics.versions.models import RubricVersion
from rubrics.versions.queries import version_that_counts
from tests.tasks.exact_answers.conftest import EXACT_TESTS, KEEP, STEPS, decide, solve

pytestmark = pytest.mark.django_db


def vote_url(task):
    return f"/screening/{task.pk}/"


@pytest.fixture
def member(peer, screened):
    """A colleague with a place on the panel."""
    join_panel(actor=peer, task=screened)
    return peer


def test_the_panel_reads_answer_steps_and_facts_and_is_asked_five_more_questions(
    sign_in, member, screened
):
    page = sign_in(member).get(vote_url(screened)).content.decode()
    assert "12 prefectures" in page
    assert STEPS[0].text in page
    assert STEPS[0].source in page
    assert "By treaty" in page or "defined by treaty" in page
    for name in EXACT_TESTS:
        assert f'name="{name}"' in page
    assert "0 of 2 done" in page
    assert "Work scenario" not in page


def test_a_no_to_one_of_them_refuses_keeping_and_a_missing_answer_is_named(
    sign_in, member, screened
):
    client = sign_in(member)
    refused = client.post(vote_url(screened), {**KEEP, "unique_answer": "no"})
    assert refused.status_code == 400
    assert "questions about the exact answer" in refused.content.decode()
    missing = {name: value for name, value in KEEP.items() if name != "before_cutoff"}
    assert client.post(vote_url(screened), missing).status_code == 400
    assert not ScreeningVote.objects.exists()
    returned = {**KEEP, "unique_answer": "no", "decision": "return"}
    assert client.post(vote_url(screened), returned).status_code == 302
    screened.refresh_from_db()
    assert screened.stage == "draft"
    vote = ScreeningVote.objects.get()
    assert (vote.unique_answer, vote.stable_answer) == (False, True)


def test_the_votes_of_others_show_the_answers_to_these_questions(
    sign_in, member, screened, person, finance, solver
):
    client = sign_in(member)
    client.post(vote_url(screened), {**KEEP, "good_sources": "no", "decision": "reject"})
    assert "weak sources" in client.get(vote_url(screened)).content.decode()


def test_the_database_keeps_nothing_that_failed_a_test_and_no_half_of_the_tests(
    sign_in, member, screened
):
    sign_in(member).post(vote_url(screened), {**KEEP, "decision": "return"})
    vote = ScreeningVote.objects.all()
    for wrong in (
        {"decision": "keep", "stable_answer": False},
        {"good_sources": None},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            vote.update(**wrong)


def test_a_task_with_a_text_is_not_asked_these_questions(sign_in, peer, author, finance):
    from curation.tasks.authoring.actions import create_task, submit_task
    from tests.tasks.authoring.conftest import PARTS

    task = create_task(actor=author, domain=finance, **PARTS)
    submit_task(actor=author, task=task)
    open_screening(task=task)
    join_panel(actor=peer, task=task)
    client = sign_in(peer)
    page = client.get(vote_url(task)).content.decode()
    assert 'name="unique_answer"' not in page
    assert not Solve.objects.exists()
    client.post(vote_url(task), {k: v for k, v in KEEP.items() if k not in EXACT_TESTS})
    assert ScreeningVote.objects.get().unique_answer is None


def test_a_suspect_question_gets_two_solvers_and_no_check_besides(question, author):
    from curation.tasks.authoring.actions import submit_task

    submit_task(actor=author, task=question)
    open_screening(task=question, finding="suspect", probing={"passed": 0, "graded": 6})
    assert Solve.objects.filter(task=question).count() == 2
    assert not ReferenceCheck.objects.exists()


def test_keeping_waits_for_two_solvers_and_then_approves_with_one_line(
    sign_in, member, screened, solver
):
    reply = sign_in(member).post(vote_url(screened), KEEP, follow=True).content.decode()
    assert "two colleagues have solved the task" in reply
    screened.refresh_from_db()
    assert screened.stage == "screening"
    for name in ("ana", "bela"):
        client = sign_in(solver(name))
        assert solve(client, screened).status_code == 302
        assert decide(client, screened).status_code == 302
    screened.refresh_from_db()
    assert screened.stage == "approved"
    moves = TaskEvent.objects.filter(task=screened).exclude(data__has_key="event")
    assert list(moves.values_list("from_stage", "to_stage"))[-2:] == [
        ("screening", "drafting"),
        ("drafting", "approved"),
    ]
    version = version_that_counts(screened)
    assert version.origin == RubricVersion.Origin.ANSWER
    assert version.frozen
    line = version.criteria.get()
    assert line.text == "The final answer is: 12 prefectures"
    assert (line.key, line.weight, line.importance, line.dimension) == (
        "answer",
        10,
        "essential",
        "accuracy",
    )
    page = sign_in(screened.author).get(f"/tasks/{screened.pk}/").content.decode()
    assert "its rubric is one line" in page


def test_an_approved_exact_task_is_not_reopened_for_refining(
    sign_in, staff, member, screened, solver
):
    sign_in(member).post(vote_url(screened), KEEP)
    for name in ("ana", "bela"):
        client = sign_in(solver(name))
        solve(client, screened)
        decide(client, screened)
    client = sign_in(staff)
    page = client.get(f"/staff/tasks/{screened.pk}/").content.decode()
    assert "Reopen" not in page
    assert "Discard" in page
    reply = client.post(f"/staff/tasks/{screened.pk}/reopen/", {"reason": "Look again."})
    assert reply.status_code in (303, 409)
    screened.refresh_from_db()
    assert screened.stage == "approved"
