"""Staff retire a task from draws: it stays approved, and no new draw takes it."""

import pytest
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Task
from judge.base.gold_sets.models import GoldDrawItem
from judge.base.gold_sets.retirements import Retirement
from judge.gold.draws.actions import draw_gold
from judge.gold.releases.draw import DrawSpec, plan
from judge.gold.releases.pool import pool as pool_of_tasks
from tests.conftest import make_staff
from tests.markup import words_of

WHY = "Every candidate has all points."


@pytest.fixture
def desk(sign_in, staff):
    return sign_in(staff)


@pytest.fixture
def task(pool):
    return Task.objects.get(key="finance-1")


def press(desk, task, step="retire", reason=WHY):
    return desk.post(reverse("task-retirement", args=[task.pk]), {"step": step, "reason": reason})


def drawable(size, **more):
    """The keys that a new draw takes, anchored or not."""
    spec = DrawSpec(size=size, allow_unanchored=True, **more)
    return {entry.key for entry in plan(pool_of_tasks(), spec).drawn}


def test_a_retired_task_stays_where_it_is_and_no_new_draw_takes_it(desk, task, staff):
    earlier = draw_gold(actor=staff, spec=DrawSpec(size=9))
    assert press(desk, task).status_code == 302
    task.refresh_from_db()
    assert task.stage == Stage.APPROVED
    assert GoldDrawItem.objects.filter(draw=earlier, task=task).exists()
    assert "7 of 9 drawn tasks are anchored" in words_of(
        desk.get(f"/staff/gold/draws/{earlier.pk}/").content.decode()
    )
    assert task.key not in drawable(8)
    with pytest.raises(BadInput, match="1 approved task is retired from draws"):
        drawable(9, quotas={"finance": 6, "law": 3})


def test_the_trail_the_tasks_page_and_gold_say_so(desk, task):
    press(desk, task)
    event = task.history.get(data__event="retired")
    assert event.reason == WHY
    gold = words_of(desk.get("/staff/gold/").content.decode())
    assert "8 tasks are approved" in gold
    assert f"1 more is retired from draws {task} {WHY}" in gold
    page = desk.get(reverse("staff-task", args=[task.pk])).content.decode()
    assert reverse("task-retirement", args=[task.pk]) in page


def test_put_back_draws_take_it_again_and_both_reasons_stay(desk, task):
    press(desk, task)
    assert press(desk, task, "put_back", "New candidates fail it.").status_code == 302
    assert task.key in drawable(9)
    said = words_of(desk.get(reverse("task-retirement", args=[task.pk])).content.decode())
    assert "New candidates fail it." in said
    assert WHY in said
    assert press(desk, task).status_code == 302
    assert Retirement.objects.filter(task=task).count() == 2


@pytest.mark.parametrize("step", ["retire", "put_back"])
def test_without_a_reason_it_is_refused(desk, task, step):
    if step == "put_back":
        press(desk, task)
    reply = press(desk, task, step, " ")
    assert reply.status_code == 400
    assert Retirement.objects.filter(ended_at__isnull=True).exists() == (step == "put_back")


def test_twice_or_put_back_without_being_retired_is_a_conflict(desk, task):
    assert press(desk, task, "put_back").status_code == 409
    press(desk, task)
    assert press(desk, task, reason="Once more.").status_code == 409


def test_a_task_that_is_not_approved_or_of_another_benchmark_is_refused(desk, task, pool, finance):
    imported = pool.task("foreign", finance, anchored=False, external=True)
    assert press(desk, imported).status_code == 409
    Task.objects.filter(pk=task.pk).update(stage=Stage.REFINING)
    assert press(desk, task).status_code == 409
    assert not Retirement.objects.exists()


def test_where_all_are_retired_a_draw_says_so(desk, pool):
    for each in Task.objects.all():
        press(desk, each)
    with pytest.raises(BadInput, match="Every approved task is retired"):
        drawable(1)
    said = words_of(desk.get("/staff/gold/draw/").content.decode())
    assert "Every approved task is retired from draws" in said


def test_a_member_of_staff_who_wrote_the_task_does_not_retire_it(sign_in, task, author):
    make_staff(author)
    assert press(sign_in(author), task).status_code == 403
