"""Commands of `manage.py`: what the installation lacks is one sentence, not a traceback."""

import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor


def run(argv: list[str]) -> None:
    """Run a command; ends the process with a sentence where a setting or the database is missing.

    `--traceback` shows the exception itself.
    """
    try:
        settings.INSTALLED_APPS  # noqa: B018  # reads the settings
        execute_from_command_line(argv)
    except ImproperlyConfigured as wrong:
        _end(wrong, str(wrong), argv)
    except DatabaseError as broken:
        sentence = _what_the_database_lacks(broken)
        if not sentence:
            raise
        _end(broken, sentence, argv)


def _end(cause: Exception, sentence: str, argv: list[str]) -> None:
    if "--traceback" in argv:
        raise cause
    sys.exit(sentence)


def _what_the_database_lacks(broken: DatabaseError) -> str:
    """A sentence for a database that cannot be reached or has no tables; "" for a real bug."""
    try:
        executor = MigrationExecutor(connection)
        behind = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except (OperationalError, InterfaceError):
        return f"The database cannot be reached: {str(broken).strip()}"
    except DatabaseError:
        return ""
    if behind:
        return "The database is not up to date. Run `manage.py migrate`, then the command again."
    return ""
