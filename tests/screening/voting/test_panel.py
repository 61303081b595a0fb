"""Places on a panel: drawn fairly, taken, handed back, expired; always one person, one seat."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from curation.joining.notices.models import Notice
from curation.joining.notices.notify import words
from curation.joining.people import Qualification
from curation.screening.panels.actions import fill_panel, fill_panels, give_place, join_panel
from curation.screening.panels.models import PanelPlace
from curation.screening.panels.seats import expire_places, hand_over_places
from curation.screening.panels.voting_actions import open_screening, vote
from curation.tasks.authoring.actions import create_task, submit_task
from curation.tasks.task.models import Seat, Task
from tests.screening.voting.test_voting import KEEP, url
from tests.tasks.authoring.conftest import PARTS
from tests.tasks.authoring.parallel import in_parallel

RETURN = {**KEEP, "decision": "return", "gradable": "no"}
State = PanelPlace.State


def places(task: Task, **wanted: Any) -> Any:
    return PanelPlace.objects.filter(task=task, **wanted)


def cast(member: Any, task: Task, decision: str = "keep") -> None:
    vote(
        actor=member, task=task, difficult=True, representative=True, gradable=True,
        decision=decision, reasons="Seen in practice.",
    )  # fmt: skip


def test_as_many_members_are_drawn_as_votes_decide(person, finance, law, author, screened_by):
    for n in range(5):
        person(f"member{n}", finance)
    person("outsider", law)
    task = screened_by(3)
    assert fill_panel(task) == 3
    assert fill_panel(task) == 0  # nothing is given twice
    drawn = places(task, state=State.OPEN)
    assert drawn.count() == 3
    assert all(p.member.qualified_domain_ids() == {finance.pk} for p in drawn)
    assert author.pk not in {p.member_id for p in drawn}
    assert Seat.objects.filter(task=task, role="screener").count() == 3


def test_who_is_tied_to_the_author_is_not_drawn_and_cannot_take_a_place(
    sign_in, person, finance, author, screened
):
    type(author).objects.filter(pk=author.pk).update(affiliation="Lantern  Bank")
    colleague = person("colleague", finance, affiliation="lantern bank")
    assert fill_panel(screened) == 0
    assert screened.title not in sign_in(colleague).get("/screening/").content.decode()
    join = url(screened, "join/")  # a refusal with its reason would name the author
    assert sign_in(colleague).post(join).status_code == 404
    type(screened).objects.filter(pk=screened.pk).update(stage="in_review")
    assert sign_in(colleague).post(join).status_code == 404


def test_the_draw_spreads_work_evenly(person, finance, author, rules):
    members = [person(f"member{n}", finance) for n in range(6)]
    rules(quorum=2)
    for n in range(9):
        task = create_task(actor=author, domain=finance, key=f"t{n}", **PARTS)
        Task.objects.filter(pk=task.pk).update(screening_round=1, stage="submitted")
        task.refresh_from_db()
        fill_panel(open_screening(task=task))
    assert [m.panel_places.count() for m in members] == [3] * 6


def test_a_place_handed_back_has_a_reason_and_goes_to_the_next(sign_in, person, finance, screened):
    one, two = person("one", finance), person("two", finance)
    fill_panel(screened)
    first = places(screened).get().member
    client = sign_in(first)
    assert client.post(url(screened, "skip/"), {"reason": " "}).status_code == 400
    assert client.post(url(screened, "skip/"), {"reason": "On leave."}).status_code == 302
    assert places(screened, state=State.SKIPPED).get().reason == "On leave."
    second = places(screened, state=State.OPEN).get().member
    assert {first, second} == {one, two}
    # Unread: the seat is free again, so they may review it later.
    assert not Seat.objects.filter(task=screened, user=first).exists()
    assert sign_in(first).get(url(screened)).status_code == 404


def test_who_has_read_the_task_keeps_the_seat(sign_in, peer, seated):
    client = sign_in(peer)
    client.get(url(seated))
    client.post(url(seated, "skip/"), {"reason": "No time."})
    assert Seat.objects.filter(task=seated, user=peer).exists()
    assert client.post(url(seated, "join/")).status_code == 409
    assert client.post(url(seated), KEEP).status_code == 409


def test_an_expired_place_goes_on_and_the_late_vote_loses_no_word(
    sign_in, person, finance, peer, seated
):
    next_one = person("next", finance)
    sign_in(peer).get(url(seated))
    places(seated).update(due_at=timezone.now() - timedelta(minutes=1))
    assert expire_places() == 1
    assert places(seated, member=peer).get().state == State.EXPIRED
    assert places(seated, state=State.OPEN).get().member == next_one
    late = sign_in(peer).post(url(seated), {**KEEP, "reasons": "Typed too late."})
    assert late.status_code == 409
    assert "Typed too late." in late.content.decode()


def test_who_lost_a_place_is_told_of_no_colleague_where_nobody_took_it(peer, seated):
    places(seated).update(due_at=timezone.now() - timedelta(minutes=1))
    assert expire_places() == 1
    assert not places(seated, state=State.OPEN).exists()
    told = words(Notice.objects.get(recipient=peer, kind="panel_place_expired"))
    assert told.title == f"Your place on the panel of “{seated}” has ended"
    assert "colleague" not in f"{told.title} {told.text}"


def test_a_late_vote_counts_while_the_place_is_still_theirs(sign_in, peer, seated):
    places(seated).update(due_at=timezone.now() - timedelta(days=1))
    assert sign_in(peer).post(url(seated), KEEP).status_code == 302
    assert expire_places() == 0
    seated.refresh_from_db()
    assert seated.stage == "drafting"


def test_a_suspended_members_place_goes_to_a_colleague(person, finance, peer, seated):
    colleague = person("colleague", finance)
    peer.qualifications.update(active=False)
    assert expire_places() == 1
    assert places(seated, state=State.OPEN).get().member == colleague


def test_handing_over_ends_the_places_of_one_domain(finance, law, peer, seated):
    elsewhere = Qualification.objects.create(user=peer, domain=law)
    assert hand_over_places([elsewhere]) == 0
    assert hand_over_places(peer.qualifications.filter(domain=finance)) == 1
    assert not places(seated, state=State.OPEN).exists()


def test_a_new_expert_gets_the_place_that_waited(person, finance, screened):
    assert fill_panel(screened) == 0
    newcomer = person("newcomer", finance)
    assert fill_panels() == 1
    assert fill_panels() == 0
    assert places(screened).get().member == newcomer


@pytest.fixture
def two_tasks(author, finance, rules):
    """Two tasks in screening without anybody to read them."""
    rules(quorum=1)

    def make(n):
        task = create_task(actor=author, domain=finance, key=f"t{n}", **PARTS)
        Task.objects.filter(pk=task.pk).update(screening_round=1, stage="submitted")
        task.refresh_from_db()
        return open_screening(task=task)

    return make(1), make(2)


def fails_for(monkeypatch, broken):
    """Let every place of one task fail when it is given."""

    def give(task, *given, **how):
        if task.pk == broken.pk:
            raise RuntimeError("out of order")
        return give_place(task, *given, **how)

    monkeypatch.setattr("curation.screening.panels.actions.give_place", give)


def test_a_task_that_fails_keeps_no_other_from_its_panel(
    person, finance, two_tasks, monkeypatch, caplog
):
    broken, sound = two_tasks
    person("newcomer", finance)
    fails_for(monkeypatch, broken)
    assert fill_panels() == 1
    assert places(sound, state=State.OPEN).exists()
    assert not Seat.objects.filter(task=broken, role="screener").exists()
    assert f"Task {broken.pk} got no panel" in caplog.text


def test_a_place_that_cannot_end_keeps_no_other_from_ending(
    person, finance, peer, two_tasks, monkeypatch, caplog
):
    broken, sound = two_tasks
    for task in two_tasks:
        join_panel(actor=peer, task=task)
    person("next", finance)
    PanelPlace.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    fails_for(monkeypatch, broken)
    assert expire_places() == 1
    assert places(sound, member=peer).get().state == State.EXPIRED
    assert places(broken, member=peer).get().state == State.OPEN, "undone as a whole"
    assert "could not be ended" in caplog.text


def test_a_sweep_looks_at_so_many_tasks_and_comes_back_for_the_others(
    person, finance, two_tasks, monkeypatch
):
    monkeypatch.setattr("curation.screening.panels.actions.SWEEP_LIMIT", 1)
    person("newcomer", finance)
    assert [fill_panels() for _ in range(3)] == [1, 1, 0]
    assert all(places(task).exists() for task in two_tasks)


def test_volunteers_only_where_the_rules_say_so(sign_in, peer, screened_by):
    task = screened_by(1, draw=False)
    assert fill_panel(task) == 0
    page = sign_in(peer).get("/screening/").content.decode()
    assert "Take a place" in page
    assert sign_in(peer).post(url(task, "join/")).status_code == 302


# --- ties -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("tie", "stage"), [("return", "draft"), ("reject", "rejected"), ("one_more", "screening")]
)
def test_a_tie_ends_as_the_rules_say(person, finance, screened_by, tie, stage):
    one, two, three = (person(f"m{n}", finance) for n in range(3))
    task = screened_by(2, tie=tie)
    for member in (one, two):
        join_panel(actor=member, task=task)
    cast(one, task, "keep")
    cast(two, task, "reject")
    task.refresh_from_db()
    assert task.stage == stage
    if tie == "one_more":
        assert places(task, state=State.OPEN).get().member == three
        cast(three, task, "keep")
        task.refresh_from_db()
        assert task.stage == "drafting"


def test_a_change_of_the_rules_does_not_touch_a_panel_that_has_begun(
    sign_in, peer, rules, screened_by
):
    task = screened_by(1)
    rules(quorum=5)
    join_panel(actor=peer, task=task)
    assert sign_in(peer).post(url(task), KEEP).status_code == 302
    task.refresh_from_db()
    assert task.stage == "drafting"


def test_a_returned_draft_is_its_authors_alone_again(sign_in, author, peer, seated):
    client = sign_in(peer)
    client.post(url(seated), RETURN)
    Task.objects.filter(pk=seated.pk).update(materials="Written after the return.")
    assert "Written after the return." not in client.get(url(seated)).content.decode()
    assert client.get(f"/tasks/{seated.pk}/").status_code == 404


# --- races ----------------------------------------------------------------------------------------
@pytest.mark.django_db(transaction=True)
def test_eight_claims_of_the_last_place_give_it_once(person, finance, screened_by):
    task = screened_by(1, draw=False)
    members = [person(f"member{n}", finance) for n in range(8)]
    codes = in_parallel([(member, url(task, "join/")) for member in members])
    assert codes.count(302) == 1
    assert codes.count(409) == 7
    assert Seat.objects.filter(task=task, role="screener").count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_vote_and_its_expiry_at_the_same_moment_agree(sign_in, person, finance, screened_by):
    task = screened_by(1)
    member = person("member", finance)
    join_panel(actor=member, task=task)
    sign_in(member).get(url(task))
    places(task).update(due_at=timezone.now() - timedelta(seconds=1))

    def expire() -> None:
        try:
            expire_places()
        finally:
            connection.close()

    other = threading.Thread(target=expire)
    other.start()
    (code,) = in_parallel([(member, url(task))], KEEP)
    other.join()
    task.refresh_from_db()
    ended = places(task, member=member).get().state
    assert (code, ended, task.stage) in [
        (302, State.VOTED, "drafting"),
        (409, State.EXPIRED, "screening"),
    ]


# --- counting queries -----------------------------------------------------------------------------
def test_the_staffs_overview_costs_the_same_for_three_and_eight(
    sign_in, staff, person, finance, django_assert_max_num_queries
):
    for n in range(4):
        person(f"member{n}", finance)

    def more(n: int, start: int) -> None:
        for i in range(start, start + n):
            writer = person(f"writer{i}", finance)
            task = create_task(actor=writer, domain=finance, **PARTS)
            submit_task(actor=writer, task=task)
            open_screening(task=task)
            fill_panel(task)

    client = sign_in(staff)
    client.get("/staff/screening/")
    more(3, 0)
    with django_assert_max_num_queries(9) as few:
        assert client.get("/staff/screening/").status_code == 200
    more(27, 3)
    with django_assert_max_num_queries(9) as many:
        client.get("/staff/screening/")
    assert len(few) == len(many)
