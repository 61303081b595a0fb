"""A world of rows and files that can be brought back as it was."""

import shutil
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection, transaction
from django.db.models import BooleanField, IntegerField, Model

NOT_COUNTED = {
    "curation_cacherow",  # what throttles remember
    "django_session",
    "usersessions_usersession",  # when and where somebody was last seen
    "judge_sheet.revision",  # counts what was saved: the same verdict thrice is saved thrice
    "judge_gradedsheet.worked_seconds",
    "judge_sheet.worked_seconds",
    "curation_solve.seconds",  # how long somebody took
}


def numbers_of(model: type[Model]) -> dict[str, str]:
    """Columns of whole numbers and of truth values, with the number each row has there in SQL.

    Keys are left out: they name other rows.
    """
    numbers = {}
    for column in model._meta.concrete_fields:
        name = column.column
        if f"{model._meta.db_table}.{name}" in NOT_COUNTED or column.primary_key:
            continue
        quoted = connection.ops.quote_name(name)
        if isinstance(column, BooleanField):
            numbers[name] = f"CASE WHEN {quoted} THEN 1 ELSE 0 END"
        elif isinstance(column, IntegerField):
            numbers[name] = quoted
    return numbers


class World(ABC):
    """The rows as they were, to be brought back after each press.

    A copy of each table is kept, and triggers note which were written to: those are brought back.
    A copy of SQLite's file in place of them would make each connection read the schema anew.
    """

    def __init__(self) -> None:
        self.columns = {
            model._meta.db_table: numbers_of(model)
            for model in apps.get_models(include_auto_created=True)
            if model._meta.managed and not model._meta.proxy
        }
        self.tables = sorted(self.columns)
        self.files = set(Path(settings.MEDIA_ROOT).rglob("*"))

    def restore(self) -> None:
        self.bring_back()
        for path in sorted(Path(settings.MEDIA_ROOT).rglob("*"), reverse=True):
            if path not in self.files:
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def counts(self) -> dict[str, int]:
        """How many rows each table has, and what its columns of numbers add up to.

        Tables that nothing was written to since have what they had.
        """
        with connection.cursor() as cursor:
            return self.at_first | self._counts_of(cursor, self._written(cursor))

    def _written(self, cursor: Any) -> list[str]:
        cursor.execute("SELECT DISTINCT name FROM kept_written")
        return [name for (name,) in cursor.fetchall()]

    def _counts_of(self, cursor: Any, tables: list[str]) -> dict[str, int]:
        """Numbers are cut to their rest, so that sums of digests stay within 64 bits."""
        found = {}
        for table in tables:
            if table in NOT_COUNTED:
                continue
            columns = self.columns[table]
            sums = "".join(f", sum({number} % 1000003)" for number in columns.values())
            cursor.execute(f"SELECT count(*){sums} FROM {self.quoted(table)}")
            names = [table, *(f"{table}.{column}" for column in columns)]
            found |= dict(zip(names, cursor.fetchone(), strict=True))
        return found

    @staticmethod
    def quoted(name: str) -> str:
        return connection.ops.quote_name(name)

    def keep(self) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("CREATE TABLE kept_written (name text)")
            self.keep_numbers(cursor)
            for table in self.tables:
                cursor.execute(f"CREATE TABLE kept_{table} AS SELECT * FROM {self.quoted(table)}")
                self.note_writes(cursor, table)
            self.at_first = self._counts_of(cursor, self.tables)

    def bring_back(self) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            written = self._written(cursor)
            for table in written:
                cursor.execute(f"DELETE FROM {self.quoted(table)}")
            for table in written:
                cursor.execute(f"INSERT INTO {self.quoted(table)} SELECT * FROM kept_{table}")
            self.bring_numbers_back(cursor)
            cursor.execute("DELETE FROM kept_written")

    def forget(self) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            self.stop_noting(cursor)
            for table in [*self.tables, "written", "numbers"]:
                cursor.execute(f"DROP TABLE kept_{table}")

    @abstractmethod
    def keep_numbers(self, cursor: Any) -> None:
        """Keep the last number that each table has given a row."""

    @abstractmethod
    def bring_numbers_back(self, cursor: Any) -> None: ...

    @abstractmethod
    def note_writes(self, cursor: Any, table: str) -> None: ...

    @abstractmethod
    def stop_noting(self, cursor: Any) -> None: ...


class SQLiteWorld(World):
    verbs = ("INSERT", "UPDATE", "DELETE")

    def keep_numbers(self, cursor: Any) -> None:
        cursor.execute("CREATE TABLE kept_numbers AS SELECT * FROM sqlite_sequence")

    def bring_numbers_back(self, cursor: Any) -> None:
        cursor.execute("DELETE FROM sqlite_sequence")
        cursor.execute("INSERT INTO sqlite_sequence SELECT * FROM kept_numbers")

    def note_writes(self, cursor: Any, table: str) -> None:
        for verb in self.verbs:  # once for each row, so each table is noted once
            cursor.execute(
                f"CREATE TRIGGER kept_{verb}_{table} AFTER {verb} ON {self.quoted(table)} BEGIN "
                f"INSERT INTO kept_written SELECT '{table}' WHERE NOT EXISTS "
                f"(SELECT 1 FROM kept_written WHERE name = '{table}'); END"
            )

    def stop_noting(self, cursor: Any) -> None:
        for table in self.tables:
            for verb in self.verbs:
                cursor.execute(f"DROP TRIGGER kept_{verb}_{table}")


class PostgreSQLWorld(World):
    def keep_numbers(self, cursor: Any) -> None:
        cursor.execute(
            "CREATE TABLE kept_numbers AS SELECT quote_ident(sequencename) AS name, last_value "
            "FROM pg_sequences WHERE schemaname = 'public'"
        )

    def bring_numbers_back(self, cursor: Any) -> None:
        cursor.execute(
            "SELECT setval(name::regclass, coalesce(last_value, 1), last_value IS NOT NULL) "
            "FROM kept_numbers"
        )

    def note_writes(self, cursor: Any, table: str) -> None:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION kept_note() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN INSERT INTO kept_written VALUES (TG_TABLE_NAME); RETURN NULL; END $$"
        )
        cursor.execute(
            "CREATE TRIGGER kept_note AFTER INSERT OR UPDATE OR DELETE ON "
            f"{self.quoted(table)} FOR EACH STATEMENT EXECUTE FUNCTION kept_note()"
        )

    def stop_noting(self, cursor: Any) -> None:
        cursor.execute("DROP FUNCTION kept_note() CASCADE")  # the triggers as well
