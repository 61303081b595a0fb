"""`icontains` that ignores case in every alphabet, on SQLite as on PostgreSQL.

SQLite's LIKE knows the case of ASCII letters alone: "äquivalenz" did not find "ÄQUIVALENZ". Here
the comparison is made on folded texts, by a function of ours that every connection gets.
"""

from typing import Any

from django.db.backends.signals import connection_created
from django.db.models import CharField, TextField
from django.db.models.lookups import IContains

FUNCTION = "assay_fold"


def fold(text: Any) -> Any:
    """A text without its case; anything else as it is."""
    return text.casefold() if isinstance(text, str) else text


@CharField.register_lookup
@TextField.register_lookup
class FoldedContains(IContains):
    """`title__icontains`. On SQLite it reads the column; no index of ours helps "contains"."""

    def as_sqlite(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        if not isinstance(self.rhs, str):
            return super().as_sql(compiler, connection)  # type: ignore[return-value]
        column, values = self.process_lhs(compiler, connection)
        return f"instr({FUNCTION}({column}), %s) > 0", [*values, fold(self.rhs)]


def give_function(*, connection: Any, **_: Any) -> None:
    """Give a new SQLite connection the function that folds."""
    if connection.vendor == "sqlite":
        connection.connection.create_function(FUNCTION, 1, fold, deterministic=True)


def listen() -> None:
    """Hear of every connection. Idempotent."""
    connection_created.connect(give_function, dispatch_uid="curation.folding")
