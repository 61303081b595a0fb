"""Empty the tables between tests that commit by DELETE instead of TRUNCATE.

TRUNCATE makes new files for 110 tables and all their indexes, which takes a second or two. The few
rows of a test are gone in milliseconds. Foreign keys are checked at the end of the transaction.
"""

from typing import Any

from django.db.backends.postgresql.operations import DatabaseOperations

from config.postgresql import base


class DeletingOperations(DatabaseOperations):
    def sql_flush(
        self, style: Any, tables: list[str], *, reset_sequences: bool = False, **options: Any
    ) -> list[str]:
        if reset_sequences:
            return super().sql_flush(style, tables, reset_sequences=True, **options)
        return [f"DELETE FROM {self.quote_name(table)};" for table in tables]  # noqa: S608


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = DeletingOperations
