"""The rules of a sheet, as plain functions: when a line is done, and what a response is called."""

from datetime import datetime

from django.utils.crypto import salted_hmac

ANCHOR = "anchor"  # the purpose whose every line needs a reason: the judge learns from it
_BLOCK = 8  # letters shuffled together


def needs_reason(purpose: str, met: bool | None) -> bool:
    """Whether a verdict stands only with a rationale: always for anchors, else where FALSE."""
    return purpose == ANCHOR or met is False


def is_done(purpose: str, met: bool | None, rationale: str) -> bool:
    """Whether nothing is missing on a line."""
    return met is not None and (bool(rationale) or not needs_reason(purpose, met))


def stamp(at: datetime | None) -> int:
    """A line's version for stale saves: when it was last changed, in microseconds; 0 is never."""
    return 0 if at is None else round(at.timestamp() * 1_000_000)


def letter(task: int, rank: int) -> str:
    """What scorers call a response: A, B … Z, AA.

    Args:
        task: the task's id.
        rank: how many responses the task had before this one.

    The order within each eight is shuffled by a secret, so that the letter tells nothing about
    the order in which candidates were imported; a response keeps its letter when others come.
    """
    block, place = divmod(rank, _BLOCK)
    shuffled = sorted(
        range(_BLOCK),
        key=lambda n: salted_hmac("judge.scoring.letter", f"{task}:{block}:{n}").hexdigest(),
    )
    number, name = block * _BLOCK + shuffled[place], ""
    while True:
        number, rest = divmod(number, 26)
        name = chr(ord("A") + rest) + name
        if number == 0:
            return name
        number -= 1
