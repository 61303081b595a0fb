"""Two candidates on one task: a run and an expert differ on a line, and a code is in use."""

from typing import Any

import pytest

from judge.asking.candidates.models import Response
from judge.results.flags.error_code_actions import add_code
from judge.results.flags.error_code_models import ErrorCode
from tests.results.alignment.conftest import Bench, bench  # noqa: F401


@pytest.fixture
def judged(bench: Bench) -> Any:  # noqa: F811
    bench.task("one", weights=(3, 2, 1))
    for candidate in ("Cedar", "Birch"):
        bench.response("one", candidate)
    bench.sheet("one", "Cedar", "expert-1", (1, 0, 1), why="Takes the gross figure, not the net.")
    bench.sheet("one", "Birch", "expert-1", (1, 1, 1))
    return bench.run({("one", "Cedar"): (1, 1, 1), ("one", "Birch"): (1, 1, 1)})


@pytest.fixture
def code(judged: Any, staff: Any, finance: Any) -> ErrorCode:
    return add_code(
        actor=staff,
        domain=Response.objects.get(key="one-Cedar").task.domain,
        name="Gross for net",
        definition="Takes a gross figure where the net one is asked for.",
    )


@pytest.fixture
def desk(sign_in: Any, staff: Any) -> Any:
    return sign_in(staff)
