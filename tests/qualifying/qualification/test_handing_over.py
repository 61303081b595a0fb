"""Suspending an expert: the record staff decide by, and what happens to each kind of open work."""

import threading
from typing import Any

import pytest
from django.db import close_old_connections, connection
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.base.process.periodic_jobs import run
from curation.base.web.refusals import Conflict, Denied
from curation.joining.notices.models import Notice
from curation.joining.people import Qualification, User
from curation.qualifying.experts.record import facts_about
from curation.qualifying.experts.suspension import reinstate_expert, suspend_expert
from curation.tasks.authoring.actions import create_task, grant_slot
from curation.tasks.task.models import Task
from review.rounds.actions import finish_round, set_verdict
from review.rounds.assignment_models import Review
from review.spot_checks.actions import take_spot_check
from rubrics.sending.actions import send_to_review
from tests.qualifying.qualification.standing import REASON, decide, text_of
from tests.rubrics.walk import to_refining


@pytest.fixture
def suspend(sign_in: Any, staff: User, finance: Any) -> Any:
    def go(person: User, reason: str = REASON, active: str = "0") -> Any:
        return decide(sign_in(staff), person, finance, reason, active)

    return go


@pytest.fixture
def refining(author: User, person: Any, finance: Any) -> Task:
    return to_refining(author, person("screener", finance), finance)


@pytest.fixture
def in_review(refining: Task, author: User, peer: User) -> Task:
    send_to_review(actor=author, task=refining)
    refining.refresh_from_db()
    return refining


# --- suspending ----------------------------------------------------------------------------------
@pytest.mark.django_db
def test_a_reason_reaches_an_expert_who_was_entered_by_hand(
    suspend: Any, peer: User, staff: User, sign_in: Any
) -> None:
    page = text_of(suspend(peer))
    assert "is suspended in Finance. No open work had to be handed over." in page
    assert "Suspended in Finance." in page
    assert REASON in page
    notice = Notice.objects.get(recipient=peer, kind="suspended")
    assert notice.data["reason"] == REASON
    assert REASON in sign_in(peer).get("/notices/").content.decode()
    assert User.objects.get(pk=peer.pk).qualified_domain_ids() == frozenset()
    page = text_of(suspend(peer, "Explained.", active="1"))
    assert "works in Finance again." in page
    assert Notice.objects.filter(recipient=peer, kind="reinstated").count() == 1


@pytest.mark.django_db
def test_suspending_needs_a_reason_and_happens_once(suspend: Any, peer: User) -> None:
    answer = suspend(peer, " ")
    assert answer.status_code == 400
    assert "Say why. The expert reads it." in answer.content.decode()
    assert Qualification.objects.get(user=peer).active
    suspend(peer)
    assert suspend(peer).status_code == 409
    assert suspend(peer, active="1").status_code == 200
    assert suspend(peer, active="1").status_code == 409


@pytest.mark.django_db
def test_nobody_suspends_without_being_staff_or_decides_on_themselves(
    peer: User, author: User, staff: User, finance: Any
) -> None:
    for actor, person in ((peer, author), (author, author), (staff, staff)):
        with pytest.raises(Denied):
            suspend_expert(actor=actor, person=person, domain=finance, reason=REASON)
        with pytest.raises(Denied):
            reinstate_expert(actor=actor, person=person, domain=finance, reason=REASON)
    for actor in (author, peer):
        with pytest.raises(Denied):
            grant_slot(actor=actor, expert=author, reason="One more for me.")
    with pytest.raises(Denied):
        grant_slot(actor=staff, expert=staff, reason="One more for me.")


# --- open work, kind by kind ---------------------------------------------------------------------
@pytest.mark.django_db
def test_a_review_goes_to_the_next_eligible_colleague_with_nothing_deleted(
    suspend: Any, in_review: Task, peer: User, person: Any, finance: Any, sign_in: Any
) -> None:
    first = Review.objects.get(task=in_review)
    line = first.rounds.get().version.criteria.first()
    assert line is not None
    set_verdict(
        actor=peer,
        round=first.rounds.get(),
        criterion=line,
        verdict="change",
        aspect="clarity",
        comment="Name the figure.",
    )
    colleague = person("colleague", finance)
    assert "1 piece of open work was handed over." in text_of(suspend(peer))
    first.refresh_from_db()
    assert first.state == "declined"
    assert first.rounds.get().lines.count() == 1
    assert Review.objects.get(task=in_review, state="assigned").reviewer == colleague
    finish = reverse("review-finish", args=[first.pk])
    assert sign_in(peer).post(finish).status_code in (403, 409)
    told = in_review.history.filter(data__event="review_released")
    assert told.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("step", ["suspend", "close"])
def test_the_work_of_many_goes_to_somebody_who_stays(
    step: str, in_review: Task, peer: User, person: Any, finance: Any, sign_in: Any, staff: User
) -> None:
    """Of the two who could review next, the first in line leaves with the reviewer."""
    leaving, staying = person("leaving", finance), person("staying", finance)
    rows = f"{peer.pk},{leaving.pk}"
    form = {"rows": rows, "checked": "1", "domain": "finance", "reason": REASON}
    office = sign_in(staff)
    assert office.post(f"/staff/lists/people/{step}/", form).context["cannot"] == []
    assert Review.objects.get(task=in_review).reviewer == peer
    assert office.post(f"/staff/lists/people/{step}/do/", form).status_code == 302
    held = Review.objects.filter(task=in_review)
    assert [(one.reviewer, one.state) for one in held.order_by("number")] == [
        (peer, "declined"),
        (staying, "assigned"),
    ]
    assert not in_review.seats.filter(user=leaving).exists()


@pytest.mark.django_db
def test_a_review_without_an_eligible_colleague_waits_in_the_pool(
    suspend: Any, in_review: Task, peer: User, person: Any, finance: Any, sign_in: Any
) -> None:
    suspend(peer)
    assert not Review.objects.filter(task=in_review, state="assigned").exists()
    newcomer = person("newcomer", finance)
    answer = sign_in(newcomer).post(reverse("review-take", args=[in_review.pk]))
    assert answer.status_code == 302
    assert Review.objects.get(task=in_review, state="assigned").reviewer == newcomer


@pytest.mark.django_db
def test_a_spot_check_goes_back_to_the_seniors_and_stays_there_after_a_reinstatement(
    suspend: Any,
    in_review: Task,
    peer: User,
    senior: User,
    person: Any,
    finance: Any,
    settings: Any,
) -> None:
    settings.SPOT_CHECK_RATE = 1.0
    _approve(in_review, peer)
    in_review.refresh_from_db()
    assert in_review.stage == Stage.SPOT_CHECK
    take_spot_check(actor=senior, task=in_review)
    assert "1 piece of open work was handed over." in text_of(suspend(senior))
    other = person("other-senior", finance, senior=True)
    take_spot_check(actor=other, task=in_review)
    suspend(senior, "Explained.", active="1")
    with pytest.raises(Conflict):
        take_spot_check(actor=User.objects.get(pk=senior.pk), task=in_review)


@pytest.mark.django_db
def test_own_tasks_stay_with_their_author_and_wait(
    suspend: Any, refining: Task, author: User, staff: User, finance: Any, sign_in: Any
) -> None:
    own = create_task(actor=author, domain=finance, title="A draft of mine")
    suspend(author)
    refining.refresh_from_db()
    own.refresh_from_db()
    assert (refining.stage, refining.author) == (Stage.REFINING, author)
    assert own.author == author
    writer = sign_in(author)
    assert writer.post(reverse("rubric-send", args=[refining.pk])).status_code == 403
    assert writer.get(reverse("task-edit", args=[own.pk])).status_code == 200
    assert (
        "1 rubric is waiting for an author who is suspended."
        in sign_in(staff).get("/staff/pipeline/").content.decode()
    )


# --- somebody who left without being suspended ---------------------------------------------------
@pytest.mark.django_db
def test_the_sweep_hands_over_what_a_closed_account_held(
    in_review: Task, peer: User, person: Any, finance: Any
) -> None:
    colleague = person("colleague", finance)
    User.objects.filter(pk=peer.pk).update(is_active=False)
    run()
    assert Review.objects.get(task=in_review, state="assigned").reviewer == colleague
    held = Review.objects.filter(task=in_review).count()
    run()
    assert Review.objects.filter(task=in_review).count() == held


# --- the record ----------------------------------------------------------------------------------
@pytest.mark.django_db
def test_the_record_counts_with_denominators_and_links_the_cases(
    sign_in: Any, staff: User, peer: User, in_review: Task, senior: User
) -> None:
    Review.objects.filter(task=in_review).update(state="declined", reason="No time.")
    page = sign_in(staff).get(reverse("staff-person", args=[peer.pk])).content.decode()
    assert "1 of 1 reviews was handed back." in page
    assert reverse("staff-task", args=[in_review.pk]) in page
    fact = facts_about(peer)[0]
    assert (fact.n, fact.of) == (1, 1)
    empty = sign_in(staff).get(reverse("staff-person", args=[senior.pk])).content.decode()
    assert "has an outcome yet." in empty


# --- at the same moment --------------------------------------------------------------------------
@pytest.mark.django_db(transaction=True)
def test_a_round_finished_while_its_reviewer_is_suspended_counts_wholly_or_not_at_all(
    in_review: Task, peer: User, staff: User, person: Any, finance: Any
) -> None:
    colleague = person("colleague", finance)
    review = Review.objects.get(task=in_review)
    round_1 = review.rounds.get()
    for line in round_1.version.criteria.all():
        set_verdict(actor=peer, round=round_1, criterion=line, verdict="approve")
    outcomes = _at_once(
        lambda: finish_round(actor=peer, round=round_1),
        lambda: suspend_expert(actor=staff, person=peer, domain=finance, reason=REASON),
    )
    assert "done" in outcomes, outcomes
    in_review.refresh_from_db()
    review.refresh_from_db()
    assert not Qualification.objects.get(user=peer).active
    if in_review.stage in (Stage.APPROVED, Stage.SPOT_CHECK):  # drawn for one or not
        assert not Review.objects.filter(reviewer=colleague).exists()
    else:
        assert in_review.stage == Stage.IN_REVIEW
        assert review.state == "declined"
        assert Review.objects.get(task=in_review, state="assigned").reviewer == colleague


def _at_once(*calls: Any) -> list[str]:
    outcomes: list[str] = []
    start = threading.Barrier(len(calls))

    def go(call: Any) -> None:
        close_old_connections()
        try:
            start.wait(timeout=20)
            call()
            outcomes.append("done")
        except (Conflict, Denied) as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=go, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return outcomes


def _approve(task: Task, reviewer: User) -> None:
    round_1 = Review.objects.get(task=task).rounds.get()
    for line in round_1.version.criteria.all():
        set_verdict(actor=reviewer, round=round_1, criterion=line, verdict="approve")
    finish_round(actor=reviewer, round=round_1)
