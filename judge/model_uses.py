"""The uses of models that need a price: runs, orders of answers and candidates.

A run uses its judge and the models in its further roles; each counts once for a run.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.db.models import Count

from judge.asking.calls import price_uses as uses
from judge.asking.calls.price_uses import Use
from judge.asking.candidates.generation_models import Generation
from judge.asking.candidates.models import Candidate
from judge.runs.engine.models import JudgeRun


def register() -> None:
    """Register the uses for the price table. Idempotent."""
    uses.register("runs", Use.RUN, lambda: _used(JudgeRun.objects))
    uses.register("further roles of runs", Use.RUN, _further)
    uses.register("generations", Use.RUN, lambda: _used(Generation.objects))
    uses.register("candidates", Use.CANDIDATE, lambda: _used(Candidate.objects.exclude(model="")))


def _used(rows: Any) -> Iterator[tuple[str, str, int]]:
    yield from rows.order_by().values_list("provider", "model").annotate(n=Count("id"))


def _further() -> Iterator[tuple[str, str, int]]:
    found: Counter[tuple[str, str]] = Counter()
    rows = JudgeRun.objects.exclude(further_models={}).order_by()
    for provider, model, further in rows.values_list("provider", "model", "further_models"):
        found.update(
            {(of["provider"], of["model"]) for of in further.values()} - {(provider, model)}
        )
    for (provider, model), n in found.items():
        yield provider, model, n
