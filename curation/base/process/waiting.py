"""The type of an item on Home: work that waits for a person. Each app lists its own."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class Waiting:
    """One piece of work a person can do now.

    Attributes:
        due: when it is due; None if there is no date.
        title: verb and object ("Review a rubric, round 1").
        detail: the task and what is special about it.
        url: where the work continues.
        button: the label of the button ("Open the 2 lines").
        blocks: whether a colleague waits for it; such work comes first.
        later: whether nobody waits for it, such as a first draft of one's own.
        section: the menu entry that counts it (reviews, scoring, tasks …).
    """

    due: datetime | None
    title: Any
    detail: Any
    url: str
    button: Any
    blocks: bool = False
    later: bool = False
    section: str = ""
