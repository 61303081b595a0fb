"""Many colleagues press at the same instant for the two places of solvers."""

from typing import Any

import pytest

from curation.screening.panels.actions import fill_panel, join_panel
from curation.screening.panels.models import PanelPlace, Solve
from curation.screening.panels.seats import skip_place
from curation.tasks.task.models import Seat, Task
from tests.corrections.test_at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)
Kind, State = PanelPlace.Kind, PanelPlace.State


@pytest.fixture
def colleagues(person: Any, finance: Any, screened: Task) -> list[Any]:
    return [person(f"solver{n}", finance) for n in range(5)]


def held(task: Task) -> Any:
    return PanelPlace.objects.filter(task=task, kind=Kind.SOLVE, state=State.OPEN)


def assert_two_solvers(task: Task) -> None:
    solvers = set(Solve.objects.filter(task=task).values_list("solver", flat=True))
    assert len(solvers) == 2
    assert None not in solvers
    assert set(held(task).values_list("member", flat=True)) == solvers
    assert set(Seat.objects.filter(task=task, role="solver").values_list("user", flat=True)) == (
        solvers
    )


def test_two_of_five_have_a_place(screened, colleagues):
    codes = at_once(
        *[
            lambda who=who: join_panel(actor=who, task=screened, kind=Kind.SOLVE)
            for who in colleagues
        ]
    )
    assert sorted(codes) == ["", "", *["enough_members"] * 3]
    assert_two_solvers(screened)


def test_a_draw_and_volunteers_at_once_fill_no_place_twice(screened, colleagues):
    at_once(
        lambda: fill_panel(Task.objects.get(pk=screened.pk)),
        lambda: fill_panel(Task.objects.get(pk=screened.pk)),
        *[
            lambda who=who: join_panel(actor=who, task=screened, kind=Kind.SOLVE)
            for who in colleagues[:3]
        ],
    )
    assert_two_solvers(screened)


def test_a_place_handed_back_goes_to_one_of_several(screened, colleagues):
    first, second, *others = colleagues
    for who in (first, second):
        join_panel(actor=who, task=screened, kind=Kind.SOLVE)
    codes = at_once(
        lambda: skip_place(actor=first, task=screened, reason="No time this week."),
        *[lambda who=who: join_panel(actor=who, task=screened, kind=Kind.SOLVE) for who in others],
    )
    assert codes[0] == ""
    fill_panel(Task.objects.get(pk=screened.pk))
    assert_two_solvers(screened)
    assert first.pk not in Solve.objects.filter(task=screened).values_list("solver", flat=True)
