"""The right answers of tasks. The only place that knows where they are stored."""

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from curation.tasks.task.exact_models import ExactAnswer
from curation.tasks.task.models import Task

WORDS, NUMBER = "words", "number"


@dataclass(frozen=True, slots=True)
class RightAnswer:
    """The right answer to a task.

    Attributes:
        kind: WORDS, or NUMBER for an answer that is one number.
        tolerance: how far a number may be off, in its unit or in percent of it; None for none.
        unit: of a number, "" without one.
        alternatives: further answers that are right as well.
    """

    answer: str
    kind: str = WORDS
    tolerance: Decimal | None = None
    tolerance_is_percent: bool = False
    unit: str = ""
    alternatives: tuple[str, ...] = ()


def right_answers(tasks: Collection[int]) -> dict[int, RightAnswer]:
    """Return the right answers by task; tasks without one are left out. Two queries.

    They are what the author wrote as exact answer. A task without one, such as a task of another
    benchmark, has its reference answer as words.
    """
    found = {
        pk: RightAnswer(text.strip())
        for pk, text in Task.objects.filter(pk__in=tasks).values_list("pk", "reference_answer")
        if text.strip()
    }
    rows = ExactAnswer.objects.filter(task__in=tasks)
    for pk, answer, kind, tolerance, percent, unit, others in rows.values_list(
        *("task_id", "answer", "kind", "tolerance", "tolerance_is_percent", "unit"),
        "alternatives",
    ):
        if answer.strip():
            found[pk] = RightAnswer(
                answer.strip(), kind, tolerance, percent, unit, tuple(others or ())
            )
    return found
