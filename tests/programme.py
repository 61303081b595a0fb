"""The sample programme in the test database: walked once a run, copied after that."""

import fcntl
import os
import pickle
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Model

from config.management.commands.sample_programme import load
from tests.conftest import PASSWORD

OURS = ("curation", "rubrics", "review", "judge", "account", "mfa", "usersessions")
Rows = dict[str, list[tuple[Any, ...]]]  # by the table
RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID", "")  # the same in all processes of a run
_kept: Rows = {}


def sample_programme() -> None:
    """Put the sample programme into an empty database; everybody's password is `PASSWORD`."""
    if _kept:
        _copy()
    elif not RUN:
        _walk()
    else:
        # The second process waits for the first: two walks at once take longer than one.
        with (settings.VAR_DIR / "test-programme").open("a+b") as shared:
            fcntl.flock(shared, fcntl.LOCK_EX)
            _kept.update(_left_by_another(shared))
            if _kept:
                _copy()
                return
            _walk()
            shared.truncate(0)
            pickle.dump((RUN, _kept), shared)


def _left_by_another(shared: Any) -> Rows:
    """The rows, if another process of this run has walked already."""
    shared.seek(0)
    try:
        run, rows = pickle.load(shared)
    except (EOFError, pickle.UnpicklingError):
        return {}
    return rows if run == RUN else {}


def _walk() -> None:
    load(PASSWORD)
    with connection.cursor() as cursor:
        for model in _models():
            cursor.execute(f"SELECT {_columns(model)} FROM {_quoted(model._meta.db_table)}")
            _kept[model._meta.db_table] = cursor.fetchall()


def _copy() -> None:
    """The rows as they lay in the database. Foreign keys are checked at the end: any order does."""
    models = _models()
    with transaction.atomic(), connection.cursor() as cursor:
        for model in models:
            columns, rows = _columns(model), _kept[model._meta.db_table]
            values = ", ".join(["%s"] * len(model._meta.concrete_fields))
            table = _quoted(model._meta.db_table)
            cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({values})", rows)
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def _models() -> list[type[Model]]:
    return [
        model
        for app in OURS
        for model in apps.get_app_config(app).get_models(include_auto_created=True)
    ]


def _columns(model: type[Model]) -> str:
    return ", ".join(_quoted(field.column) for field in model._meta.concrete_fields)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
