"""What an author compares with the rubric after an amendment of the task's text."""

from collections.abc import Sequence
from dataclasses import dataclass

from curation.tasks.amendments.models import Amendment
from curation.tasks.amendments.queries import Difference, differences
from curation.tasks.task.models import Task
from rubrics.versions.models import Criterion, RubricVersion


@dataclass(frozen=True, slots=True)
class TouchedLine:
    """A line whose passage of the reference answer is no longer there; `n` counts from 1."""

    line: Criterion
    n: int


@dataclass(frozen=True, slots=True)
class AmendedText:
    """The text since the rubric was last compared with it.

    Attributes:
        differences: the parts that changed, from the text that the rubric was written for.
        reasons: what the seniors wrote, the oldest first.
        touched: the lines that rest on a passage that is gone.
    """

    differences: list[Difference]
    reasons: list[str]
    touched: list[TouchedLine]


def amended_text(task: Task, version: RubricVersion, lines: Sequence[Criterion]) -> AmendedText:
    """Return what changed since the rubric was last compared with the text. One query."""
    later = list(
        Amendment.objects.filter(
            task=task, state=Amendment.State.AGREED, text_version__gt=version.text_version
        ).order_by("text_version")
    )
    before: dict[str, str] = {}
    for amendment in later:
        for name, text in amendment.before.items():
            before.setdefault(name, text)
    now = {name: getattr(task, name) for name in before}
    return AmendedText(
        differences=differences(before, now),
        reasons=[amendment.answer for amendment in later if amendment.rubric_affected],
        touched=touched_lines(task, lines),
    )


def touched_lines(task: Task, lines: Sequence[Criterion]) -> list[TouchedLine]:
    """Return the lines whose passage is no longer in the reference answer."""
    answer = _words(task.reference_answer)
    return [
        TouchedLine(line, n)
        for n, line in enumerate(lines, start=1)
        if line.quote and _words(line.quote) not in answer
    ]


def _words(text: str) -> str:
    return " ".join(text.split())
