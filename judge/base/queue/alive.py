"""Tells whether a process of this machine is still running: each one locks a file of its own.

The operating system releases the lock when the process ends for any reason.
"""

import fcntl
import logging
import os
import secrets
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

from django.conf import settings

log = logging.getLogger(__name__)

KEPT = 30 * 86_400.0  # seconds after which the file of an ended process is removed

_held: list[IO[str]] = []


@cache
def process_name() -> str:
    """Return the name of this process, and lock the file of that name until the process ends.

    If no file can be locked, only the time of a lease tells whether it may be taken over.
    """
    name = f"{os.getpid()}-{secrets.token_hex(6)}"
    folder = _folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _remove_old(folder)
        handle = (folder / name).open("w")
        fcntl.flock(handle, fcntl.LOCK_EX)
    except OSError:
        log.warning("No file can be locked in %s", folder, exc_info=True)
    else:
        _held.append(handle)
    return name


def has_ended(name: str) -> bool:
    """Return whether the process of this name ran on this machine and has ended.

    False if that is unknown, because it ran on another machine or long ago.
    """
    path = _folder() / name
    if not name or path.name != name:
        return False
    try:
        with path.open() as handle:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:  # locked by the running process, or no readable file
        return False
    return True


def _folder() -> Path:
    return Path(settings.VAR_DIR) / "processes"


def _remove_old(folder: Path) -> None:
    old = time.time() - KEPT
    for path in folder.iterdir():
        with suppress(FileNotFoundError):  # another process removes them too
            if path.stat().st_mtime < old and has_ended(path.name):
                path.unlink()


def _reset_after_fork() -> None:
    """Close the parent's file in a forked process, which then gets a name of its own."""
    while _held:
        _held.pop().close()
    process_name.cache_clear()


os.register_at_fork(after_in_child=_reset_after_fork)
