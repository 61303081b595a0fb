"""The uses of models that need a price: runs, orders of answers and candidates."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count

from judge.candidates.models import Candidate
from judge.engine.models import JudgeRun
from judge.generation.models import Generation
from judge.prices import uses
from judge.prices.uses import Use


def register() -> None:
    """Register the uses for the price table. Idempotent."""
    uses.register("runs", Use.RUN, lambda: _used(JudgeRun.objects))
    uses.register("generations", Use.RUN, lambda: _used(Generation.objects))
    uses.register("candidates", Use.CANDIDATE, lambda: _used(Candidate.objects.exclude(model="")))


def _used(rows: Any) -> Iterator[tuple[str, str, int]]:
    yield from rows.order_by().values_list("provider", "model").annotate(n=Count("id"))
