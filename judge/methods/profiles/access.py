"""Facts about a person and a selection task, for permissions."""

from typing import Any

from curation.base.process.lifecycle import Stage

_OPEN = frozenset({Stage.DRAFT, Stage.DRAFTING, Stage.REFINING})


def is_still_written(user: Any, task: Any) -> bool:
    """Return whether text or rubric of a task are still in its author's hands."""
    return task.stage in _OPEN
