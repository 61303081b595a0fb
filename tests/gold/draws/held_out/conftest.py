"""A draw that was split: nine tasks, of which three are held out."""

import pytest

from curation.tasks.task.models import Task
from judge.base.gold_sets.halves import split_in_halves
from judge.gold.draws.actions import draw_gold
from judge.gold.releases.draw import DrawSpec
from rubrics.versions.models import RubricVersion
from tests.conftest import new_person
from tests.gold.draws.conftest import Programme
from tests.worlds import World

CANDIDATES = ("ada", "bea")


@pytest.fixture(scope="module")
def halves_world(pool_world) -> World:
    """Nine drawn tasks with two answers each, all scored by an expert; three are held out."""
    people = {name: pool_world[name] for name in ("author", "peer", "senior")}
    programme = Programme(**people)
    staff = new_person("chief", is_staff=True)
    for task in Task.objects.order_by("key"):
        version = RubricVersion.objects.get(task=task)
        for n, name in enumerate(CANDIDATES):
            response = programme.response(task, name)
            sheet = programme.sheet(response, version, purpose="alignment")
            sheet.lines.filter(criterion__position__lt=4 * n).update(met=False)
    draw = draw_gold(actor=staff, spec=DrawSpec(size=9, seed=1))
    split = split_in_halves(actor=staff, gold_draw=draw, seed=1, percent=33)
    return World(**pool_world.things, chief=staff, draw=draw, split=split)


@pytest.fixture
def chief(halves_world):
    return halves_world["chief"]


@pytest.fixture
def draw(halves_world):
    return halves_world["draw"]


@pytest.fixture
def browser(sign_in, chief):
    return sign_in(chief)
