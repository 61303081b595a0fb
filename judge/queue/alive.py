"""Whether a process of this machine still lives: each one locks a file of its own.

The system gives the lock back when the process ends, however it ends.
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

KEPT = 30 * 86_400.0  # seconds from its start after which the file of a dead process goes

_held: list[IO[str]] = []


@cache
def process() -> str:
    """The name of this process; the file of that name is locked as long as it lives.

    Where no file can be written nobody sees whether it lives, and the time of a lease decides.
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
    """True if the process of this name ran on this machine and has ended.

    False where that cannot be known: it ran on another machine, or long ago.
    """
    path = _folder() / name
    if not name or path.name != name:
        return False
    try:
        with path.open() as handle:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:  # locked, so it lives; or there is no such file here, or none to be read
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


def _forget() -> None:
    """A process that was forked has a name of its own, and keeps nothing of its parent's locked."""
    while _held:
        _held.pop().close()
    process.cache_clear()


os.register_at_fork(after_in_child=_forget)
