"""The panel: the queue, joining, voting blind, what the votes decide."""

from typing import Any

import pytest

from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.screening.panels.actions import join_panel
from curation.screening.panels.models import Decision, ScreeningVote
from curation.screening.panels.voting_actions import open_screening, panel_decision, vote
from curation.tasks.authoring.actions import create_task, submit_task
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Seat, Task
from tests.tasks.authoring.conftest import PARTS
from tests.tasks.authoring.parallel import in_parallel

KEEP = {
    "difficult": "yes",
    "representative": "yes",
    "gradable": "yes",
    "decision": "keep",
    "reasons": "Typical work with one quiet trap.",
}


def url(task: Task, step: str = "") -> str:
    return f"/screening/{task.pk}/{step}"


def test_the_queue_shows_tasks_of_ones_domains_only(sign_in, author, peer, stranger, screened):
    assert screened.title in sign_in(peer).get("/screening/").content.decode()
    assert screened.title not in sign_in(stranger).get("/screening/").content.decode()
    assert screened.title not in sign_in(author).get("/screening/").content.decode()


def test_the_queue_names_nobody(sign_in, author, peer, screened):
    page = sign_in(peer).get("/screening/").content.decode()
    assert author.email not in page
    assert author.pseudonym not in page


def test_an_applicant_has_no_queue(sign_in, applicant):
    assert sign_in(applicant).get("/screening/").status_code == 403


def test_taking_a_seat_opens_the_task(sign_in, peer, screened):
    answer = sign_in(peer).post(url(screened, "join/"))
    assert (answer.status_code, answer["Location"]) == (302, url(screened))
    assert Seat.objects.get(task=screened, user=peer).role == Role.SCREENER


def test_taking_the_seat_twice_does_no_harm(sign_in, peer, screened):
    client = sign_in(peer)
    client.post(url(screened, "join/"))
    assert client.post(url(screened, "join/")).status_code == 302
    assert screened.history.filter(data__event="panel_joined").count() == 1


def test_the_author_strangers_and_the_unqualified_cannot_join(
    sign_in, author, stranger, applicant, screened
):
    assert sign_in(author).post(url(screened, "join/")).status_code == 404
    assert sign_in(stranger).post(url(screened, "join/")).status_code == 404
    assert sign_in(applicant).post(url(screened, "join/")).status_code == 403
    assert sign_in(author).get(url(screened)).status_code == 403
    assert sign_in(stranger).get(url(screened)).status_code == 404


def test_a_draft_cannot_be_told_from_a_missing_task(sign_in, peer, draft):
    assert sign_in(peer).post(url(draft, "join/")).status_code == 404


def test_a_task_past_screening_is_a_conflict(sign_in, peer, person, finance, seated):
    assert sign_in(peer).post(url(seated), KEEP).status_code == 302
    late = person("late", finance)
    assert sign_in(late).post(url(seated, "join/")).status_code == 409


def test_who_holds_another_seat_cannot_join(sign_in, person, finance, screened):
    reviewer = person("reviewer", finance)
    take_seat(task=screened, user=reviewer, role=Role.REVIEWER)
    assert sign_in(reviewer).post(url(screened, "join/")).status_code == 409


def test_the_vote_page_shows_the_task_and_what_the_machine_found(sign_in, peer, seated):
    page = sign_in(peer).get(url(seated)).content.decode()
    for text in (seated.title, "You are the credit analyst", "Leverage is 3.00 times"):
        assert text in page
    assert "the programme has no model for it yet" in page
    assert "other votes hidden until yours is in" in page


def test_probes_and_likeness_are_shown_as_recorded(sign_in, author, peer, draft):
    submit_task(actor=author, task=draft)
    open_screening(
        task=draft,
        finding="fair",
        probing={
            "asked": 4, "graded": 3, "passed": 1, "low": 0.0615, "high": 0.7923, "solved": 60,
            "easy": 80, "suspect": 10, "by_rules": True,
            "models": [
                {"model": "one:big", "passed": 1, "graded": 3},
                {"model": "other:one", "passed": 0, "graded": 0, "problem": "no answer in time"},
            ],
        },
        duplicates=[{"task": "t-other", "similarity": 0.62}],
    )  # fmt: skip
    join_panel(actor=peer, task=draft)
    page = sign_in(peer).get(url(draft)).content.decode().replace("\u00a0", " ")
    assert "1 of 3 answers passed, a rate of 33 % (95 % interval: 6 to 79 %)" in page
    assert "within the limits of 10 and 80 %" in page
    assert "Graded by rules, not by a model" in page
    assert "1 further answer could not be obtained or graded" in page
    assert "1 of 3 passed" in page
    assert "no answer in time" in page
    assert "t-other" in page
    assert "62" in page


def test_a_kept_prompt_goes_on_to_its_rubric(sign_in, peer, seated):
    assert sign_in(peer).post(url(seated), KEEP).status_code == 302
    seated.refresh_from_db()
    assert seated.stage == Stage.DRAFTING


@pytest.mark.parametrize(
    ("changes", "at_fault"),
    [
        ({"reasons": " \u200b "}, "reasons"),
        ({"reasons": "x" * 5001}, "reasons"),
        ({"decision": "burn"}, "decision"),
        ({"decision": ""}, "decision"),
        ({"gradable": "no"}, "decision"),
        ({"difficult": ""}, "difficult"),
        ({"difficult": "maybe"}, "difficult"),
    ],
)
def test_an_incomplete_vote_is_refused_with_everything_kept(
    sign_in, peer, seated, changes, at_fault
):
    sent = {**KEEP, "reasons": "Kept as typed.", **changes}
    answer = sign_in(peer).post(url(seated), sent)
    assert answer.status_code == 400
    page = answer.content.decode()
    if "reasons" not in changes:
        assert "Kept as typed." in page
    assert at_fault in answer.context["form"].errors
    assert not ScreeningVote.objects.exists()


def test_other_votes_stay_hidden_until_ones_own_is_in(sign_in, person, finance, peer, screened_by):
    seated = screened_by(3)
    join_panel(actor=peer, task=seated)
    other = person("other", finance)
    join_panel(actor=other, task=seated)
    secret = "Nobody may read this before voting."
    sign_in(other).post(url(seated), {**KEEP, "reasons": secret})
    client = sign_in(peer)
    assert secret not in client.get(url(seated)).content.decode()
    client.post(url(seated), KEEP)
    page = client.get(url(seated)).content.decode()
    assert secret in page
    assert other.display_name not in page
    assert other.pseudonym not in page


def test_who_has_read_a_task_by_a_refused_vote_keeps_its_seat(sign_in, peer, seated):
    client = sign_in(peer)
    assert "Leverage is 3.00 times" in client.post(url(seated), {}).content.decode()
    assert client.post(url(seated, "skip/"), {"reason": "No time."}).status_code == 302
    assert Seat.objects.filter(task=seated, user=peer).exists()


def test_voting_twice_is_a_conflict(sign_in, peer, screened_by):
    seated = screened_by(2)
    join_panel(actor=peer, task=seated)
    client = sign_in(peer)
    assert client.post(url(seated), KEEP).status_code == 302
    assert client.post(url(seated), KEEP).status_code == 409
    assert ScreeningVote.objects.count() == 1


def test_a_suspended_member_cannot_vote(sign_in, peer, seated):
    peer.qualifications.update(active=False)
    assert sign_in(peer).post(url(seated), KEEP).status_code == 403


def test_a_vote_without_a_seat_is_refused(sign_in, peer, screened):
    assert sign_in(peer).post(url(screened), KEEP).status_code == 404


@pytest.mark.parametrize(
    ("votes", "decision"),
    [
        (["keep"], Decision.KEEP),
        (["keep", "keep", "reject"], Decision.KEEP),
        (["keep", "reject"], Decision.RETURN),  # a tie loses nothing
        (["keep", "return", "reject"], Decision.RETURN),
        (["reject", "reject", "keep"], Decision.REJECT),
        (["keep", "keep", "reject", "reject"], Decision.RETURN),
    ],
)
def test_the_majority_decides_and_a_tie_returns_the_prompt(votes, decision):
    assert panel_decision(votes) == decision


def test_the_queue_costs_the_same_for_three_and_eight_tasks(
    sign_in, person, finance, peer, settings, django_assert_max_num_queries
):
    def more(n: int, start: int) -> None:
        for i in range(n):
            writer = person(f"writer{start + i}", finance)
            task = create_task(actor=writer, domain=finance, **PARTS)
            submit_task(actor=writer, task=task)
            open_screening(task=task)

    client = sign_in(peer)
    more(3, 0)
    with django_assert_max_num_queries(10) as few:
        client.get("/screening/")
    more(27, 3)
    with django_assert_max_num_queries(10) as many:
        client.get("/screening/")
    assert len(few) == len(many)


@pytest.mark.django_db(transaction=True)
def test_a_panel_voting_at_the_same_moment_decides_once(person, finance, author, screened_by):
    task = screened_by(3)
    members = [person(f"member{n}", finance) for n in range(3)]
    for member in members:
        join_panel(actor=member, task=task)
    # each of them clicks in three tabs
    codes = votes_in_parallel(members * 3, task)
    assert codes.count(302) == 3
    assert codes.count(409) == 6
    assert ScreeningVote.objects.filter(task=task).count() == 3
    assert task.history.filter(from_stage="screening", to_stage="drafting").count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_member_voting_in_many_tabs_has_one_vote(peer, finance, author, screened_by):
    task = screened_by(5)
    join_panel(actor=peer, task=task)
    codes = votes_in_parallel([peer] * 8, task)
    assert codes.count(302) == 1
    assert ScreeningVote.objects.count() == 1


def votes_in_parallel(members: list[Any], task: Task) -> list[int]:
    return in_parallel([(member, url(task)) for member in members], KEEP)


def test_a_vote_of_the_first_round_does_not_count_in_the_second(sign_in, author, peer, seated):
    vote(
        actor=peer,
        task=seated,
        difficult=True,
        representative=True,
        gradable=False,
        decision="return",
        reasons="Say how long.",
    )
    seated.refresh_from_db()
    submit_task(actor=author, task=seated)
    open_screening(task=seated)
    client = sign_in(peer)
    assert "Read and vote" in client.get("/screening/").content.decode()
    assert client.post(url(seated), KEEP).status_code == 302
    seated.refresh_from_db()
    assert seated.stage == Stage.DRAFTING
