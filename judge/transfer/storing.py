"""Storing a file as a whole, and very many rows of one table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from django.db import IntegrityError, connection, models, transaction
from django.utils.translation import gettext as _

from curation.web.refusals import Conflict
from judge.queue.turns import Turn, wait_for_turn
from judge.transfer.reading import Faults

Outcome = TypeVar("Outcome")
LOOKS = 2


def whole(faults: Faults, look_and_store: Callable[[Faults], Outcome]) -> Outcome:
    """Look up what is here and store the rest, in one transaction.

    One import after the other: two files that hold the same rows in another order would wait for
    each other's rows in a ring. Somebody else may still store the same rows between the look and
    the store. Nothing of this file is kept then, and it looks again: what the other one stored is
    found there, or is a fault.

    Args:
        faults: what reading the file found; every look begins with these.

    Raises:
        Conflict: others were faster each time.
    """
    for _look in range(LOOKS):
        try:
            with transaction.atomic():
                wait_for_turn(Turn.IMPORT)
                return look_and_store(replace(faults, found=list(faults.found)))
        except IntegrityError:
            continue
    raise Conflict(
        _(
            "Somebody else stored rows with the same names meanwhile. Nothing of this file was "
            "stored: import it again when theirs is done."
        )
    )


def insert_many(
    model: type[models.Model],
    *,
    same: Mapping[str, Any],
    varying: Sequence[str],
    rows: Iterable[Sequence[Any]],
) -> None:
    """Insert rows without an object for each: a benchmark has 200,000 lines, and building a
    model for each of them takes ten times as long as storing it.

    Args:
        same: column attribute -> its value in every row; other columns take their defaults.
        varying: the attributes that each row brings, as texts, whole numbers, booleans or None.
        rows: their values, in the order of `varying`.

    Raises:
        IntegrityError: as with any other insert; the database's constraints are all in force.
    """
    fields = {f.attname: f for f in model._meta.concrete_fields if not f.primary_key}
    constant = [name for name in fields if name not in varying]
    values = [
        fields[name].get_db_prep_save(
            same[name] if name in same else fields[name].get_default(), connection
        )
        for name in constant
    ]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(fields[name].column)) for name in [*varying, *constant])
    marks = ", ".join(["%s"] * len(fields))
    sql = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({marks})"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.executemany(sql, [(*row, *values) for row in rows])
