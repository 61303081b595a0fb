"""While the database is away, and after it has come back."""

import threading

import psycopg
import pytest
from django.db import OperationalError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client

from config.environment import database
from curation.joining.people import User


@pytest.fixture
def away(monkeypatch):
    """From the call on, nobody gets a connection to the database."""

    def refuse(*arguments, **options):
        raise OperationalError("the server is not there")

    return lambda: monkeypatch.setattr(BaseDatabaseWrapper, "ensure_connection", refuse)


@pytest.mark.django_db
@pytest.mark.parametrize("signed_in", [True, False])
def test_both_probes_answer_whatever_cookies_the_visitor_has(sign_in, staff, away, signed_in):
    browser = sign_in(staff) if signed_in else Client()
    browser.get("/")
    away()
    alive = browser.get("/healthz")
    assert (alive.status_code, alive.json()) == (200, {"status": "ok"})
    ready = browser.get("/readyz")
    assert ready.status_code == 503
    assert ready.json()["checks"]["database"] == "missing"
    assert {"database", "worker"} <= set(ready.json()["missing"])
    assert ready["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_a_probe_reads_no_session(sign_in, staff, django_assert_num_queries):
    browser = sign_in(staff)
    with django_assert_num_queries(0):
        assert browser.get("/healthz").status_code == 200
    with django_assert_num_queries(2):  # does it take a row, and does the worker's heart beat
        browser.get("/readyz")


def test_only_reading_reaches_the_probes(db):
    assert Client().post("/healthz").status_code == 405
    assert Client().head("/healthz").status_code == 200


def test_nobody_waits_half_a_minute_for_a_server_that_is_away(monkeypatch, tmp_path):
    monkeypatch.setenv("DATABASE_URL", "postgres://assay@db.example.test/assay")
    found = database("DATABASE_URL", tmp_path / "unused")
    assert found["OPTIONS"]["pool"]["timeout"] <= 10


@pytest.mark.django_db(transaction=True)
def test_no_request_fails_after_the_server_has_ended_every_connection(sign_in, staff):
    """As a restart of PostgreSQL does. Several connections lie in the pool when it happens."""
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL has a server that can end connections")
    browsers = [sign_in(staff) for _each in range(7)]
    together = threading.Barrier(len(browsers))

    def use_one() -> None:
        try:
            with transaction.atomic():  # holds its connection until all have one
                User.objects.count()
                together.wait(timeout=30)
        finally:
            connection.close()

    threads = [threading.Thread(target=use_one) for _each in browsers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    connection.close()
    assert end_all_connections() >= len(browsers)
    for browser in browsers:
        assert browser.get("/").status_code == 200
        connection.close()


def end_all_connections() -> int:
    """End every other connection to this test's own database. Returns how many there were."""
    known = connection.settings_dict
    with psycopg.connect(
        dbname=known["NAME"],
        user=known["USER"] or None,
        password=known["PASSWORD"] or None,
        host=known["HOST"] or None,
        port=known["PORT"] or None,
        autocommit=True,
    ) as other:
        ended = other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return ended.rowcount
