"""The probes of the installation: is the process alive, and can it do its work?"""

import os

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse

from config.celery import app
from judge.queue.queries import is_awake, last_heartbeat


def healthz(request: HttpRequest) -> JsonResponse:
    """Answer that the process is alive."""
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """Check database, broker, storage and the worker's heartbeat; answer 503 if one is missing."""
    database = _database()
    checks = {
        "database": database,
        "broker": _broker(),
        "storage": _storage(),
        "worker": database and _worker(),  # its heartbeat is in the database
    }
    missing = [name for name, fine in checks.items() if not fine]
    return JsonResponse(
        {
            "status": "not ready" if missing else "ok",
            "missing": missing,
            "checks": {name: "ok" if fine else "missing" for name, fine in checks.items()},
        },
        status=503 if missing else 200,
    )


def _database() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return True
    except DatabaseError:
        return False


def _broker() -> bool:
    if not settings.CELERY_BROKER_URL:
        return True  # the worker reads the database, so nothing is missing
    try:
        with app.connection_for_write(connect_timeout=2) as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
        return True
    except Exception:  # each transport raises errors of its own
        return False


def _storage() -> bool:
    return os.access(settings.VAR_DIR, os.W_OK)


def _worker() -> bool:
    try:
        return is_awake(last_heartbeat())
    except DatabaseError:
        return False
