"""`icontains` that ignores case in every alphabet, on SQLite as on PostgreSQL.

SQLite's LIKE ignores case for ASCII letters only: "äquivalenz" does not find "ÄQUIVALENZ". This
lookup compares case-folded texts with an SQL function that is added to every connection.
"""

from typing import Any

from django.db.backends.signals import connection_created
from django.db.models import CharField, TextField
from django.db.models.lookups import IContains

FUNCTION = "assay_fold"


def fold(text: Any) -> Any:
    """Return a text case-folded, and any other value as it is."""
    return text.casefold() if isinstance(text, str) else text


@CharField.register_lookup
@TextField.register_lookup
class FoldedContains(IContains):
    """The lookup `icontains`, case-insensitive for all letters on SQLite too. Uses no index."""

    def as_sqlite(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        if not isinstance(self.rhs, str):
            return super().as_sql(compiler, connection)  # type: ignore[return-value]
        column, values = self.process_lhs(compiler, connection)
        return f"instr({FUNCTION}({column}), %s) > 0", [*values, fold(self.rhs)]


def add_fold_function(*, connection: Any, **_: Any) -> None:
    """Add the SQL function to a new SQLite connection."""
    if connection.vendor == "sqlite":
        connection.connection.create_function(FUNCTION, 1, fold, deterministic=True)


def connect() -> None:
    """Add the function to every connection from now on. Idempotent."""
    connection_created.connect(add_fold_function, dispatch_uid="curation.folding")
