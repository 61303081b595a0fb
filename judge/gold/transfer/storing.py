"""Storage of a file in one transaction, and of very many rows of one table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from django.db import IntegrityError, connection, models, transaction
from django.utils.translation import gettext as _

from curation.base.records.faults import Faults
from curation.base.web.refusals import Conflict
from judge.base.queue.locks import Lock, take_lock

Outcome = TypeVar("Outcome")
ATTEMPTS = 2


def store_whole(
    faults: Faults,
    check_and_store: Callable[[Faults], Outcome],
    *,
    at_end: Callable[[Outcome], None] | None = None,
    dry_run: bool = False,
) -> Outcome:
    """Check a file against the stored rows and store the new ones, in one transaction.

    Imports run one after the other, because two files with the same rows in another order would
    deadlock. If somebody else stores the same rows between the check and the insert, all is
    rolled back and done again; the check then finds those rows, or reports a fault.

    Args:
        faults: the faults found on reading the file; each attempt starts with them.
        at_end: called in the transaction when all is stored; what it raises takes all back.
        dry_run: whether to take everything back at the end.

    Raises:
        Conflict: somebody else was faster at each attempt.
    """
    for _attempt in range(ATTEMPTS):
        try:
            with transaction.atomic():
                take_lock(Lock.IMPORT)
                outcome = check_and_store(replace(faults, found=list(faults.found)))
                if dry_run:
                    transaction.set_rollback(True)
                elif at_end is not None:
                    at_end(outcome)
                return outcome
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
    """Insert rows without building model instances.

    A benchmark has 200,000 lines, and building an instance takes ten times as long as storing it.

    Args:
        same: attribute -> its value in every row; other columns get their defaults.
        varying: the attributes that vary: texts, integers, booleans or None.
        rows: the values of the varying attributes, in their order.

    Raises:
        IntegrityError: a constraint of the database is violated.
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
