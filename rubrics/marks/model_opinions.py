"""A model's opinions on a rubric's lines.

Models are in an app above this one, which registers a service here. Without one no model can be
asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from django.utils.translation import gettext_lazy as _

from curation.base.access.action import action
from rubrics.linter.rule import Mark, Rule

RULE = Rule(
    code="model_opinion",
    name=_("a model's opinion"),
    message=_("A model's opinion: %(words)s"),
    teaches=_("A model read the lines on request. It may be wrong; the decision is yours."),
    examples=(),
)


@dataclass(frozen=True)
class Opinion:
    """A model's remark on one line. `text` is the line's text when the model read it."""

    pk: int
    key: str
    text: str
    words: str

    def mark(self) -> Mark:
        """Return the opinion as a mark, which can be set aside like any other."""
        return Mark(RULE, words=self.words, about=str(self.pk))


@dataclass(frozen=True)
class Reading:
    """The state and result of the newest request to a model.

    Attributes:
        state: "none", "waiting", "read" or "failed".
        by: the model's name for people.
        note: why there is nothing to show.
        at: when the lines were read, or else requested.
        available: whether a model can be asked.
    """

    state: str = "none"
    by: str = ""
    note: str = ""
    at: datetime | None = None
    opinions: Sequence[Opinion] = field(default=())
    available: bool = False

    def by_key(self) -> Mapping[str, list[Opinion]]:
        """Return line key -> the opinions on it."""
        found: dict[str, list[Opinion]] = {}
        for opinion in self.opinions:
            found.setdefault(opinion.key, []).append(opinion)
        return found


class OpinionService(Protocol):
    """Asks a model and reads its opinions; implemented by the judge app."""

    def ask(self, *, actor: Any, task: Any) -> None:
        """Request a model's opinions on the open lines, in the background."""

    def reading(self, task_id: int) -> Reading:
        """Return the state and result of the newest request."""


class _NoService:
    def ask(self, *, actor: Any, task: Any) -> None:
        """Do nothing: no model is configured."""

    def reading(self, task_id: int) -> Reading:
        return Reading()


_service: OpinionService = _NoService()


def register(service: OpinionService) -> None:
    """Set the service that asks models."""
    global _service
    _service = service


@action("rubric.refine", about="task")
def ask(*, actor: Any, task: Any) -> None:
    """Request a model's opinions on the open lines of a task.

    Raises:
        Conflict: a request is open already, or there are no lines to read.
    """
    _service.ask(actor=actor, task=task)


def reading(task_id: int) -> Reading:
    """Return the newest reading of a task's lines."""
    return _service.reading(task_id)
