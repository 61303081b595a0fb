"""The rules of sheets as pure functions: when a line is done, the letter of a response."""

from datetime import datetime

from django.utils.crypto import salted_hmac

ANCHOR = "anchor"  # the purpose of sheets that need a rationale on every line, for the judge
_BLOCK = 8  # number of letters that are shuffled among themselves


def needs_reason(purpose: str, met: bool | None) -> bool:
    """Return whether a verdict needs a rationale: always on anchors, else if it is FALSE."""
    return purpose == ANCHOR or met is False


def is_done(purpose: str, met: bool | None, rationale: str) -> bool:
    """Return whether a line has its verdict and, where needed, its rationale."""
    return met is not None and (bool(rationale) or not needs_reason(purpose, met))


def stamp(at: datetime | None) -> int:
    """Return a line's version, by which a stale save is refused.

    It is the time of the last change in microseconds since 1970; 0 before the first.
    """
    return 0 if at is None else round(at.timestamp() * 1_000_000)


def letter(task: int, rank: int) -> str:
    """Return the letter by which scorers know a response: A, B … Z, AA.

    Each block of eight is shuffled by the secret key, so that a letter does not reveal the order
    of import. A response keeps its letter when others are added.

    Args:
        task: the task's id.
        rank: the number of responses the task had before this one.
    """
    block, position = divmod(rank, _BLOCK)
    shuffled = sorted(
        range(_BLOCK),
        key=lambda n: salted_hmac("judge.scoring.letter", f"{task}:{block}:{n}").hexdigest(),
    )
    number, name = block * _BLOCK + shuffled[position], ""
    while True:
        number, rest = divmod(number, 26)
        name = chr(ord("A") + rest) + name
        if number == 0:
            return name
        number -= 1
