"""Reading exact answers: for their author and the panel. Solvers' pages read them much later."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from curation.base.text.short_answers import Expected
from curation.tasks.task import exact_checks as checks
from curation.tasks.task.exact_checks import Refused, Step, Written
from curation.tasks.task.exact_models import ExactAnswer, RefusedSource, SolutionStep
from curation.tasks.task.fields import answers_exactly
from curation.tasks.task.models import Change, Task

QUESTION = ("title", "scenario", "materials", "requirements")
FIELDS = ("answer", "kind", "tolerance", "tolerance_is_percent", "unit", "alternatives")


@dataclass(frozen=True)
class ExactPage:
    """An exact answer as its author and the panel read it.

    Attributes:
        words: the answer on one line, with unit, tolerance and alternatives.
        remarks: what to look at, such as sources that do not count.
    """

    words: str
    kind: str
    level: str
    cutoff: date | None
    why_unique: str
    why_stable: str
    steps: tuple[SolutionStep, ...]
    remarks: tuple[str, ...]


def exact_of(task: Any) -> ExactAnswer | None:
    """Return the exact answer of a task; None for another form of answer. One query."""
    if not answers_exactly(task) or task.pk is None:
        return None
    return ExactAnswer.objects.filter(task_id=task.pk).first()


def expected_of(task: Any) -> Expected | None:
    """Return the expected answer of a task, for comparing; None without one. One query."""
    exact = exact_of(task)
    return exact.expected if exact is not None and exact.answer else None


def steps_of(exact: ExactAnswer) -> tuple[SolutionStep, ...]:
    """Return the steps of the author's solution, in order. One query."""
    return tuple(exact.steps.all())


def refused_sources() -> list[Refused]:
    """Return the ends of host names that do not count as sources. One query."""
    rows = RefusedSource.objects.filter(removed_at__isnull=True)
    return [Refused(*row) for row in rows.values_list("suffix", "reason")]


def written_by(exact: ExactAnswer, steps: Sequence[SolutionStep], task: Task) -> Written:
    """Return what an author wrote, as the checks read it."""
    return Written(
        expected=exact.expected,
        level=exact.level,
        cutoff=exact.cutoff,
        why_unique=exact.why_unique,
        why_stable=exact.why_stable,
        steps=[Step(step.text, step.source, step.source_date) for step in steps],
        question={name: getattr(task, name) for name in QUESTION},
    )


def gaps_of(task: Any) -> dict[str, list[str]]:
    """Return what keeps a task with an exact answer from being submitted: field -> sentences.

    Empty for another form of answer. At most two queries.
    """
    if not answers_exactly(task):
        return {}
    exact = exact_of(task) or ExactAnswer(task_id=task.pk)
    steps = steps_of(exact) if exact.pk else ()
    return checks.gaps(written_by(exact, steps, task), changes=task.change == Change.DYNAMIC)


def exact_page(task: Task) -> ExactPage | None:
    """Return the exact answer with its steps and remarks, for people who may see them.

    None for another form of answer. At most three queries.
    """
    exact = exact_of(task)
    if exact is None:
        return None
    steps = steps_of(exact)
    return ExactPage(
        words=checks.in_words(exact.expected),
        kind=str(exact.get_kind_display()),
        level=str(exact.get_level_display()) if exact.level else "",
        cutoff=exact.cutoff,
        why_unique=exact.why_unique,
        why_stable=exact.why_stable,
        steps=steps,
        remarks=tuple(checks.remarks(written_by(exact, steps, task), refused_sources())),
    )
