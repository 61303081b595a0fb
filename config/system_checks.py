"""Django system checks of the whole product; those of databases run before `migrate` does."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.migrations.loader import MigrationLoader


@register(Tags.database)
def the_migrations_that_went_were_applied(
    databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Refuse a database that has some of the migrations that one now stands for, but not all.

    Django leaves such a migration out, and would say that there is nothing to apply.
    """
    found: list[CheckMessage] = []
    for alias in databases or ():
        loader = MigrationLoader(connections[alias], ignore_no_migrations=True)
        applied = set(loader.applied_migrations)
        missing = [
            ".".join(name)
            for migration in loader.disk_migrations.values()
            for name in migration.replaces
            if name not in applied and applied.intersection(migration.replaces)
        ]
        if missing:
            found.append(
                Error(
                    f"An older version made this database; it has yet to apply {missing[0]}"
                    + (f" and {len(missing) - 1} more." if missing[1:] else "."),
                    hint="Update to the last version that has these migrations first"
                    " (docs/operators.md, “A new version”). Nothing has been changed.",
                    id="assay.E001",
                )
            )
    return found
