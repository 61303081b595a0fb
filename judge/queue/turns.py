"""Steps that must not run twice at the same time take turns."""

from enum import IntEnum

from django.db import connection


class Turn(IntEnum):
    """The steps, each with the number of its lock: any numbers that nothing else uses."""

    IMPORT = 0x696D706F7274  # "import"
    FREEZE = 0x667265657A65  # "freeze"


def wait_for_turn(turn: Turn) -> None:
    """Wait until no other transaction is inside this step. Call it first in the transaction.

    The turn ends with the transaction. SQLite needs no lock: its transactions take turns anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [turn])
