"""How the processor time of a function grows with the length of its text.

A limit in seconds would fail on a busy machine. Growth does not: twice the text may take a little
over twice the time, and a quadratic function takes four times as long.
"""

import time
from collections.abc import Callable

LONG = 50_000  # characters
_SIZES = (500, 5_000, LONG)
_QUICK = 0.05  # seconds; a quadratic function takes longer for LONG characters
_RATIO = 3.3  # from n to 2n: 2 for linear, 4 for quadratic
_TRIES = 4


def too_slow(call: Callable[[str], object], pattern: str) -> str:
    """Return how a call grows where that is more than linear; empty if it is linear.

    Args:
        pattern: repeated up to `LONG` characters. Short texts come first, so that a call that
            never ends for long ones is found, too.
    """
    for size in _SIZES:
        if _seconds(call, _text(pattern, size)) < _QUICK:
            continue
        for _ in range(_TRIES):
            half = min(_seconds(call, _text(pattern, size // 2)) for _ in range(2))
            whole = _seconds(call, _text(pattern, size))
            if whole < _RATIO * half + _QUICK / 2:
                break
        else:
            return f"{pattern!r}: {half:.2f} s for {size // 2} characters, {whole:.2f} s for {size}"
    return ""


def _text(pattern: str, size: int) -> str:
    return (pattern * (size // len(pattern) + 1))[:size]


def _seconds(call: Callable[[str], object], text: str) -> float:
    begun = time.process_time()
    call(text)
    return time.process_time() - begun
