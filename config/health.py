"""Is the process alive, and can it do its work?"""

import os
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone

from config.celery import app
from judge.models import Heartbeat


def healthz(request: HttpRequest) -> JsonResponse:
    """The process answers."""
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """Database, broker, storage and the worker's pulse; 503 names what is missing."""
    checks = {
        "database": _database(),
        "broker": _broker(),
        "storage": _storage(),
        "worker": _worker(),
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
    try:
        with app.connection_for_write(connect_timeout=2) as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
        return True
    except Exception:  # every transport has its own family of errors
        return False


def _storage() -> bool:
    return os.access(settings.VAR_DIR, os.W_OK)


def _worker() -> bool:
    limit = timezone.now() - timedelta(seconds=settings.WORKER_SILENT_AFTER)
    try:
        return Heartbeat.objects.filter(at__gte=limit).exists()
    except DatabaseError:
        return False
