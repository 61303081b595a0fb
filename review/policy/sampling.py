"""Which tasks a senior spot-checks: sealed, reproducible, independent of who clicks what."""

import hashlib
import hmac


def draw_value(salt: str, task_key: str) -> float:
    """A number in [0, 1) fixed by the secret salt and the task (DESIGN section 4).

    HMAC-SHA256(salt, task key), its first 8 bytes read as a big-endian fraction: whoever holds
    the salt can repeat the draw in an audit, nobody else can foresee it.
    """
    digest = hmac.new(salt.encode(), task_key.encode(), hashlib.sha256).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def is_drawn(salt: str, task_key: str, rate: float) -> bool:
    """Whether the task falls under the spot-check rate (a share from 0 to 1)."""
    return draw_value(salt, task_key) < rate
