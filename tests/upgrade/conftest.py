"""Tables of an earlier version, and what its rows are made with."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from tests.gold.conftest import files, programme  # noqa: F401
from tests.judge_engine.conftest import judge, plan, stub  # noqa: F401

OURS = ("curation", "rubrics", "review", "judge")


@pytest.fixture
def tables_at(transactional_db: Any, settings: Any) -> Iterator[Callable[..., Any]]:
    """Migrate apps to migrations, `tables_at(judge="0068_bands")`, or all of ours to the last.

    At the end the tables are complete. The suite usually makes its tables without migrations. These
    are real all the same: they are read from their files, and recorded as applied while the test
    runs.
    """
    settings.MIGRATION_MODULES = {}
    recorder = MigrationRecorder(connection)
    lent = not recorder.has_table()
    if lent:
        recorder.ensure_schema()
        for app, name in MigrationLoader(None).disk_migrations:
            recorder.record_applied(app, name)

    def at(**names: str) -> Any:
        """The apps as they were then."""
        executor = MigrationExecutor(connection)
        last = [node for app in OURS for node in executor.loader.graph.leaf_nodes(app)]
        return executor.migrate(list(names.items()) or last).apps

    yield at
    at()
    if lent:
        with connection.schema_editor() as editor:
            editor.delete_model(recorder.Migration)
