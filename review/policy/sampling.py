"""The draw of tasks for spot checks: secret, reproducible, independent of people's actions."""

import hashlib
import hmac


def draw_value(salt: str, task_key: str) -> float:
    """Return the task's number in [0, 1), determined by the secret salt and the task's key.

    HMAC-SHA256(salt, task key), its first 8 bytes read as a big-endian fraction. With the salt an
    audit can repeat the draw; without it nobody can predict it.
    """
    digest = hmac.new(salt.encode(), task_key.encode(), hashlib.sha256).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def is_drawn(salt: str, task_key: str, rate: float) -> bool:
    """Return whether the task is drawn at this rate (a share from 0 to 1)."""
    return draw_value(salt, task_key) < rate
