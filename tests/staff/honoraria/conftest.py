"""A kept prompt with its vote as finished work, its people, and rates set by staff."""

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from curation.staff.honoraria.models import Honorarium, HonorariumRate
from curation.staff.honoraria.rates import set_rate
from curation.staff.honoraria.sources import collect_finished_work
from tests.conftest import new_domain, new_person
from tests.rubrics.walk import to_refining
from tests.worlds import World

LONG_AGO = date(2020, 1, 1)


def pay(staff: Any, kind: str, amount: str | None, **more: Any) -> HonorariumRate:
    """Set a rate as staff: `pay(staff, "vote", "15.00")`; None pays nothing."""
    given: dict[str, Any] = {
        "domain": None,
        "unit": "piece",
        "currency": "EUR" if amount else "",
        "cap_minutes": None,
        "since": LONG_AGO,
    }
    made: HonorariumRate = set_rate(
        actor=staff, kind=kind, amount=Decimal(amount) if amount else None, **{**given, **more}
    )
    return made


def begin() -> dict[str, Any]:
    """A prompt of the author that the panel kept, and two members of staff, one of whom voted."""
    finance = new_domain("finance")
    author = new_person("author", finance)
    voter = new_person("voter", finance, is_staff=True)
    task = to_refining(author, voter, finance)
    return {
        "finance": finance,
        "author": author,
        "voter": voter,
        "staff": new_person("staff", is_staff=True),
        "task": task,
    }


@pytest.fixture(scope="module")
def work_world(world_database: None) -> World:
    return World(**begin())


@pytest.fixture
def staff(work_world: World) -> Any:
    return work_world["staff"]


@pytest.fixture
def voter(work_world: World) -> Any:
    return work_world["voter"]


@pytest.fixture
def author(work_world: World) -> Any:
    return work_world["author"]


@pytest.fixture
def paid(staff: Any) -> Callable[[], None]:
    """Pay 120 EUR for a kept prompt and 15 EUR for a vote, and enter what is finished."""

    def begin_to_pay() -> None:
        pay(staff, "task", "120.00")
        pay(staff, "vote", "15.00")
        collect_finished_work()

    return begin_to_pay


def entry(kind: str) -> Honorarium:
    found: Honorarium = Honorarium.objects.get(kind=kind)
    return found


def days_ago(n: int) -> date:
    return timezone.localdate() - timedelta(days=n)
