"""Runs `manage.py` commands; a missing setting or database is a sentence, not a traceback."""

import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor


def run(argv: list[str]) -> None:
    """Run a command; exit with a sentence if a setting or the database is missing.

    `--traceback` shows the exception instead.
    """
    try:
        settings.INSTALLED_APPS  # noqa: B018  # reads the settings
        execute_from_command_line(argv)
    except ImproperlyConfigured as wrong:
        _end(wrong, str(wrong), argv)
    except DatabaseError as broken:
        sentence = _database_problem(broken)
        if not sentence:
            raise
        _end(broken, sentence, argv)


def _end(cause: Exception, sentence: str, argv: list[str]) -> None:
    if "--traceback" in argv:
        raise cause
    sys.exit(sentence)


def _database_problem(broken: DatabaseError) -> str:
    """Say that the database cannot be reached or needs migrations; "" for any other error."""
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
