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
Rows = dict[str, list[tuple[Any, ...]]]  # by the model's label
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
    for model in _models():
        _kept[model._meta.label] = list(model._base_manager.values_list(*_columns(model)))


def _copy() -> None:
    """The rows as they were. Foreign keys are checked at the end, so their order is free."""
    models = _models()
    with transaction.atomic():
        for model in models:
            columns, rows = _columns(model), _kept[model._meta.label]
            model._base_manager.bulk_create(
                [model(**dict(zip(columns, row, strict=True))) for row in rows], batch_size=500
            )
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), models):
                cursor.execute(statement)


def _models() -> list[type[Model]]:
    return [
        model
        for app in OURS
        for model in apps.get_app_config(app).get_models(include_auto_created=True)
    ]


def _columns(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]
