"""A throw-away installation to measure, with its data and processes."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DOMAINS = ["finance", "law", "education", "engineering", "humanities", "healthcare"]
DIMENSIONS = ["accuracy", "completeness", "depth", "structure", "compliance", "safety"]


class Installation:
    """A database, a web server and a worker."""

    def __init__(
        self, var: Path, *, port: int, database: str | None, application: str = "config.wsgi"
    ) -> None:
        self.var, self.port, self.application = var, port, application
        shutil.rmtree(var, ignore_errors=True)
        var.mkdir(parents=True)
        self.env = os.environ | {
            "VAR_DIR": str(var),
            "DEBUG": "0",
            "HTTPS": "0",
            "ALLOWED_HOSTS": "127.0.0.1",
            "PUBLIC_URL": f"http://127.0.0.1:{port}",
            "REQUIRE_SECOND_FACTOR": "0",  # the staff account of the benchmark has none
            "SECRET_KEY": "benchmark-" + "x" * 40,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        if database:
            self.env["DATABASE_URL"] = database
        self.processes: list[subprocess.Popen[bytes]] = []

    def manage(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            env=self.env, cwd=ROOT, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"{arguments[0]} failed:\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def prepare(self) -> None:
        """Prepare an empty database and the static files."""
        self.manage("migrate", "--verbosity", "0")
        if "DATABASE_URL" in self.env:
            self.manage("flush", "--noinput", "--verbosity", "0")
        self.manage("collectstatic", "--noinput", "--verbosity", "0")

    def fill(self, size: int) -> float:
        """Import `size` external tasks with 17 lines each; return the seconds it took."""
        tasks, responses = self.var / "tasks.jsonl", self.var / "responses.jsonl"
        body = "A paragraph of the kind people write, with figures such as 12.5 % and dates. " * 12
        with tasks.open("w") as file:
            for n in range(size):
                file.write(json.dumps(_task(n, body)) + "\n")
        with responses.open("w") as file:
            for n in range(min(size, 200)):
                row = {"task": f"bench-{n}", "id": f"r-{n}", "model": "Larch 1", "text": body}
                file.write(json.dumps(row) + "\n")
        started = time.perf_counter()
        self.manage("import_tasks", str(tasks), "--external")
        taken = time.perf_counter() - started
        self.manage("import_responses", str(responses))
        return round(taken, 2)

    def benchmark_work(self) -> tuple[str, list[Any], list[int], str]:
        """Create a staff account with open sheets to score.

        Returns:
            an API token, [id of the sheet, ids of its lines] of each sheet, ids of tasks, and the
            key of a session.
        """
        out = self.manage("shell", "--verbosity", "0", "-c", _WORK)
        answer = json.loads(out.strip().splitlines()[-1])
        return answer["token"], answer["sheets"], answer["tasks"], answer["session"]

    @staticmethod
    def cell(cell: tuple[int, int]) -> str:
        """Return the API path of a line of a sheet, given their ids."""
        return f"/api/v1/sheets/{cell[0]}/lines/{cell[1]}/"

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run web server and worker, as `make run` starts them."""
        web = [
            sys.executable, "-m", "gunicorn", self.application, "--bind", f"127.0.0.1:{self.port}",
            "--workers", "1", "--threads", "8", "--no-control-socket", "--log-level", "error",
        ]  # fmt: skip
        worker = [sys.executable, str(ROOT / "manage.py"), "work", "--loop"]
        self.processes = [
            subprocess.Popen(
                c,
                env=self.env,
                cwd=ROOT,
                start_new_session=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for c in (web, worker)
        ]
        try:
            self._wait()
            yield
        finally:
            for process in self.processes:
                os.killpg(process.pid, signal.SIGTERM)
            for process in self.processes:
                process.wait(timeout=20)

    def _wait(self) -> None:
        import http.client

        for _ in range(200):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
                connection.request("GET", "/healthz")
                if connection.getresponse().status == 200:
                    return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("The web server did not start.")

    def memory_mb(self) -> float | None:
        """Return the PSS of web server and worker with their children; None without /proc."""
        total = 0
        groups = {process.pid for process in self.processes}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if os.getpgid(int(folder.name)) not in groups:
                    continue
                for line in (folder / "smaps_rollup").read_text().splitlines():
                    if line.startswith("Pss:"):
                        total += int(line.split()[1])
            except (OSError, ProcessLookupError):
                continue
        return round(total / 1024, 1) or None

    def export(self) -> dict[str, float]:
        """Return the seconds of exporting all tasks: the work alone, and the whole process."""
        target = self.var / "export.jsonl"
        started = time.perf_counter()
        self.manage("export_tasks", str(target))
        whole = time.perf_counter() - started
        out = self.manage("shell", "--verbosity", "0", "-c", _EXPORT)
        return {"work": round(float(out.strip().splitlines()[-1]), 2), "process": round(whole, 2)}


def _task(n: int, body: str) -> dict[str, Any]:
    return {
        "id": f"bench-{n}",
        "domain": DOMAINS[n % len(DOMAINS)],
        "language": "en",
        "scenario": body,
        "materials": body * 2,
        "requirements": body,
        "reference_answer": body * 3,
        "rubric": [
            {
                "id": f"c{line}",
                "text": f"States figure {line} of case {n} with its source and its unit.",
                "importance": ["essential", "important", "optional"][line % 3],
                "weight": line % 10 + 1,
                "dimension": DIMENSIONS[line % len(DIMENSIONS)],
            }
            for line in range(17)
        ],
    }


_WORK = """
import json
from curation.joining.accounts.api_tokens import make_token
from curation.joining.accounts import terms
from curation.joining.accounts.models import TermsConsent
from curation.joining.people import Qualification, User
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.scoring.sheets.models import Sheet, SheetLine
person = User.objects.create_user("bench@example.test", None, is_staff=True)
Qualification.objects.create(user=person, domain=Task.objects.first().domain)
TermsConsent.objects.create(user=person, version=terms.current_version())
_token, key = make_token(actor=person, name="benchmarks")
sheets = []
for response in Response.objects.select_related("task").order_by("pk")[:200]:
    version = response.task.rubric_versions.get()
    sheet = Sheet.objects.create(response=response, version=version, kind="expert",
        purpose="alignment", rater="bench", user=person)
    lines = list(version.criteria.values_list("pk", flat=True))
    sheets.append([sheet.pk, lines])
tasks = list(Task.objects.order_by("pk").values_list("pk", flat=True)[:5000])
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
session = SessionStore()
session[SESSION_KEY] = str(person.pk)
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = person.get_session_auth_hash()
session.create()
print(json.dumps({"token": key, "sheets": sheets, "tasks": tasks,
    "session": session.session_key}))
"""

_EXPORT = """
import time
from curation.tasks.task.models import Task
from judge.gold.transfer.exporting import task_lines
started = time.perf_counter()
count = sum(1 for _line in task_lines(Task.objects.filter(stage="approved")))
print(time.perf_counter() - started)
"""
