"""What staff are offered on a task, and what another benchmark's task does not offer."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.base.web.refusals import Denied
from curation.joining.notices.models import Notice
from curation.joining.people import User
from curation.tasks.task.models import Task
from curation.telling.activity.reminders import remind_people
from review.rounds.assignment_actions import assign, decline
from review.spot_checks import actions as spot_checks
from rubrics.versions.actions import import_version
from tests.conftest import make_staff
from tests.rubrics.walk import drafted_lines


@pytest.fixture
def office(sign_in: Any, staff: User) -> Client:
    return sign_in(staff)


@pytest.fixture
def foreign(finance: Any, staff: User) -> Task:
    """An approved task that came from another benchmark, with its rubric."""
    task = Task.objects.create(
        title="A task from elsewhere",
        key="elsewhere-1",
        domain=finance,
        origin="external",
        author=None,
        stage=Stage.APPROVED,
    )
    import_version(task=task, lines=drafted_lines(15), actor=staff)
    return task


def test_a_task_of_another_benchmark_is_not_offered_to_be_reopened(
    office: Client, foreign: Task
) -> None:
    page = office.get(reverse("staff-task", args=[foreign.pk])).content.decode()
    assert reverse("staff-task-reopen", args=[foreign.pk]) not in page


def test_reopening_it_by_its_address_is_refused_with_the_reason(
    office: Client, foreign: Task
) -> None:
    address = reverse("staff-task-reopen", args=[foreign.pk])
    answer = office.get(address)
    assert answer.status_code == 409
    assert "It has no author here to go back to." in answer.content.decode()
    assert office.post(address, {"reason": "Look again."}).status_code == 409
    foreign.refresh_from_db()
    assert foreign.stage == Stage.APPROVED


def test_staff_do_not_act_on_a_task_they_wrote_themselves(
    office: Client, author: User, staff: User, task: Task, sign_in: Any, person: Any, finance: Any
) -> None:
    """A colleague of the staff does what the author may not."""
    make_staff(author)
    other = person("second-reviewer", finance)
    own, words = sign_in(author), {"reason": "Look again.", "reviewer": other.pk}
    addresses = {
        name: reverse(name, args=[task.pk])
        for name in (
            "staff-task",
            "staff-task-reopen",
            "staff-task-discard",
            "staff-review-assign",
            "staff-spot-check-release",
        )
    }
    sentence = "You wrote this task yourself"
    for stage in (Stage.IN_REVIEW, Stage.APPROVED, Stage.SPOT_CHECK):
        Task.objects.filter(pk=task.pk).update(stage=stage)
        for address in addresses.values():
            for answer in (own.get(address), own.post(address, words)):
                refused = answer.status_code == 403 and sentence in answer.content.decode()
                assert refused or answer.status_code == 405, (stage, address)
    for do in (spot_checks.reopen, spot_checks.discard):
        with pytest.raises(Denied):
            do(actor=author, task=task, reason="Look again.")
    task.refresh_from_db()
    assert task.stage == Stage.SPOT_CHECK
    assert not task.reviews.filter(reviewer=other).exists()
    Task.objects.filter(pk=task.pk).update(stage=Stage.APPROVED)
    assert office.post(addresses["staff-task-discard"], words).status_code == 302
    task.refresh_from_db()
    assert task.stage == Stage.DISCARDED


def test_a_review_that_was_handed_back_counts_as_no_reviewer_though_the_seat_is_kept(
    office: Client, task: Task, reviewer: User, person: Any, finance: Any
) -> None:
    sentence = "1 rubric in review has no reviewer."
    assert sentence not in office.get("/staff/pipeline/").content.decode()
    decline(actor=reviewer, review=task.reviews.get(reviewer=reviewer), reason="Too busy.")
    assert task.seats.filter(user=reviewer, role="reviewer").exists()
    assert sentence in office.get("/staff/pipeline/").content.decode()
    remind_people()
    told = Notice.objects.get(kind="held_up")
    assert told.data["n"] == 1
    assign(task=task, reviewer=person("second", finance), actor=None)
    assert sentence not in office.get("/staff/pipeline/").content.decode()
