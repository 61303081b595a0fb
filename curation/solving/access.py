"""Facts about solvers, for the files of a task."""

from typing import Any

from curation.screening.access import has_no_unopened_place_on_it
from curation.tasks.access import holds_seat, is_not_a_draft


def solves_the_task(user: Any, task: Any) -> bool:
    """Return whether the person has opened the task as its solver; its files are part of it."""
    return (
        holds_seat("solver")(user, task)
        and is_not_a_draft(user, task)
        and has_no_unopened_place_on_it(user, task)
    )
