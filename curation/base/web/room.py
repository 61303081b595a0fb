"""Room to store something: a full disk, or a database that refuses to write, is told from a fault.

Reading and signing in go on then. What only accompanies them is left out (`best_effort`); what a
person wants stored is refused with a sentence (`NoRoom`, in `config.errors`).
"""

import errno
import logging
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.contrib.sessions.backends.base import UpdateError
from django.db import DatabaseError

log = logging.getLogger(__name__)

_ERRNO = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG})
_SQLITE = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
        sqlite3.SQLITE_IOERR_SHMSIZE,
    }
)
_SQLSTATE = frozenset({"53100", "25006"})  # disk_full, read_only_sql_transaction


def is_no_room(error: BaseException) -> bool:
    """Return whether an error, or one that led to it, says that nothing can be stored."""
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        if (
            (isinstance(at, OSError) and at.errno in _ERRNO)
            or getattr(at, "sqlite_errorcode", None) in _SQLITE
            or getattr(at, "sqlstate", None) in _SQLSTATE
        ):
            return True
        at = at.__cause__ or at.__context__
    return False


@contextmanager
def best_effort(what: str) -> Iterator[None]:
    """Write what may be missing: where there is no room the block ends, and the log says so.

    Not inside of a transaction, which such an error ends.
    """
    try:
        yield
    except (DatabaseError, UpdateError, OSError) as error:
        if not is_no_room(error):
            raise
        log.error("No room to store: %s (%s)", what, error)


def free_bytes() -> int:
    """Return how many bytes are free where files are stored."""
    return shutil.disk_usage(settings.VAR_DIR).free


def reserve_bytes() -> int:
    """Return how many bytes no file may use."""
    return settings.DISK_RESERVE_MB * 1024 * 1024


def has_room_for(size: int) -> bool:
    """Return whether so many bytes can be stored without touching the reserve."""
    return free_bytes() - size >= reserve_bytes()
