"""The sample programme in the test database: walked once a process, copied after that."""

from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Model

from config.management.commands.sample_programme import load
from tests.conftest import PASSWORD

OURS = ("curation", "rubrics", "review", "judge", "account", "mfa", "usersessions")
_kept: dict[type[Model], list[tuple[Any, ...]]] = {}


def sample_programme() -> None:
    """Put the sample programme into an empty database; everybody's password is `PASSWORD`."""
    if _kept:
        _copy()
        return
    load(PASSWORD)
    for model in _models():
        _kept[model] = list(model._base_manager.values_list(*_columns(model)))


def _copy() -> None:
    """The rows as they were. Foreign keys are checked at the end, so their order is free."""
    with transaction.atomic():
        for model, rows in _kept.items():
            columns = _columns(model)
            model._base_manager.bulk_create(
                [model(**dict(zip(columns, row, strict=True))) for row in rows], batch_size=500
            )
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), list(_kept)):
                cursor.execute(statement)


def _models() -> list[type[Model]]:
    return [
        model
        for app in OURS
        for model in apps.get_app_config(app).get_models(include_auto_created=True)
    ]


def _columns(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]
