"""A candidate that answers through the stub, in orders of some tasks."""

from typing import Any

import pytest

from judge.asking.calls.price_models import Price
from judge.asking.candidates.generation_models import Generation, GenerationItem
from judge.asking.candidates.models import Candidate
from judge.results.registry.actions import add_candidate
from tests.llm_stub import Stub
from tests.runs.engine.factory import external_task


@pytest.fixture
def office(sign_in: Any, staff: Any) -> Any:
    return sign_in(staff)


@pytest.fixture
def stub(monkeypatch):
    with Stub() as server:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
        yield server


@pytest.fixture
def tasks():
    return [external_task(f"t{n}", baseline=False) for n in range(3)]


@pytest.fixture
def larch(staff) -> Candidate:
    return add_candidate(actor=staff, name="Larch 4", provider="openai", model="larch-4")


def price(**other: int) -> Price:
    """What larch-4 costs: a dollar per million tokens in or out, unless told otherwise."""
    rates = {"input_micro": 1_000_000, "cached_micro": 0, "output_micro": 1_000_000, **other}
    return Price.objects.create(provider="openai", model="larch-4", **rates)


def states(made: Generation) -> dict[str, int]:
    """How many of an order's answers are in each state."""
    rows = GenerationItem.objects.filter(generation=made).values_list("state", flat=True)
    return {state: list(rows).count(state) for state in set(rows)}
