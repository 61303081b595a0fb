"""The most that an order of answers can cost."""

from typing import Any

from django.db.models import Count, QuerySet, Sum, Value
from django.db.models.functions import Length

from curation.tasks.task.fields import TEXT_PARTS
from curation.tasks.task.models import Task
from judge.asking.calls import cost
from judge.asking.calls.models import Call
from judge.asking.candidates.models import Candidate
from judge.asking.endpoints import queries as endpoints
from judge.asking.providers.base import MAX_OUTPUT_TOKENS

_FRAME_TOKENS = 500  # of the prompt around a task's texts
_LENGTH: Any = sum((Length(name) for name in TEXT_PARTS), Value(0))


def cost_bound(
    candidate: Candidate, tasks: "QuerySet[Task]", samples: int, *, file_tokens: int = 0
) -> int | None:
    """Return the most an order could cost in micro-dollars; None if the price is unknown.

    Args:
        file_tokens: of the files of all these tasks together.
    """
    rates = cost.rates_for(candidate.provider, candidate.model) if candidate.provider else None
    if rates is None:
        return None
    given = endpoints.parameters_for(candidate.provider, candidate.model, Call.Purpose.ANSWER)
    longest = given.get("max_tokens") or MAX_OUTPUT_TOKENS
    number, characters = 0, 0
    by_language = tasks.order_by().values_list("language")
    for language, n, texts in by_language.annotate(n=Count("pk"), texts=Sum(_LENGTH)):
        number += n
        characters += texts * (3 if language.startswith("zh") else 1)
    # At most half a token a character, three times that in Chinese, and the prompt around them.
    read = characters // 2 + number * _FRAME_TOKENS + file_tokens
    return samples * (rates.bound(read, 0) + number * rates.bound(0, longest))
