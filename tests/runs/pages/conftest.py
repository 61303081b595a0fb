"""The benchmark of the alignment tests, one for planning, and how a run is planned."""

import pytest

from tests.results.alignment.conftest import bench, three
from tests.runs.engine.factory import external_task, respond

__all__ = ["bench", "three"]


@pytest.fixture
def browser(sign_in, staff):
    return sign_in(staff)


@pytest.fixture
def responses(db):
    tasks = [external_task(f"task-{n}", lines=4) for n in range(2)]
    for task in tasks:
        for name in ("Cedar 3", "Birch 2"):
            respond(task, name)
    return tasks


def plan(browser, **values):
    return browser.post(
        "/staff/runs/new/",
        {"method": "one_shot", "provider": "offline", "model": "", "calls_mode": "per_response",
         "concurrency": 4, **values},
    )  # fmt: skip
