"""What members, author and staff read of a tie, of a return and of the submission after it."""

from typing import Any

import pytest

from curation.joining.people import User
from curation.screening.panels.actions import fill_panel, join_panel
from curation.screening.panels.voting_actions import open_screening
from curation.tasks.authoring.actions import save_draft, submit_task
from curation.tasks.task.models import Task
from tests.markup import one_line
from tests.screening.voting.test_voting import KEEP

pytestmark = pytest.mark.django_db
RETURN = {
    "difficult": "yes",
    "representative": "yes",
    "gradable": "no",
    "decision": "return",
    "reasons": "Say which two steps count.",
}


@pytest.fixture
def members(person: Any, finance: Any) -> list[User]:
    return [person(f"m{n}", finance) for n in range(3)]


@pytest.fixture
def tied(screened_by: Any, members: list[User], sign_in: Any) -> tuple[Task, str, str]:
    """A task with two votes that are tied; what the first and the second voter read then."""
    task = screened_by(2, tie="one_more")
    for member in members[:2]:
        join_panel(actor=member, task=task)
    address = f"/screening/{task.pk}/"
    first = sign_in(members[0]).post(address, KEEP, follow=True).content.decode()
    second = sign_in(members[1]).post(address, RETURN, follow=True).content.decode()
    return task, first, second


def test_whoever_ties_the_votes_is_told_and_so_are_those_who_voted(
    tied: tuple[Task, str, str], sign_in: Any, members: list[User]
) -> None:
    task, first, second = tied
    assert "The panel decides when all of its votes are cast." in first
    assert "The votes are tied now, so one more member is asked." in second
    told = "The votes were tied, so one more member is asked."
    assert told in second
    assert told in sign_in(members[0]).get(f"/screening/{task.pk}/").content.decode()
    assert "tied" not in sign_in(members[2]).get(f"/screening/{task.pk}/").content.decode()


def test_staff_read_the_rules_as_they_were_beside_the_votes_added_by_a_tie(
    tied: tuple[Task, str, str], sign_in: Any, staff: User
) -> None:
    page = one_line(sign_in(staff).get(f"/staff/screening/{tied[0].pk}/").content.decode())
    assert "<dd>2 and 1 more after a tie</dd>" in page
    assert "2 of 3 votes are in" in page


def test_the_author_reads_the_count_and_the_reasons_for_the_return_first(
    tied: tuple[Task, str, str], sign_in: Any, members: list[User], author: User
) -> None:
    task = tied[0]
    sign_in(members[2]).post(f"/screening/{task.pk}/", RETURN | {"reasons": "Two marks differ."})
    task.refresh_from_db()
    assert task.stage == "draft"
    page = sign_in(author).get(f"/tasks/{task.pk}/edit/").content.decode()
    assert "2 of 3 votes are for returning it." in page
    places = [page.index(words) for words in (RETURN["reasons"], "Two marks", KEEP["reasons"])]
    assert places == sorted(places)


def test_a_returned_task_keeps_its_slot_and_its_members_read_what_they_said_and_what_changed(
    screened_by: Any, members: list[User], sign_in: Any, author: User
) -> None:
    task = screened_by(1)
    join_panel(actor=members[0], task=task)
    sign_in(members[0]).post(f"/screening/{task.pk}/", RETURN)
    task.refresh_from_db()
    words = task.requirements + " Two steps count."
    save_draft(actor=author, task=task, version=task.version, requirements=words)
    browser = sign_in(author)
    editor = browser.get(f"/tasks/{task.pk}/edit/").content.decode()
    assert "The task keeps its slot 1 of 3." in editor
    assert "Submitting takes your slot" not in editor
    page = browser.post(f"/tasks/{task.pk}/submit/", follow=True).content.decode()
    assert "Submitted again; it keeps slot 1." in page
    assert page.count("It takes slot 1.") == 1  # the first time, in the history
    assert page.count("It keeps slot 1.") == 1  # said now, and in the history
    task.refresh_from_db()
    open_screening(task=task)
    fill_panel(task)
    page = sign_in(members[0]).get(f"/screening/{task.pk}/").content.decode()
    assert "Your vote on the previous submission" in page
    assert RETURN["reasons"] in page
    assert "Changed since: Output requirements." in page


def test_a_submission_without_a_change_says_so_to_who_voted_before(
    screened_by: Any, members: list[User], sign_in: Any, author: User
) -> None:
    task = screened_by(2)
    for n in (0, 1):
        join_panel(actor=members[n], task=task)
        sign_in(members[n]).post(f"/screening/{task.pk}/", RETURN | {"reasons": f"Reason {n}."})
    task.refresh_from_db()
    submit_task(actor=author, task=task)
    open_screening(task=task)
    page = sign_in(members[0]).get(f"/screening/{task.pk}/").content.decode()
    assert "No text was changed since." in page
    assert "Reason 0." in page
    assert "Reason 1." not in page  # a colleague's vote stays hidden until one's own is in


def test_everything_a_vote_lacks_is_said_at_once(
    screened_by: Any, members: list[User], sign_in: Any
) -> None:
    task = screened_by(1)
    join_panel(actor=members[0], task=task)
    browser = sign_in(members[0])
    page = browser.post(f"/screening/{task.pk}/", {}).content.decode()
    assert "5 fields are missing or wrong" in page
    assert "Give your reasons." in page
    page = browser.post(f"/screening/{task.pk}/", KEEP | {"gradable": "no"}).content.decode()
    assert "You answered No to one of the three questions." in page
