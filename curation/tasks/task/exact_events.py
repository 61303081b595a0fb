"""Events of tasks with an exact answer: two solvers, second looks, the one line of the rubric."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from curation.base.process.events import ActKind, Data, Event, Notice, Words
from curation.base.process.roles import STAFF, Role

DOUBTED = _("Returned: the solvers did not confirm the answer.")


def doubted(data: Data) -> bool:
    """Return whether a task went back to its author because of its solvers."""
    return bool(data.get("cause") == "solvers")


def _kind_of_doubts(data: Data) -> str:
    return "solvers_disagree" if doubted(data) else ""


STAFF_HEAR_OF_DOUBTS = Notice(_kind_of_doubts, "staff-panel", to="staff")
APPROVED = Event(
    words=Words(
        "full",
        "yes",
        _("Approved: its rubric is one line, that the answer is right."),
        _("It is part of the benchmark."),
    ),
    notices=(Notice("task_approved", "task"),),
)


def _of_the_panel(label: Any, words: Any, **facts: Any) -> Event:
    return Event(label=label, words=words, **{"kind": ActKind.PANEL, "role": STAFF} | facts)


def _second_look_closed(data: Data) -> Words:
    outcome = {
        "holds": _("The answer holds."),
        "amended": _("The question or the answer is amended."),
        "dropped": _("The task is dropped."),
    }.get(str(data.get("outcome", "")), "")
    tone = "yes" if data.get("outcome") == "holds" else "wait"
    return Words("check", tone, _("The second look is closed."), outcome)


NOTES = {
    "solve_given": _of_the_panel(
        _("Solve given"),
        Words("dot", "", _("A solver was asked.")),
        role=Role.SOLVER,
        staff_only=True,
        notices=(Notice("solve_given", to="member"),),
    ),
    "solve_right": _of_the_panel(
        _("Solver found the answer right"),
        Words("check", "yes", _("A solver found the answer right, and the only one.")),
        role=Role.SOLVER,
    ),
    "solve_doubted": _of_the_panel(
        _("Solver did not confirm the answer"),
        Words("return", "wait", _("A solver did not confirm the answer.")),
        role=Role.SOLVER,
        staff_only=True,
    ),
    "second_look_opened": _of_the_panel(
        _("Second look opened"),
        Words("return", "wait", _("Author and solvers were asked to look at the answer again.")),
        staff_only=True,
    ),
    "second_look_closed": _of_the_panel(
        _("Second look closed"), _second_look_closed, staff_only=True
    ),
}
