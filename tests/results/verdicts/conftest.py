"""A run over two tasks, and helpers to open its pages."""

from typing import Any

import pytest
from django.urls import reverse

from judge.asking.candidates.models import Response
from tests.results.alignment.conftest import Bench, bench, fill_three  # noqa: F401

LIST = "/staff/verdicts/"


@pytest.fixture
def judged(bench: Bench) -> Any:  # noqa: F811
    """A run over two tasks with three candidates; one line of one response failed."""
    fill_three(bench)
    return bench.run(
        {
            ("one", "Cedar"): (1, 1, 0, 1),
            ("one", "Birch"): (1, 0, 0, 0),
            ("one", "Alder"): (0, 0, 1, 1),
            ("two", "Cedar"): (1, 1, 1, 1),
            ("two", "Birch"): (0, 1, None, 1),
            ("two", "Alder"): (0, 0, 0, 0),
        }
    )


@pytest.fixture
def desk(sign_in: Any, staff: Any) -> Any:
    return sign_in(staff)


def page(key: str, **query: Any) -> str:
    path = reverse("verdict", args=[Response.objects.get(key=key).pk])
    return path + ("?" + "&".join(f"{k}={v}" for k, v in query.items()) if query else "")


def shown(desk: Any, address: str) -> Any:
    reply = desk.get(address)
    assert reply.status_code == 200, reply.content[:400]
    return reply
