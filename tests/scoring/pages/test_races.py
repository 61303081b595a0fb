"""Many hands reach for one sheet at the same moment: exactly one gets it."""

import threading
from collections import Counter

import pytest
from django.db import close_old_connections, connection

from curation.base.web.refusals import Conflict
from curation.tasks.task.models import Seat
from judge.scoring.agreement.meta_actions import take_meta
from judge.scoring.anchors.actions import take_anchor
from judge.scoring.anchors.hand_back import hand_back_sheet
from judge.scoring.anchors.models import MetaEvaluation
from judge.scoring.sheets.actions import fill_sheet, keep_line, submit_sheet
from judge.scoring.sheets.models import Sheet, SheetLine
from tests.scoring.pages.conftest import verdicts

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def task(approve):
    return approve()


def at_once(calls) -> Counter:
    """Run the calls in threads that start together; count their outcomes."""
    outcomes: Counter = Counter()
    start = threading.Barrier(len(calls))

    def run(call):
        close_old_connections()
        try:
            start.wait(timeout=20)
            call()
            outcome = "done"
        except Conflict as refused:
            outcome = refused.code
        except Exception as broken:  # shown by the assertion
            outcome = repr(broken)
        finally:
            connection.close()
        outcomes[outcome] += 1

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return outcomes


def test_one_of_many_experts_gets_the_response(anchor, person, finance):
    people = [person(f"p{n}", finance) for n in range(8)]
    outcomes = at_once([lambda p=p: take_anchor(actor=p, anchor=anchor) for p in people])
    assert outcomes == {"done": 1, "seat_taken": 7}
    assert Sheet.objects.count() == 1
    assert Seat.objects.filter(role="scorer").count() == 1


def test_one_of_many_seniors_gets_the_check(submitted, anchor, person, finance):
    people = [person(f"s{n}", finance, senior=True) for n in range(8)]
    outcomes = at_once([lambda p=p: take_meta(actor=p, anchor=anchor) for p in people])
    assert outcomes == {"done": 1, "seat_taken": 7}
    assert MetaEvaluation.objects.count() == 1
    assert Seat.objects.filter(role="meta_evaluator").count() == 1


def test_a_line_scored_many_times_at_once_has_one_verdict(sheet, scorer):
    line = sheet.version.criteria.first().pk

    def score(n):
        keep_line(actor=scorer, sheet=sheet, criterion=line, met=True, rationale=f"{n}")

    outcomes = at_once([lambda n=n: score(n) for n in range(8)])
    assert outcomes == {"done": 8}
    assert SheetLine.objects.count() == 1


def test_a_sheet_submitted_many_times_at_once_is_submitted_once(sheet, scorer, anchor):
    full = verdicts(sheet)
    keys = dict(sheet.version.criteria.values_list("key", "pk"))
    for key, (met, why) in full.items():
        keep_line(actor=scorer, sheet=sheet, criterion=keys[key], met=met, rationale=why)
    outcomes = at_once([lambda: submit_sheet(actor=scorer, sheet=sheet) for _ in range(6)])
    assert outcomes == {"done": 1, "submitted": 5}
    assert anchor.history.filter(to_stage="meta_evaluation").count() == 1


def test_filling_works_outside_of_any_transaction(sheet, scorer):
    assert fill_sheet(actor=scorer, sheet=sheet, verdicts=verdicts(sheet)).state == "submitted"


def test_a_sheet_is_submitted_or_handed_back_never_both(sheet, scorer, anchor):
    full = verdicts(sheet)
    keys = dict(sheet.version.criteria.values_list("key", "pk"))
    for key, (met, why) in full.items():
        keep_line(actor=scorer, sheet=sheet, criterion=keys[key], met=met, rationale=why)
    outcomes = at_once(
        [
            lambda: submit_sheet(actor=scorer, sheet=sheet),
            *(
                lambda: hand_back_sheet(actor=scorer, sheet=sheet, reason="No time.")
                for _ in range(3)
            ),
        ]
    )
    assert outcomes["done"] == 1, outcomes
    assert set(outcomes) <= {"done", "submitted", "wrong_stage"}
    anchor.refresh_from_db()
    kept = Sheet.objects.filter(pk=sheet.pk).exists()
    assert anchor.stage == ("meta_evaluation" if kept else "scoring")
