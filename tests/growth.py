"""How the processor time of a function grows with the length of its text.

A limit in seconds would fail on a busy machine. Growth does not: twice the text may take a little
over twice the time, and a quadratic function takes four times as long.
"""

import time
from collections.abc import Callable

LONG = 50_000  # characters
_SIZES = (24, 300, 2_000, 8_000, LONG)
_TELLING = 2_000  # characters; shorter texts only find what never ends for longer ones
_BEARABLE = 1.0  # seconds for LONG characters, even of a quadratic function
_QUICK = 0.01  # seconds, in which growth cannot be told from noise
_RATIO = 3.3  # from n to 2n: 2 for linear, 4 for quadratic
_TRIES = 6


def too_slow(
    call: Callable[[str], object], pattern: str, *, before: str = "", after: str = ""
) -> str:
    """Return how a call grows where that is more than linear; empty if it is linear.

    Args:
        pattern: repeated up to `LONG` characters. Short texts come first, so that a call that
            never ends for long ones is found, too. A call so quick that even quadratic growth
            would be bearable is not measured further.
        before, after: stand around the repeated pattern.
    """

    def seconds(size: int) -> float:
        text = before + (pattern * (size // len(pattern) + 1))[:size] + after
        begun = time.process_time()
        call(text)
        return time.process_time() - begun

    for size in _SIZES:
        whole = seconds(size)
        if size >= _TELLING and whole * (LONG / size) ** 2 < _BEARABLE:
            return ""
        if whole < _QUICK:
            continue
        half = seconds(size // 2)
        for _ in range(_TRIES):  # the least of each: a busy machine only adds
            half, whole = min(half, seconds(size // 2)), min(whole, seconds(size))
            if whole < _RATIO * half + _QUICK / 2:
                break
        else:
            return f"{pattern!r}: {half:.2f} s for {size // 2} characters, {whole:.2f} s for {size}"
    return ""
