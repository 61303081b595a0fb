"""A tie to the author that comes to light after a place on the panel was given."""

from typing import Any

import pytest

from curation.joining.invitations.actions import record_arrival, renew_referral
from curation.joining.people import User
from curation.screening.panels.actions import join_panel
from curation.screening.panels.models import PanelPlace, ReferenceCheck
from curation.tasks.task.models import Seat, Task
from review.conflicts.models import ConflictOfInterest
from tests.conftest import make_staff
from tests.screening.voting.test_voting import KEEP, url

pytestmark = pytest.mark.django_db


def declared(author: User, member: User, staff: User) -> None:
    one, other = sorted((author, member), key=lambda user: user.pk)
    ConflictOfInterest.objects.create(one=one, other=other, kind="coauthor", declared_by=staff)


def colleagues(author: User, member: User, staff: User) -> None:
    User.objects.filter(pk=author.pk).update(affiliation="Harbour Bank")
    User.objects.filter(pk=member.pk).update(affiliation=" harbour  BANK")


def referred(author: User, member: User, staff: User) -> None:
    record_arrival(invitation=renew_referral(actor=member), user=author)


@pytest.mark.parametrize("tie", [declared, colleagues, referred])
def test_the_vote_is_refused_kindly_and_the_place_goes_back_to_the_pool(
    sign_in: Any, author: User, peer: User, person: Any, finance: Any, staff: User, seated: Task,
    tie: Any,
) -> None:  # fmt: skip
    browser = sign_in(peer)
    assert browser.get(url(seated)).status_code == 200
    tie(author, peer, staff)
    answer = browser.post(url(seated), KEEP)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "one is now known in your case" in page
    assert KEEP["reasons"] in page  # what was typed is not lost
    assert author.email not in page
    seated.refresh_from_db()
    assert (seated.stage, seated.screening_votes.count()) == ("screening", 0)
    place = PanelPlace.objects.get(task=seated, member=peer)
    assert (place.state, place.reason) == ("skipped", "A tie to the author has been found since.")
    assert Seat.objects.filter(task=seated, user=peer).exists()  # who has read it judges it nowhere
    assert browser.post(url(seated), KEEP).status_code == 409
    late = sign_in(person("late", finance))
    assert late.post(url(seated, "join/")).status_code == 302
    assert late.post(url(seated), KEEP).status_code == 302
    story = sign_in(author).get(f"/tasks/{seated.pk}/").content.decode()
    assert place.reason not in story


def test_where_members_are_drawn_the_next_colleague_is_drawn_at_once(
    sign_in: Any, author: User, person: Any, finance: Any, staff: User, screened_by: Any
) -> None:
    first = person("first", finance)
    task = screened_by(1, draw=True)
    join_panel(actor=first, task=task)
    second = person("second", finance)
    declared(author, first, staff)
    assert sign_in(first).post(url(task), KEEP).status_code == 409
    held = PanelPlace.objects.get(task=task, state="open")
    assert held.member == second


@pytest.mark.parametrize("step", ["hand-in", "decide"])
def test_a_checker_is_refused_before_the_reference_answer_and_before_the_finding(
    sign_in: Any, author: User, person: Any, finance: Any, staff: User, suspect: Task, step: str
) -> None:
    checker = person("checker", finance)
    join_panel(actor=checker, task=suspect, kind="check")
    browser, address = sign_in(checker), url(suspect, "check/")
    own = {"answer": "3.00 times; it holds.", "version": 0}
    browser.get(address)
    if step == "decide":
        assert browser.post(address, own).status_code == 302
    declared(author, checker, staff)
    answer = (
        browser.post(address, own)
        if step == "hand-in"
        else browser.post(url(suspect, "check/decide/"), {"verdict": "flawed", "remarks": "Wrong."})
    )
    assert answer.status_code == 409
    assert "one is now known in your case" in answer.content.decode()
    check = ReferenceCheck.objects.get(task=suspect)
    assert (check.checker, check.verdict, check.answered_at) == (None, "", None)
    suspect.refresh_from_db()
    assert suspect.stage == "screening"


def test_staff_do_not_run_the_panel_of_their_own_task(
    sign_in: Any, author: User, staff: User, peer: User, seated: Task
) -> None:
    make_staff(author)
    place = PanelPlace.objects.get(task=seated)
    browser, words = sign_in(author), {"reason": "For the test."}
    panel = f"/staff/screening/{seated.pk}/"
    for address, data in (
        (f"{panel}give/", {"member": staff.pk}),
        (f"{panel}decide/", words),
        (f"/staff/screening/places/{place.pk}/take-back/", words),
    ):
        answer = browser.post(address, data)
        assert answer.status_code == 403, address
        assert "You wrote this task yourself" in answer.content.decode()
    place.refresh_from_db()
    assert place.state == "open"
    colleague = sign_in(staff)
    assert (
        colleague.post(f"/staff/screening/places/{place.pk}/take-back/", words).status_code == 302
    )
