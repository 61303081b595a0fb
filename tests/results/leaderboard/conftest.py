"""A judged benchmark whose candidate Fir knows the open half of a split draw."""

from typing import Any

import pytest

from curation.joining.domains.models import Category
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Candidate
from judge.base.gold_sets.halves import split_in_halves
from judge.base.gold_sets.models import Allocation, GoldDraw, GoldDrawItem, Half
from judge.base.products import Product
from tests.conftest import new_domain, new_person
from tests.results.alignment.conftest import Bench
from tests.worlds import World

WHO = ("Ash", "Elm", "Fir", "Oak")
LINES = 4


def met(lines: int) -> tuple[int, ...]:
    return tuple(int(n < lines) for n in range(LINES))


@pytest.fixture(scope="module")
def judged_world(world_database: None) -> World:
    """Thirty tasks in two categories, half of them held out, judged by one run.

    Of four lines of equal weight Ash meets one or two, Elm two or three, Oak three or four; Fir
    meets all of an open task and none or one of a private one.
    """
    finance, staff = new_domain("finance"), new_person("chief", is_staff=True)
    mapping = Category.objects.create(domain=finance, key="mapping", name="Company mapping")
    search = Category.objects.create(domain=finance, key="search", name="People & info_1")
    bench = Bench(finance)
    for n in range(30):
        bench.task(f"t{n:02}", weights=(1,) * LINES)
    Task.objects.filter(key__lt="t15").update(category=mapping)
    Task.objects.filter(key__gte="t15", key__lt="t29").update(category=search)
    draw = GoldDraw.objects.create(size=30, seed=3, allocation=Allocation.EQUAL, created_by=staff)
    GoldDrawItem.objects.bulk_create(
        GoldDrawItem(draw=draw, task=task) for task in Task.objects.all()
    )
    split_in_halves(actor=staff, gold_draw=draw, seed=3, percent=50)
    verdicts: dict[tuple[str, str], Any] = {}
    for n, task in enumerate(Task.objects.order_by("key").select_related("half")):
        private, odd = task.half.half == Half.HELD_OUT, n % 2
        for at, name in enumerate(WHO):
            bench.response(task.key, name)
            lines = (odd if private else LINES) if name == "Fir" else min(LINES, at + 1) - odd + 1
            verdicts[task.key, name] = met(min(LINES, lines))
    run = bench.run(verdicts)
    product = Product.objects.create(name="Oak Search", house="Grove")
    Candidate.objects.filter(name="Oak").update(
        product=product, version="2 & 3", family="Grove", kind="product"
    )
    return World(finance=finance, chief=staff, draw=draw, run=run)


@pytest.fixture
def chief(judged_world: World) -> Any:
    return judged_world["chief"]


@pytest.fixture
def browser(sign_in: Any, chief: Any) -> Any:
    return sign_in(chief)
