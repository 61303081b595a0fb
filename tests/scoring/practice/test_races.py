"""Two requests at the same moment: each assigned sheet has a number, and practice one sheet."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import close_old_connections, connection

from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.practice.actions import start_practice
from judge.scoring.practice.choosing import add_practice_sheet
from judge.scoring.practice.known_models import KnownSheet
from judge.scoring.scorers.models import ScorerStanding
from judge.scoring.scorers.policy import change_policy, policy_for, rules_of
from judge.scoring.scorers.practice_models import PracticeAttempt
from judge.scoring.sheets.actions import record_sheet
from judge.scoring.sheets.models import Sheet
from tests.scoring.pages.conftest import verdicts
from tests.scoring.practice.conftest import respond

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(calls: list[Callable[[], Any]]) -> list[str]:
    """Run the calls in threads that start together; return what broke."""
    start, broken = threading.Barrier(len(calls)), []

    def run(call: Callable[[], Any]) -> None:
        close_old_connections()
        try:
            start.wait(timeout=20)
            call()
        except Exception as error:  # shown by the assertion
            broken.append(repr(error))
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return broken


@pytest.fixture
def known(approve, person, finance, staff) -> Any:
    """A response on whose lines two experts agree."""
    task = approve(title="Known")
    response = respond(task, "known")
    sheets = [
        Sheet(version=task.rubric_versions.order_by("-number").first()) for _ in ("one", "two")
    ]
    for name, sheet in zip(("one", "two"), sheets, strict=True):
        record_sheet(
            actor=staff,
            response=response,
            scorer=person(name, finance),
            verdicts=verdicts(sheet),
        )
    return response


def test_assignments_at_once_get_numbers_of_their_own_and_a_known_response_comes_once(
    known,
    approve,
    person,
    finance,
    staff,
):
    rules = {**rules_of(policy_for(finance.pk)), "known_rate": 50}
    change_policy(actor=staff, domain=finance, **rules)
    task, scorer = approve(title="Plain"), person("newcomer", finance)
    responses = [respond(task, name) for name in ("ada", "bea", "cid", "dot", "eva", "fay")]
    # The seat is there, as for whoever has a sheet on the task: taking it at once is not the point.
    assign_alignment_sheet(actor=staff, response=responses[0], scorer=scorer)
    broken = at_once(
        [
            lambda one=one: assign_alignment_sheet(actor=staff, response=one, scorer=scorer)
            for one in responses[1:]
        ]
    )
    assert broken == []
    assert ScorerStanding.objects.get().assigned == len(responses)
    assert Sheet.objects.filter(user=scorer, kind="expert").count() == len(responses)
    assert KnownSheet.objects.filter(user=scorer).count() <= 1


def test_a_practice_that_is_started_twice_at_once_is_one_sheet(known, person, finance, staff):
    add_practice_sheet(actor=staff, response=known)
    scorer = person("newcomer", finance)
    broken = at_once([lambda: start_practice(actor=scorer, domain=finance)] * 4)
    assert broken == []
    assert Sheet.objects.filter(user=scorer, kind="practice").count() == 1
    assert PracticeAttempt.objects.count() == 1
