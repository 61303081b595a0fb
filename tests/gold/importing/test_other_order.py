"""Two processes import the same rows in opposite orders: neither waits for the other for ever.

On PostgreSQL a row in the middle is held until both have come as far as they can, so that each
would hold what the other wants next. SQLite has one writer, and each waits for its turn.
"""

import threading

import pytest
from django.db import connection, transaction
from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.tasks.task.models import Origin, Task
from judge.asking.candidates import families
from judge.asking.candidates.models import Response
from judge.scoring.sheets.models import Sheet
from tests.gold.importing.conftest import external
from tests.processes import end, start

pytestmark = pytest.mark.django_db(transaction=True)
ROWS = 1200  # more than are stored at once, and the middle in neither file's first part
MIDDLE = ROWS // 2


def key(n):
    return f"r-{n:05}"


def task(n):
    return {"id": key(n), "domain": "puzzles", "requirements": f"Solve {n}."}


def hold_task():
    domain = Domain.objects.get(key="puzzles")
    Task.objects.create(key=key(MIDDLE), origin=Origin.EXTERNAL, domain=domain, requirements="?")


def response(n):
    return {"task": "x-1", "id": key(n), "model": "claude-x", "text": f"Answer {n}."}


def hold_response():
    Response.objects.create(
        key=key(MIDDLE), task=Task.objects.get(key="x-1"), sample=MIDDLE, text="?",
        candidate=families.candidate_named("claude-x"), source=Response.Source.IMPORTED,
    )  # fmt: skip


def score(n):
    return {"task": "x-1", "response": key(n), "rater": "them", "kind": "expert", "score": n % 5}


def hold_score():
    Sheet.objects.create(
        response=Response.objects.get(key=key(MIDDLE)), kind=Sheet.Kind.EXPERT, rater="them",
        purpose=Sheet.Purpose.IMPORTED, state=Sheet.State.SUBMITTED, score=1,
        submitted_at=timezone.now(),
    )  # fmt: skip


KINDS = {
    "tasks": (task, hold_task, ("--external",), Task),
    "responses": (response, hold_response, (), Response),
    "scores": (score, hold_score, (), Sheet),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_rows_in_opposite_orders_are_stored_once_by_two_at_once(
    write, run, tmp_path, kind
):
    make, hold, options, model = KINDS[kind]
    run("import_tasks", write(external("x-1"), name="tasks.jsonl"), "--external")
    families.candidate_named("claude-x")
    if kind == "scores":
        run("import_responses", write(*map(response, range(ROWS)), name="responses.jsonl"))
    before = model.objects.count()
    rows = [make(n) for n in range(ROWS)]
    files = [write(*rows, name="up.jsonl"), write(*reversed(rows), name="down.jsonl")]
    started = []
    try:
        if connection.vendor == "postgresql":
            with transaction.atomic():
                hold()
                started += [start(tmp_path, f"import_{kind}", path, *options) for path in files]
                until_they_wait(started)
                transaction.set_rollback(True)
        else:
            started += [start(tmp_path, f"import_{kind}", path, *options) for path in files]
        said = [process.communicate(timeout=100) for process in started]
    finally:
        for process in started:
            end(process)
    assert [process.returncode for process in started] == [0, 0], said
    words = sorted(out.strip() for out, _err in said)
    name = "sheets" if kind == "scores" else kind
    assert words == [f"1,200 {name} added.", f"1,200 {name} already there, unchanged."]
    assert model.objects.count() == before + ROWS


def until_they_wait(processes):
    """Until each of the processes has come to a row or a lock that another one holds."""
    pause = threading.Event()
    with connection.cursor() as cursor:
        while all(process.poll() is None for process in processes):
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity "
                "WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone()[0] == len(processes):
                return
            pause.wait(0.02)
