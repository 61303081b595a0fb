"""Operators at the same instant: each cell is with one of them, and is collected once."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.tasks.task.models import Origin
from judge.asking.candidates.models import Candidate, Response
from judge.base.gold_sets.task_sets import EVERY_TASK
from judge.results.product_index.actions import add_period, add_product, put_version
from judge.results.product_index.collecting import CollectionCell, CollectionOrder
from judge.results.product_index.collecting_actions import (
    cancel_order,
    give_back,
    make_order,
    set_operator,
    skip_cell,
    store_answer,
    take_next,
)
from judge.results.registry.actions import add_candidate
from tests.corrections.test_at_once import at_once
from tests.runs.engine.factory import external_task

pytestmark = pytest.mark.django_db(transaction=True)
State = CollectionCell.State
HANDS = 4


@pytest.fixture
def operators(person: Any, staff: Any) -> list[Any]:
    found = []
    for n in range(HANDS):
        made = person(f"hand{n}")
        set_operator(actor=staff, person=made, operator=True, reason="Knows the product.")
        made.refresh_from_db()
        found.append(made)
    return found


@pytest.fixture
def order(staff: Any) -> CollectionOrder:
    """An order of three answers."""
    today = timezone.localdate()
    first = today - timedelta(days=20)
    period = add_period(actor=staff, key="now", starts_on=first, ends_on=today)
    product = add_product(actor=staff, name="Cedar")
    one = add_candidate(actor=staff, name="Cedar 1", kind="product")
    put_version(actor=staff, product=product, candidate=one, version="v1")
    for n in range(3):
        task = external_task(f"t{n}", baseline=False)
        assert (task.origin, task.stage) == (Origin.EXTERNAL, Stage.APPROVED)
    candidates = [Candidate.objects.get(pk=one.pk)]
    return make_order(actor=staff, period=period, candidates=candidates, tasks=EVERY_TASK)


def store(who: Any, cell: CollectionCell) -> Response:
    return store_answer(
        actor=who,
        cell=cell,
        text=f"The answer that {who.pk} pasted.",
        asked_on=timezone.localdate(),
        text_version=cell.task.version,
    )


def run_out(cell: CollectionCell) -> None:
    """Let the time of whoever has a cell run out."""
    CollectionCell.objects.filter(pk=cell.pk).update(
        leased_until=timezone.now() - timedelta(seconds=1)
    )


def test_no_two_operators_take_the_same_cell(operators, order):
    codes = at_once(*[lambda who=who: take_next(actor=who) for who in operators])
    assert sorted(codes) == ["", "", "", "nothing_waits"]
    held = CollectionCell.objects.filter(state=State.TAKEN)
    assert held.count() == held.values("operator").distinct().count() == 3


def test_an_operator_who_presses_at_once_has_one_cell(operators, order):
    who = operators[0]
    assert at_once(*[lambda: take_next(actor=who)] * HANDS) == [""] * HANDS
    assert CollectionCell.objects.filter(state=State.TAKEN).count() == 1


def test_a_cell_that_ran_out_is_taken_by_one_of_several(operators, order):
    first, *others = operators
    cell = take_next(actor=first)
    order.cells.exclude(pk=cell.pk).delete()
    run_out(cell)
    codes = at_once(*[lambda who=who: take_next(actor=who) for who in others])
    assert sorted(codes) == ["", "nothing_waits", "nothing_waits"]
    cell.refresh_from_db()
    assert cell.operator in others
    assert cell.leased_until is not None
    assert cell.leased_until > timezone.now()


def test_of_an_answer_and_a_colleague_who_takes_the_cell_over_one_comes_first(operators, order):
    first, second, *_others = operators
    cell = take_next(actor=first)
    order.cells.exclude(pk=cell.pk).delete()
    run_out(cell)
    stored, taken = at_once(lambda: store(first, cell), lambda: take_next(actor=second))
    assert (stored, taken) in [("", "nothing_waits"), ("taken", "")]
    cell.refresh_from_db()
    if stored == "":
        assert (cell.state, cell.operator) == (State.DONE, first)
    else:
        assert (cell.state, cell.operator) == (State.TAKEN, second)
        store(second, cell)
    assert Response.objects.filter(collected_as=cell).count() == 1
    assert Response.objects.count() == 1


def test_one_cell_is_filled_once_however_often_it_is_sent(operators, order):
    who = operators[0]
    cell = take_next(actor=who)
    codes = at_once(*[lambda: store(who, cell)] * HANDS)
    assert sorted(codes) == ["", "taken", "taken", "taken"]
    assert Response.objects.count() == 1


def test_a_cell_ends_in_one_way(operators, order, staff):
    who = operators[0]
    cell = take_next(actor=who)
    codes = at_once(
        lambda: store(who, cell),
        lambda: skip_cell(actor=who, cell=cell, reason="refused"),
        lambda: give_back(actor=who, cell=cell),
        lambda: cancel_order(actor=staff, order=order),
    )
    cell.refresh_from_db()
    assert codes[3] == "", "the other cells of the order are open"
    assert codes[:3].count("") <= 1
    collected = cell.state == State.DONE
    assert Response.objects.count() == (1 if collected else 0)
    assert (codes[0] == "") == collected


def test_answers_of_one_version_to_one_task_are_numbered_one_after_the_other(
    operators, order, staff
):
    cells = [take_next(actor=who) for who in operators[:3]]
    assert at_once(
        *[
            lambda who=who, cell=cell: store(who, cell)
            for who, cell in zip(operators, cells, strict=False)
        ]
    ) == ["", "", ""]
    made = Response.objects.values_list("candidate", "task", "sample")
    assert len(set(made)) == 3
