"""What waits for a person. Each app answers for its own work; `config` puts it in order."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class Waiting:
    """One thing a person can do now.

    Attributes:
        due: when it is due; None if there is no date.
        title: verb and object ("Review a rubric, round 1").
        detail: the task and what is special about it.
        url: resumes at the exact place.
        button: the button's words ("Open the 2 lines").
        blocks: true if a colleague waits for it; such work comes first.
        later: true for what nobody waits for, not even the process: a first draft of one's own.
        section: the place in the navigation that counts it (reviews, scoring, tasks …).
    """

    due: datetime | None
    title: Any
    detail: Any
    url: str
    button: Any
    blocks: bool = False
    later: bool = False
    section: str = ""
