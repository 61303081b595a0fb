"""Queries whose SQL is written once for each process, by Django itself.

Django writes the SQL of a query anew each time it is run: 0.3 to 0.6 ms of Python, where the
database answers in 0.05. That is nothing for a page, and most of the time of a call of the API. So
the few queries that such a call always makes are written once; what changes between two runs is
a `Slot` in them. Rows are read, and counted by tests, like those of any other query.
"""

import copy
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models.query import ModelIterable, ValuesListIterable
from django.db.models.sql import InsertQuery, UpdateQuery

_MOST = 2**63  # what a database's widest whole number does not reach


class Slot(Expression):
    """The place of a value that is given when the query runs.

    Args:
        name: of the argument that holds the value.
        output_field: how the value is stored.
    """

    def __init__(self, name: str, output_field: Field) -> None:
        super().__init__(output_field=output_field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "%s", (self,)


class _TooLargeError(Exception):
    """A whole number that no column can hold: it equals nothing that is stored."""


@contextmanager
def _for_writing() -> Iterator[Any]:
    """A compiler's connection that no thread works with, so that none is kept from being closed."""
    connection = connections.create_connection(DEFAULT_DB_ALIAS)
    try:
        yield connection
    finally:
        connection.close()


def _filled(params: tuple[Any, ...], values: Mapping[str, Any], connection: Any) -> tuple[Any, ...]:
    """The parameters of one run."""
    filled = []
    for param in params:
        if isinstance(param, Slot):
            value = param.output_field.get_db_prep_save(values[param.name], connection)
            if isinstance(value, int) and not -_MOST <= value < _MOST:
                raise _TooLargeError
            param = value
        filled.append(param)
    return tuple(filled)


class Prepared:
    """A query for model instances (with what they select) or for `values_list` rows.

    Args:
        build: makes the query set, with a `Slot` for each value. Called once, at first use.
    """

    def __init__(self, build: Callable[[], QuerySet[Any, Any]]) -> None:
        self._build = build
        self._written: tuple[Any, str, tuple[Any, ...], Any, type] | None = None

    def _write(self) -> tuple[Any, str, tuple[Any, ...], Any, type]:
        found = self._build()
        kind = found._iterable_class  # type: ignore[attr-defined]
        if kind not in (ModelIterable, ValuesListIterable):
            raise TypeError("Only model instances and values_list can be prepared.")
        with _for_writing() as connection:
            compiler = found.query.get_compiler(connection=connection)
            sql, params = compiler.as_sql()
            columns = [column[0] for column in compiler.select[: compiler.col_count]]
            converters = compiler.get_converters(columns)
        self._written = compiler, sql, tuple(params), converters, kind
        return self._written

    def rows(self, **values: Any) -> list[Any]:
        """All rows for these values of the slots. One query."""
        written, sql, params, converters, kind = self._written or self._write()
        connection = connections[DEFAULT_DB_ALIAS]
        try:
            filled = _filled(params, values, connection)
        except _TooLargeError:
            return []
        compiler = copy.copy(written)  # several threads run the same query
        compiler.connection = connection
        compiler.as_sql = lambda: (sql, filled)
        compiler.get_converters = lambda columns: converters
        if kind is ValuesListIterable:
            return list(compiler.results_iter(tuple_expected=True))
        # As much of a query set as Django's own reader of rows asks for.
        query = SimpleNamespace(get_compiler=lambda using: compiler)
        found = SimpleNamespace(db=DEFAULT_DB_ALIAS, query=query, _known_related_objects={})
        return list(ModelIterable(found))  # type: ignore[arg-type]

    def first(self, **values: Any) -> Any:
        """The first row for these values, or None. The query itself says how many it reads."""
        return next(iter(self.rows(**values)), None)


class PreparedUpdate:
    """An update of the rows of one table.

    Args:
        build: makes the query set and the new values of its columns. Called once, at first use.
    """

    def __init__(self, build: Callable[[], tuple[QuerySet[Any, Any], Mapping[str, Any]]]) -> None:
        self._build = build
        self._written: tuple[str, tuple[Any, ...]] | None = None

    def _write(self) -> tuple[str, tuple[Any, ...]]:
        found, changes = self._build()
        query: Any = found.order_by().query.chain(UpdateQuery)
        query.add_update_values(changes)
        with _for_writing() as connection:
            sql, params = query.get_compiler(connection=connection).as_sql()
        self._written = sql, tuple(params)
        return self._written

    def run(self, **values: Any) -> int:
        """Update; how many rows there were."""
        sql, params = self._written or self._write()
        connection = connections[DEFAULT_DB_ALIAS]
        with connection.cursor() as cursor:
            cursor.execute(sql, _filled(params, values, connection))
            return cursor.rowcount


class PreparedInsert:
    """An insert of one row. Its columns are those of the model but its own number.

    No `save()` and no signal of the model is called.
    """

    def __init__(self, model: type[Model]) -> None:
        self._model = model
        self._written: tuple[str, tuple[Any, ...]] | None = None

    def _write(self) -> tuple[str, tuple[Any, ...]]:
        meta = self._model._meta
        fields = [field for field in meta.local_concrete_fields if field is not meta.pk]
        slots: Any = SimpleNamespace(**{f.attname: Slot(f.attname, f) for f in fields})
        query = InsertQuery(self._model)
        query.insert_values(fields, [slots], raw=True)
        with _for_writing() as connection:
            compiler = query.get_compiler(connection=connection)
            compiler.returning_fields = [meta.pk]
            ((sql, params),) = compiler.as_sql()
        self._written = sql, tuple(params)
        return self._written

    def run(self, **values: Any) -> Any:
        """Store the row; it comes back as an instance with its number.

        Args:
            values: of every column, by the name of its attribute (`sheet_id`).
        """
        sql, params = self._written or self._write()
        connection: Any = connections[DEFAULT_DB_ALIAS]
        with connection.cursor() as cursor:
            cursor.execute(sql, _filled(params, values, connection))
            ((pk,),) = connection.ops.fetch_returned_insert_rows(cursor)
        made = self._model(pk=pk, **values)
        made._state.adding, made._state.db = False, DEFAULT_DB_ALIAS
        return made
