"""Measures whether one person's long texts slow down the sign-in page for others.

    python -m benchmarks.long_texts [--database URL] [--port 8795]

While one client asks for the sign-in page again and again, a judge run reads three answers of
60,000 line breaks, and two authors open workbenches: one with a pasted line of 100,000 figures as
the reference answer, one with the longest reference answer that the linter reads. Web server and
worker are the product's own processes.

Prints the answers of each kind and their slowest; exit status 1 if a sign-in page took a second or
more, or the run did not finish. Results go to `var/bench/long_texts-DATABASE.json`.
"""

import argparse
import http.client
import json
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from benchmarks.installation import ROOT, Installation

BREAKS, FIGURES, ANSWERS = 60_000, 100_000, 3
LIMIT = 1.0  # seconds
TIMES = 5  # that each workbench is opened
PATIENCE = 180  # seconds for the run
SIGN_IN = "sign-in page"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.long_texts")
    parser.add_argument("--database", default=None, metavar="URL")
    parser.add_argument("--port", type=int, default=8795)
    options = parser.parse_args()
    name = "postgresql" if options.database else "sqlite"
    where = ROOT / "var" / "bench"
    bench = Installation(where / "long_texts", port=options.port, database=options.database)
    bench.prepare()
    _add_answers(bench)
    work = json.loads(bench.manage("shell", "--verbosity", "0", "-c", _WORK).splitlines()[-1])
    with bench.running():
        time.sleep(3)  # let start-up settle
        times, run = _beside(bench, work)
    rows: dict[str, Any] = {
        kind: {"answers": len(taken), "slowest": round(max(taken), 3)}
        for kind, taken in times.items()
    }
    for kind, row in rows.items():
        print(f"{kind:<44} {row['answers']:>5} answers, slowest {row['slowest']:.3f} s")
    print(f"{'judge run':<44} {run}")
    (where / f"long_texts-{name}.json").write_text(json.dumps(rows | {"run": run}, indent=2))
    return int(rows[SIGN_IN]["slowest"] >= LIMIT or not run.startswith("finished"))


def _add_answers(bench: Installation) -> None:
    """Import a task with an exact answer, and answers to it from a model in a loop."""
    task = {
        "id": "loop", "domain": "finance", "language": "en", "answer_form": "exact",
        "requirements": "How many members has the committee?",
        "exact": {"answer": "12", "kind": "number"},
    }  # fmt: skip
    text = "Here it is." + "\n" * BREAKS + "Bye."
    answers = [
        {"task": "loop", "id": f"loop-{n}", "model": f"Larch {n}", "text": text}
        for n in range(ANSWERS)
    ]
    for command, rows, more in (
        ("import_tasks", [task], ["--external"]),
        ("import_responses", answers, []),
    ):
        file = bench.var / f"{command}.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        bench.manage(command, str(file), *more)


def _beside(bench: Installation, work: dict[str, Any]) -> tuple[dict[str, list[float]], str]:
    """Let everybody work at once; return the seconds of each answer, and how the run ended."""
    times: dict[str, list[float]] = {SIGN_IN: []}
    over = threading.Event()

    def sign_in() -> None:
        while not over.is_set():
            times[SIGN_IN].append(_seconds(bench.port, "/account/login/"))
            over.wait(0.02)

    def open_workbench(kind: str, path: str, session: str) -> None:
        times[kind] = [_seconds(bench.port, path, session) for _ in range(TIMES)]

    with ThreadPoolExecutor() as pool:
        asking = pool.submit(sign_in)
        authors = [pool.submit(open_workbench, *row) for row in work["pages"]]
        try:
            # In a process of its own, as the command of somebody else.
            run = bench.manage("shell", "--verbosity", "0", "-c", _RUN % PATIENCE)
            for author in authors:
                author.result()
        finally:
            over.set()
        asking.result()
    return times, run.splitlines()[-1]


def _seconds(port: int, path: str, session: str = "") -> float:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    begun = time.perf_counter()
    connection.request("GET", path, headers={"Cookie": f"sessionid={session}"} if session else {})
    reply = connection.getresponse()
    reply.read()
    if reply.status != 200:
        raise SystemExit(f"{path} answered {reply.status}")
    return time.perf_counter() - begun


_WORK = f"""
import json
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from curation.joining.domains.models import Domain
from curation.tasks.task.models import Task
from rubrics.linter.rules import COMPARED
from tests.conftest import new_person
from tests.rubrics.walk import to_refining
finance = Domain.objects.get(key="finance")
screener = new_person("screener", finance)
pages = []
for n, (kind, text) in enumerate((
    ("workbench with {FIGURES:,} figures", "0," * {FIGURES}),
    ("workbench with the longest text compared", ("0,1,22 and 4.5 mg. " * COMPARED)[:COMPARED]),
)):
    author = new_person(f"author{{n}}", finance)
    task = to_refining(author, screener, finance, lines=40, title=f"Case {{n}}")
    Task.objects.filter(pk=task.pk).update(reference_answer=text)
    session = SessionStore()
    session[SESSION_KEY] = str(author.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = author.get_session_auth_hash()
    session.create()
    pages.append((kind, f"/tasks/{{task.pk}}/rubric/", session.session_key))
print(json.dumps({{"pages": pages}}))
"""

_RUN = """
import time
from judge.runs.engine.planning.plan import plan_run
begun = time.monotonic()
run = plan_run(actor=None, method="exact", provider="offline", task_keys=["loop"])
while run.state in ("waiting", "running") and time.monotonic() - begun < %s:
    time.sleep(0.2)
    run.refresh_from_db()
judged = run.items.filter(state="judged").count()
print(f"{run.state} after {time.monotonic() - begun:.1f} s, {judged} judged")
"""

if __name__ == "__main__":
    sys.exit(main())
