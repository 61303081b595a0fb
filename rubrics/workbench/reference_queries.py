"""What the pass through the reference answer's marks shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from curation.tasks.task.models import Task
from rubrics.lines import history
from rubrics.lines.actions import line_token
from rubrics.lines.reference_marks import Mark, ReferenceScore, reference_score
from rubrics.policy.checkpoints import policy_of
from rubrics.policy.policy import RubricPolicy
from rubrics.versions.models import Criterion, RubricVersion


@dataclass(frozen=True)
class MarkedLine:
    """A line with its number, from 1, and its valid mark; None if its author has not said."""

    line: Criterion
    n: int
    mark: Mark | None

    @property
    def token(self) -> str:
        return line_token(self.line)

    @property
    def state(self) -> str:
        """Return the name of its tick: "yes", "no" or "open"."""
        return "open" if self.mark is None else "yes" if self.mark.met else "no"


@dataclass(frozen=True)
class Pass:
    """All lines with their marks.

    Attributes:
        required: whether every line must be marked before the rubric is sent.
    """

    views: Sequence[MarkedLine]
    score: ReferenceScore
    required: bool

    @property
    def open(self) -> list[MarkedLine]:
        return [view for view in self.views if view.mark is None]

    @property
    def first(self) -> MarkedLine | None:
        """The line to begin with: the first one without a mark, else the first."""
        return next(iter([*self.open, *self.views]), None)

    @property
    def states(self) -> list[str]:
        return [view.state for view in self.views]

    def view_of(self, pk: int | None) -> MarkedLine | None:
        return next((view for view in self.views if view.line.pk == pk), None)

    def following(self, pk: int) -> int:
        """Return the id of the next line without a mark, from this one round; else this one."""
        at = next((n for n, view in enumerate(self.views) if view.line.pk == pk), 0)
        later = [*self.views[at + 1 :], *self.views[:at]]
        return next((view.line.pk for view in later if view.mark is None), pk)


def reference_pass(task: Task, version: RubricVersion) -> Pass:
    """Load a version's lines with their marks, in a fixed number of queries."""
    lines = history.in_order(version)
    score = reference_score(task, lines)
    return Pass(
        views=[MarkedLine(line, n, score.marks.get(line.key)) for n, line in enumerate(lines, 1)],
        score=score,
        required=policy_of(task).reference == RubricPolicy.Reference.REQUIRE,
    )
