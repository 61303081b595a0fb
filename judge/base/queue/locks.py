"""Locks of steps that must not run twice at the same time."""

from enum import IntEnum

from django.db import connection, transaction


class Lock(IntEnum):
    """The locked steps, each with its key: any number that no other advisory lock uses."""

    IMPORT = 0x696D706F7274  # "import"
    FREEZE = 0x667265657A65  # "freeze"
    SPLIT = 0x73706C6974  # "split"
    DRAW = 0x64726177  # "draw"
    READ = 0x72656164  # "read"


def take_lock(lock: Lock, *, shared: bool = False) -> None:
    """Wait until no other transaction holds the lock, then hold it until this one ends.

    Call it first in the transaction. SQLite needs no lock: its transactions run one by one anyway.

    Args:
        shared: others may share it, but nobody may hold it alone meanwhile.
    """
    if connection.vendor == "postgresql":
        name = "pg_advisory_xact_lock_shared" if shared else "pg_advisory_xact_lock"
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {name}(%s)", [lock])


def is_taken(lock: Lock) -> bool:
    """Return whether another transaction holds the lock at this moment. Never waits."""
    if connection.vendor != "postgresql":
        return False
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [lock])
        return not cursor.fetchone()[0]
