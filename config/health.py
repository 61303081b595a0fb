"""The probes of the installation: is the process alive, and can it do its work?"""

import logging
import os
import tempfile

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse
from django.utils import timezone

from config.celery import app
from curation.base.web.room import free_bytes, is_no_room, reserve_bytes
from curation.joining.accounts.models import CacheRow
from judge.base.queue.models import is_awake, last_heartbeat

log = logging.getLogger(__name__)

_AWAY, _FULL = "It does not answer.", "There is no room to write: the disk is full or read-only."


def healthz(request: HttpRequest) -> JsonResponse:
    """Answer that the process is alive."""
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """Check database, broker, storage and the worker's heartbeat; answer 503 if one is missing.

    Database and storage count as missing where nothing can be written. Everybody may ask, so the
    answer names parts; why one is missing, with figures, is in the log.
    """
    database = _database()
    problems = {
        "database": database,
        "broker": "" if _broker() else _AWAY,
        "storage": _storage(),
        # its heartbeat is in the database
        "worker": "" if database != _AWAY and _worker() else "It sends no heartbeat.",
    }
    missing = [name for name, problem in problems.items() if problem]
    for name in missing:
        log.warning("Not ready: %s. %s", name, problems[name])
    return JsonResponse(
        {
            "status": "not ready" if missing else "ok",
            "missing": missing,
            "checks": {name: "missing" if problem else "ok" for name, problem in problems.items()},
        },
        status=503 if missing else 200,
    )


def _database() -> str:
    """Write a row; return what is wrong."""
    row = CacheRow(cache_key="readyz", value="", expires=timezone.now())
    try:
        CacheRow.objects.bulk_create(
            [row],
            update_conflicts=True,
            unique_fields=["cache_key"],
            update_fields=["value", "expires"],
        )
    except DatabaseError as error:
        return _FULL if is_no_room(error) else _AWAY
    return ""


def _broker() -> bool:
    if not settings.CELERY_BROKER_URL:
        return True  # the worker reads the database, so nothing is missing
    try:
        with app.connection_for_write(connect_timeout=2) as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
        return True
    except Exception:  # each transport raises errors of its own
        return False


def _storage() -> str:
    """Write a file and look at the free space; return what is wrong."""
    try:
        with tempfile.TemporaryFile(dir=settings.VAR_DIR) as file:
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
        free = free_bytes()
    except OSError as error:
        return _FULL if is_no_room(error) else "The folder cannot be written to."
    if free < reserve_bytes():
        return f"Only {free // 2**20} MB are free, so files are refused."
    return ""


def _worker() -> bool:
    try:
        return is_awake(last_heartbeat())
    except DatabaseError:
        return False
