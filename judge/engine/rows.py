"""Many rows in one statement, for the writes that are made for every response.

Django's own bulk methods build each value as an expression; for seventeen verdicts a response that
is most of a run's time. PostgreSQL gets the rows as one parameter of JSON, since its driver looks
for every place of a value in Python; SQLite gets values. Both mean the same.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import orjson
from django.db import connection
from django.db.models import DateTimeField, JSONField, Model

_MOST_PARAMETERS = 20_000  # of one statement; SQLite's limit is 32,766


def insert(
    model: type[Model],
    fields: tuple[str, ...],
    rows: Sequence[Sequence[Any]],
    *,
    unless_there: bool = False,
    returning: Sequence[str] = (),
) -> list[tuple[Any, ...]]:
    """Insert rows of values, in the order of `fields`.

    `unless_there` leaves out rows that a unique constraint refuses. `returning` are fields of the
    rows that were inserted; their values are returned, in no order.
    """
    if not rows:
        return []
    quote = connection.ops.quote_name
    columns = ", ".join(quote(_column(model, name)) for name in fields)
    start = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) "  # noqa: S608
    end = " ON CONFLICT DO NOTHING" if unless_there else ""
    if returning:
        end += f" RETURNING {', '.join(quote(_column(model, name)) for name in returning)}"
    found: list[tuple[Any, ...]] = []
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            source = f"SELECT * FROM {_records(model, fields)}"  # noqa: S608
            cursor.execute(f"{start}{source}{end}", [_json(rows)])
            return cursor.fetchall() if returning else found
        for part in _parts(_with_prepared(model, fields, rows), len(fields)):
            cursor.execute(f"{start}VALUES {_places(part, len(fields))}{end}", _flat(part))
            found += cursor.fetchall() if returning else []
    return found


def update(
    model: type[Model],
    fields: tuple[str, ...],
    rows: Sequence[Sequence[Any]],
    *,
    same: dict[str, Any],
    where: dict[str, Any],
) -> None:
    """Update rows by primary key: each row is (primary key, values in the order of `fields`).

    `same` are values all rows get; `where` must hold for a row to be changed.
    """
    if not rows:
        return
    quote = connection.ops.quote_name
    table = quote(model._meta.db_table)
    named = ("pk", *fields)
    own = [f"v{number}" for number in range(len(named))]
    # A parameter that is NULL in every row has no type of its own: the cast gives it the column's.
    sets = [
        f"{quote(_column(model, name))} = CAST(v.{alias} AS {_type(model, name)})"
        for name, alias in zip(fields, own[1:], strict=True)
    ]
    sets += [f"{quote(_column(model, name))} = %s" for name in same]
    conditions = [f"{table}.{quote(_column(model, 'pk'))} = v.v0"]
    conditions += [f"{table}.{quote(_column(model, name))} = %s" for name in where]
    change = f"UPDATE {table} SET {', '.join(sets)} FROM v "  # noqa: S608
    change += f"WHERE {' AND '.join(conditions)}"
    tail = [_prepared(model, name, value) for name, value in (same | where).items()]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            source = f"SELECT * FROM {_records(model, named)}"  # noqa: S608
            cursor.execute(f"WITH v AS ({source}) {change}", [_json(rows), *tail])
            return
        for part in _parts(_with_prepared(model, named, rows), len(named)):
            source = f"VALUES {_places(part, len(named))}"
            cursor.execute(
                f"WITH v({', '.join(own)}) AS ({source}) {change}", [*_flat(part), *tail]
            )


@cache  # looked up anew, the columns' types take a seventh of a write's time
def _records(model: type[Model], fields: tuple[str, ...]) -> str:
    """A table with the columns v0, v1, … out of one parameter of JSON (PostgreSQL)."""
    columns = ", ".join(f"v{n} {_type(model, name)}" for n, name in enumerate(fields))
    return f"json_to_recordset(%s) AS r({columns})"


def _json(rows: Sequence[Sequence[Any]]) -> str:
    return orjson.dumps([{f"v{n}": value for n, value in enumerate(row)} for row in rows]).decode()


def _with_prepared(
    model: type[Model], fields: Sequence[str], rows: Sequence[Sequence[Any]]
) -> Sequence[Sequence[Any]]:
    """The rows with moments and JSON in the form the database takes."""
    own = {
        place: _field(model, name).get_db_prep_save
        for place, name in enumerate(fields)
        if isinstance(_field(model, name), DateTimeField | JSONField)
    }
    if not own:
        return rows
    return [
        [own[n](value, connection) if n in own else value for n, value in enumerate(row)]
        for row in rows
    ]


def _parts(rows: Sequence[Sequence[Any]], width: int) -> Iterator[Sequence[Sequence[Any]]]:
    size = max(1, _MOST_PARAMETERS // width)
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def _places(rows: Sequence[Sequence[Any]], width: int) -> str:
    return ", ".join([f"({', '.join(['%s'] * width)})"] * len(rows))


def _flat(rows: Sequence[Sequence[Any]]) -> list[Any]:
    return [value for row in rows for value in row]


def _field(model: type[Model], name: str) -> Any:
    return model._meta.pk if name == "pk" else model._meta.get_field(name)


def _column(model: type[Model], name: str) -> str:
    return str(_field(model, name).column)


def _type(model: type[Model], name: str) -> str:
    return str(_field(model, name).cast_db_type(connection))


def _prepared(model: type[Model], name: str, value: Any) -> Any:
    return _field(model, name).get_db_prep_save(value, connection)
