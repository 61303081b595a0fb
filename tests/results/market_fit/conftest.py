"""Twenty judged tasks of one domain, and entries of staff."""

from decimal import Decimal
from typing import Any

import pytest

from curation.tasks.task.models import Task
from judge.asking.candidates.models import Candidate
from judge.results.market_fit.actions import set_demand, set_task_price
from tests.conftest import new_domain, new_person
from tests.results.alignment.conftest import Bench
from tests.worlds import World

SCORES = {"Ash": 1, "Elm": 3, "Oak": 4}  # of four lines of equal weight


@pytest.fixture(scope="module")
def judged_world(world_database: None) -> World:
    """Twenty tasks of an hour at 50 to 100 dollars, on which Ash scores 25, Elm 75 and Oak 100."""
    finance, law = new_domain("finance"), new_domain("law")
    staff = new_person("chief", is_staff=True)
    bench, verdicts = Bench(finance), {}
    for n in range(20):
        bench.task(f"t{n:02}", weights=(1, 1, 1, 1))
        for name, lines in SCORES.items():
            bench.response(f"t{n:02}", name)
            verdicts[f"t{n:02}", name] = tuple(int(at < lines) for at in range(4))
    Task.objects.update(minutes=60, rate_band="50_100")
    return World(finance=finance, law=law, chief=staff, run=bench.run(verdicts))


@pytest.fixture
def chief(judged_world: World) -> Any:
    return judged_world["chief"]


@pytest.fixture
def browser(sign_in: Any, chief: Any) -> Any:
    return sign_in(chief)


@pytest.fixture
def enter(judged_world, chief):
    """Enter prices and demand as staff."""

    def given(prices=(), points=(), human=None):
        for name, usd in dict(prices).items():
            set_task_price(
                actor=chief,
                candidate=Candidate.objects.get(name=name),
                domain=judged_world["finance"],
                usd=None if usd is None else Decimal(usd),
                source=f"Price list of {name}.",
            )
        if points or human is not None:
            set_demand(
                actor=chief,
                domain=judged_world["finance"],
                points=[(Decimal(score), Decimal(usd)) for score, usd in points],
                human_score=None if human is None else Decimal(human),
                source="Interviews with buyers.",
            )

    return given
