"""Receiver of a signal of the panels: a solver leaves without a verdict."""

from typing import Any

from curation.base.process.signals import place_left
from curation.screening.panels.models import PanelPlace
from curation.screening.solving.actions import settle_solves
from curation.tasks.task.models import Task


def connect() -> None:
    """Connect the receiver. It runs in the sender's transaction."""
    place_left.connect(go_on, sender=PanelPlace, dispatch_uid="curation.solving")


def go_on(sender: Any, task: Task, place: PanelPlace, **_more: Any) -> None:
    """Send a task back that the other solver doubts, for which nobody is at work any more."""
    if place.kind == PanelPlace.Kind.SOLVE:
        settle_solves(task)
