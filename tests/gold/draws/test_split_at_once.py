"""Draws that share tasks, split by several people at the same moment."""

import threading

import pytest
from django.db import connection
from django.test import Client

from curation.tasks.task.models import Task
from judge.base.gold_sets.models import GoldDraw, GoldDrawItem, GoldSplit, Half, TaskHalf
from tests.gold.draws.conftest import fill

TIMES = 5  # requests for each draw


@pytest.mark.django_db(transaction=True)
def test_each_draw_is_split_once_and_each_task_has_one_half(
    sign_in, staff, programme, finance, law
):
    fill(programme, finance, law)
    draws = [_draw() for _n in range(2)]
    start, statuses = threading.Barrier(2 * TIMES), []

    def send(client: Client, draw: GoldDraw, seed: int) -> None:
        try:
            start.wait(timeout=60)
            answer = client.post(
                f"/staff/gold/draws/{draw.pk}/split/", {"percent": 40, "seed": seed}
            )
            statuses.append(answer.status_code)
        finally:
            connection.close()

    threads = [
        threading.Thread(target=send, args=(sign_in(staff), draw, seed))
        for seed in range(TIMES)
        for draw in draws
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert sorted(statuses) == [302] * 2 + [409] * (2 * TIMES - 2)
    assert GoldSplit.objects.count() == 2
    assert TaskHalf.objects.count() == 9
    assert TaskHalf.objects.filter(half=Half.HELD_OUT).count() == 4
    # The first split decided on all of them, so the second added none.
    assert TaskHalf.objects.values("split").distinct().count() == 1


def _draw() -> GoldDraw:
    made = GoldDraw.objects.create(size=9, seed=1, allocation="proportional")
    GoldDrawItem.objects.bulk_create(
        GoldDrawItem(draw=made, task=task) for task in Task.objects.all()
    )
    return made
