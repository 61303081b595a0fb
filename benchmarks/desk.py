"""Times staff's desk on a whole programme: every list, search, Home, leaderboard, verdicts, files.

    python -m benchmarks.desk [--tasks 1346 --people 1000 --candidates 20] [--database URL]

Fills a throw-away database at a tenth of the size and at the full size: 1,346 tasks with rubrics of
15 to 19 lines, 1,000 people, 20 candidates, 26,920 judged responses. Each page is requested through
Django's test client: median of 15 requests in processor and wall time, and the number of queries.
The requests are made in three rounds over all pages, because the speed of a machine changes by the
minute: a plain loop before each round says how fast it was. Each list is also asked in each of its
orders, of which the slowest is shown. A page above 100 ms of processor time, or with more queries
at the full size, is marked, and the exit status is then 1. The files are streamed and thrown away:
rows, seconds, and by how much the process grew.
Results go to `var/bench/desk.json`.
"""

import argparse
import importlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 3  # over all pages
TIMES = 5  # requests of each page in a round
TIMES_OF_AN_ORDER = 3  # requests of each further order of a list
ADDITIONS = 5_000_000  # of the plain loop
MOST_MS = 100  # processor time that a page may take
FILES = {
    "calls": "/staff/calls/?format=csv",
    "audit": "/staff/audit/?format=csv",
    "tasks": "/staff/tasks/?format=csv",
    "verdicts": "/staff/verdicts.csv?judge={run}",
}


def pages(run: int) -> dict[str, tuple[str, str]]:
    """Return name -> (who asks, address)."""
    staff = {
        "terms, for comparison": "/terms/",
        "home of staff": "/",
        "tasks": "/staff/tasks/",
        "tasks, by words": "/staff/tasks/?q=case+12",
        "tasks, last page": "/staff/tasks/?page=999",
        "people": "/staff/people/",
        "people, by words": "/staff/people/?q=person+9",
        "applications": "/staff/applications/",
        "runs": "/staff/runs/",
        "candidates": "/staff/candidates/",
        "calls": "/staff/calls/",
        "calls, failed": "/staff/calls/?outcome=failed",
        "calls, last page": "/staff/calls/?page=9999",
        "sheets": "/staff/sheets/",
        "sheets, late": "/staff/sheets/?state=late",
        "graded sheets": "/staff/graded-sheets/",
        "assign sheets": "/staff/alignment/sheets/",
        "gold and releases": "/staff/gold/",
        "responses": "/staff/responses/",
        "audit": "/staff/audit/",
        "audit, last page": "/staff/audit/?page=9999",
        "audit, sign-ins": "/staff/audit/?kind=sign-in",
        "audit, of a person": "/staff/audit/?person=20",
        "pipeline": "/staff/pipeline/",
        "reviews": "/staff/reviews/",
        "invitations": "/staff/invitations/",
        "jobs": "/staff/jobs/",
        "search": "/search/?q=case",
        "search, a number": "/search/?q=77",
        "leaderboard": f"/leaderboard/?run={run}",
        "verdicts": f"/staff/verdicts/?judge={run}",
        "verdicts, by score": f"/staff/verdicts/?judge={run}&order=lowest",
    }
    expert = {"home of an expert": "/", "tasks of an expert": "/tasks/", "scoring": "/scoring/"}
    return {name: ("staff", at) for name, at in staff.items()} | {
        name: ("expert", at) for name, at in expert.items()
    }


def measure(sizes: tuple[int, int, int]) -> dict[str, Any]:
    """Fill the database and time everything."""
    from django.test import Client

    started = time.perf_counter()
    made = filled(sizes)
    answer: dict[str, Any] = {"filled_in_s": round(time.perf_counter() - started, 1)}
    clients = {}
    for who in ("staff", "expert"):
        clients[who] = Client(headers={"host": "127.0.0.1"})
        clients[who].force_login(made[who], backend="django.contrib.auth.backends.ModelBackend")
    asked = pages(made["run"]) | slowest_orders(clients["staff"])
    answer["pages"], answer["loop_s"] = in_rounds(
        {n: (clients[who], at) for n, (who, at) in asked.items()}
    )
    answer["files"] = {
        name: streamed(clients["staff"], address.format(run=made["run"]))
        for name, address in FILES.items()
    }
    return answer


def filled(sizes: tuple[int, int, int]) -> dict[str, Any]:
    """Make the tables, fill them, and start as the web server does; return what `Filler` made."""
    from django.apps import apps
    from django.core.management import call_command
    from django.db import connection
    from django.test import override_settings

    from benchmarks.desk_data import Filler

    # The tables are made straight from the models, which takes seconds instead of minutes.
    every_app = (app.label for app in apps.get_app_configs())
    with override_settings(MIGRATION_MODULES=dict.fromkeys(every_app)):
        call_command("migrate", verbosity=0, run_syncdb=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    made = Filler(*sizes).fill()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    importlib.import_module("config.wsgi")  # starts as the web server: templates loaded, frozen
    return made


def in_rounds(asked: dict[str, tuple[Any, str]]) -> tuple[dict[str, Any], list[float]]:
    """Ask for all pages in each round.

    Args:
        asked: name -> (client, address).

    Returns:
        The figures of each page, medians in milliseconds and the number of queries; and the seconds
        of the plain loop before each round.
    """
    found = {name: queries(client, address) for name, (client, address) in asked.items()}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in asked}
    loops = []
    for _round in range(ROUNDS):
        loops.append(plain_loop())
        for name, (client, address) in asked.items():
            times[name] += timed(client, address, TIMES)
    for name, taken in times.items():
        found[name] |= {
            "cpu_ms": round(statistics.median(cpu for cpu, _wall in taken), 1),
            "wall_ms": round(statistics.median(wall for _cpu, wall in taken), 1),
        }
    return found, loops


def queries(client: Any, address: str) -> dict[str, Any]:
    """Return the number of queries of a page and their time in milliseconds."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    reply = client.get(address, follow=True)  # also fills the caches
    assert reply.status_code == 200, (address, reply.status_code)
    with CaptureQueriesContext(connection) as seen:
        client.get(address)
        asked = list(seen.captured_queries)
    found: dict[str, Any] = {
        "queries": len(asked),
        "sql_ms": round(sum(float(one["time"]) for one in asked) * 1000, 1),
    }
    if os.environ.get("SLOWEST") and asked:
        slowest = max(asked, key=lambda one: float(one["time"]))
        found["slowest"] = f"{slowest['time']} {slowest['sql'][:600]}"
    return found


def timed(client: Any, address: str, times: int) -> list[tuple[float, float]]:
    """Request a page several times.

    Returns: processor time, which hardly depends on other load, and wall time, in milliseconds.
    """
    found = []
    for _n in range(times):
        at, cpu = time.perf_counter(), time.process_time()
        client.get(address)
        found.append(
            ((time.process_time() - cpu) * 1000, (time.perf_counter() - at) * 1000),
        )
    return found


def plain_loop() -> float:
    """Return the seconds of processor time that a plain loop takes."""
    at, total = time.process_time(), 0
    for number in range(ADDITIONS):
        total += number
    return round(time.process_time() - at, 2)


def slowest_orders(client: Any) -> dict[str, tuple[str, str]]:
    """Return the slowest order of each list: name -> ("staff", address)."""
    from django.urls import reverse

    from curation.base.lists.declared import all_lists

    found = {}
    for spec in all_lists():
        took = {}
        for column in spec.columns:
            for key in (column.key, f"-{column.key}") if column.sort else ():
                busy = timed(client, f"{reverse(spec.route)}?sort={key}", TIMES_OF_AN_ORDER)
                took[key] = statistics.median(cpu for cpu, _wall in busy)
        key = max(took, key=lambda key: took[key])
        found[f"{spec.name}, sort={key}"] = ("staff", f"{reverse(spec.route)}?sort={key}")
    return found


def streamed(client: Any, address: str) -> dict[str, Any]:
    """Stream a file and throw it away; return rows, seconds, bytes and the growth of memory."""
    before = memory("VmRSS")
    reset_peak()
    at, cpu = time.perf_counter(), time.process_time()
    reply = client.get(address)
    assert reply.status_code == 200, (address, reply.status_code)
    rows = size = 0
    for part in reply.streaming_content if reply.streaming else (reply.content,):
        rows += part.count(b"\n")
        size += len(part)
    peak = memory("VmHWM")
    return {
        "rows": rows,
        "megabytes": round(size / 1e6, 1),
        "cpu_s": round(time.process_time() - cpu, 2),
        "wall_s": round(time.perf_counter() - at, 2),
        "grew_mb": None if peak is None or before is None else round(peak - before, 1),
    }


def memory(name: str) -> float | None:
    """Return a figure of this process's memory in MB; None where the system does not tell."""
    status = Path("/proc/self/status")
    found = re.search(rf"{name}:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else None


def reset_peak() -> None:
    """Let the peak of memory begin again, where the system can."""
    switch = Path("/proc/self/clear_refs")
    if switch.exists():
        switch.write_text("5")


def in_new_database(module: str, arguments: Sequence[int], database: str | None) -> dict[str, Any]:
    """Run `python -m module --inside arguments` with a new database, and return what it printed."""
    scratch = ROOT / "var" / "bench" / module
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    environment = os.environ | {
        "VAR_DIR": str(scratch),
        "DEBUG": "0",
        "HTTPS": "0",
        "REQUIRE_SECOND_FACTOR": "0",  # the staff account of the benchmark has none
        "ALLOWED_HOSTS": "127.0.0.1",
        "PUBLIC_URL": "http://127.0.0.1",
        "SECRET_KEY": "benchmark-" + "x" * 40,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    environment.pop("DATABASE_URL", None)
    if database:
        environment["DATABASE_URL"] = database
        empty(database)
    done = subprocess.run(
        [sys.executable, "-m", module, "--inside", *map(str, arguments)],
        cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    shutil.rmtree(scratch)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def empty(database: str) -> None:
    """Empty a PostgreSQL database."""
    import psycopg

    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.desk")
    parser.add_argument("--tasks", type=int, default=1346)
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--candidates", type=int, default=20)
    parser.add_argument("--database", help="a PostgreSQL URL, which is emptied; without it SQLite")
    parser.add_argument("--inside", type=int, nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        import django

        django.setup()
        print(json.dumps(measure(tuple(arguments.inside))))
        return 0
    full = (arguments.tasks, arguments.people, arguments.candidates)
    tenth = (max(60, full[0] // 10), max(60, full[1] // 10), full[2])
    small, large = (
        in_new_database("benchmarks.desk", sizes, arguments.database) for sizes in (tenth, full)
    )
    marked = 0
    print(f"{'':34} queries, tenth / full   processor ms   wall ms")
    for name, row in large["pages"].items():
        few = small["pages"].get(name, {}).get("queries")
        grew = few is not None and row["queries"] > few
        slow = row["cpu_ms"] > MOST_MS
        marked += grew or slow
        mark = ("  GREW" if grew else "") + ("  SLOW" if slow else "")
        print(
            f"{name:34} {few!s:>13} / {row['queries']:<7} {row['cpu_ms']:>12}"
            f" {row['wall_ms']:>9}{mark}"
        )
        if "slowest" in row and slow:
            print(f"    {row['slowest']}")
    loops = ", ".join(f"{seconds:.2f}" for seconds in large["loop_s"])
    print(f"\n{ADDITIONS:,} additions took {loops} s before the rounds.")
    print(f"\n{'file':12} {'rows':>9} {'MB':>7} {'processor s':>12} {'wall s':>8} {'grew MB':>8}")
    for name, row in large["files"].items():
        print(
            f"{name:12} {row['rows']:>9,} {row['megabytes']:>7} {row['cpu_s']:>12}"
            f" {row['wall_s']:>8} {row['grew_mb']!s:>8}"
        )
    out = ROOT / "var" / "bench" / "desk.json"
    database = "postgresql" if arguments.database else "sqlite"
    kept = {"database": database, "sizes": full, "tenth": small, "full": large}
    out.write_text(json.dumps(kept, indent=2) + "\n")
    print(f"\nWritten to {out.relative_to(ROOT)}; {marked} pages to look at.")
    return 1 if marked else 0


if __name__ == "__main__":
    sys.exit(main())
