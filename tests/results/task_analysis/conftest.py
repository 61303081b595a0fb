"""A benchmark of four tasks and six candidates with what is to be found in it."""

from typing import Any

import pytest

from tests.results.alignment.conftest import Bench, bench

__all__ = ["bench"]

WHO = ("Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel")  # from weak to strong


def fill(bench: Bench) -> Any:
    """Tasks of four lines with weights 4, 3, 2, 1, judged for six candidates.

    "good": the stronger the candidate, the more lines. "full": every line met. "odd": the weaker
    the better. "twin": lines 0 and 1 alike, line 3 never met.
    """
    steps = [(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 0), (1, 1, 0, 1), (1, 1, 1, 1)]
    twins = [(0, 0, 1, 0), (0, 0, 0, 0), (0, 0, 1, 0), (1, 1, 0, 0), (1, 1, 0, 0), (1, 1, 1, 0)]
    verdicts: dict[tuple[str, str], Any] = {}
    for key in ("full", "good", "odd", "twin"):
        bench.task(key, weights=(4, 3, 2, 1))
        for n, who in enumerate(WHO):
            bench.response(key, who)
            verdicts[key, who] = {
                "full": (1, 1, 1, 1),
                "good": steps[n],
                "odd": steps[5 - n],
                "twin": twins[n],
            }[key]
    return bench.run(verdicts)


@pytest.fixture
def judged(bench: Bench) -> Any:
    return fill(bench)


@pytest.fixture
def desk(sign_in: Any, staff: Any) -> Any:
    return sign_in(staff)
