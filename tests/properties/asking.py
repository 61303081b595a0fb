"""Every step a person can take on a task, its rubric or its review, as a request.

A move picks its target by number, so that a walk is a list of small numbers: it can be repeated
and made shorter. `rightly` names the person whose move it would be.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.urls import reverse

from rubrics.versions.models import Criterion
from tests.properties.world import World

T = TypeVar("T")
WORDS = (
    "States the covenant ratio as 3.4 times.",
    "Names the lender and the date of the test.",
    "Gives EUR 38.0 million as the price.",
    "",
)


@dataclass(frozen=True)
class Ask:
    """A request, and the person whose step it would rightly be."""

    route: str
    args: tuple[Any, ...]
    form: dict[str, Any]
    rightly: str
    method: str = "post"
    says: str = ""  # a remark that is on record once the request was taken

    @property
    def path(self) -> str:
        return reverse(self.route, args=self.args)


def pick(items: Sequence[T], number: int) -> T | None:
    return items[number % len(items)] if items else None


Move = Callable[[World, int, int], Ask | None]
MOVES: dict[str, Move] = {}


def move(do: Move) -> Move:
    MOVES[do.__name__] = do
    return do


def task_of(world: World, a: int) -> Any:
    return pick(world.tasks(), a)


def line_of(task: Any, b: int) -> Criterion | None:
    """A line of the task, twice as often of its newest version as of an older one."""
    newest = task.rubric_versions.order_by("-number").first()
    lines = list(Criterion.objects.filter(version__task=task).order_by("pk"))
    return pick([line for line in lines if line.version_id == newest.pk] * 2 + lines, b)
