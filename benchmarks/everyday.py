"""An hour of ordinary use: `make run`, and a script that works in it as all roles.

Several lanes work in parallel over HTTP, as browsers without scripts do: an author writes prompts
that a panel keeps and a reviewer approves; another author writes and rewrites a draft; a scorer
fills in sheets; staff start judge runs and read reports; everybody reads the pages that their Home
links to. With `--kill-every` the worker is killed again and again.

Everything the server acknowledges is written to a journal. At the end every process must be alive,
nothing may wait for the machine, and the database must hold what the journal has. No response may
be a server error.

    python -m benchmarks.everyday [--minutes 60] [--kill-every SECONDS] [--port 8790]

Prints one line of JSON; exit status 1 if anything was lost, failed or dead.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2

from benchmarks.everyday_client import Journal, Person
from benchmarks.everyday_work import COLLEAGUES, ROLES, WAIT, Work
from tests.processes import children_of

ROOT = Path(__file__).resolve().parent.parent


class Day:
    """A running product and everybody at work in it."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.var = ROOT / "var" / "bench" / "everyday"
        shutil.rmtree(self.var, ignore_errors=True)
        self.var.mkdir(parents=True)
        self.base = f"http://127.0.0.1:{options.port}"
        self.log = (self.var / "run.log").open("w+")
        unset = ("DATABASE_URL", "CELERY_BROKER_URL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")
        self.env = {name: value for name, value in os.environ.items() if name not in unset}
        self.env |= {"VAR_DIR": str(self.var), "PORT": str(options.port)}
        self.product = subprocess.Popen(
            [sys.executable, "-m", "config.dev_server"],
            cwd=ROOT, env=self.env, stdout=self.log, stderr=self.log,
        )  # fmt: skip
        self.journal = Journal()
        self.over = threading.Event()
        self.kills = 0

    # --- the product -------------------------------------------------------------------------
    def begin(self) -> None:
        """Wait until the product answers, and sign everybody in with the password it prints."""
        for _ in range(WAIT * 5):
            if self.product.poll() is not None:
                raise SystemExit(f"make run ended:\n{self.output()}")
            if "Assay is at" in self.output():
                break
            time.sleep(0.2)
        found = re.search(r"Sign in with the password\s+(\S+)", self.output())
        if found is None:
            raise SystemExit(f"make run printed no password:\n{self.output()}")
        self.cookies = {}
        for name in {*ROLES, *COLLEAGUES}:
            person = Person(name, self.base, self.journal)
            person.sign_in(found.group(1))
            self.cookies[name] = person.http.cookies

    def output(self) -> str:
        return Path(self.log.name).read_text()

    def processes(self) -> dict[str, int]:
        """Return the process ids of web server and worker, as far as they are alive."""
        found = {}
        for pid, line in children_of(self.product.pid):
            if "gunicorn" in line:
                found["web"] = pid
            elif "work --loop" in line:
                found["worker"] = pid
        return found

    def person(self, name: str) -> Person:
        """Return a new tab of somebody who is signed in."""
        return Person(name, self.base, self.journal, self.cookies[name])

    # --- the hour ----------------------------------------------------------------------------
    def work(self) -> None:
        """Run all lanes until the time is up, and let each finish its current pass."""
        lanes = Work(self.person, self.journal, self.over).lanes()
        threads = [threading.Thread(target=self.repeat, args=(lane,)) for lane in lanes]
        if self.options.kill_every:
            threads.append(threading.Thread(target=self.kill_the_worker))
        for thread in threads:
            thread.start()
        self.over.wait(self.options.minutes * 60)
        self.over.set()
        for thread in threads:
            thread.join()

    def repeat(self, lane: Callable[[], None]) -> None:
        """Run one lane again and again; a failed pass is noted and the next one begins."""
        while not self.over.is_set():
            try:
                lane()
                self.journal.done[lane.__name__] += 1
            except Exception as problem:
                self.journal.add_error(lane.__name__, problem)
                self.over.wait(5)

    def kill_the_worker(self) -> None:
        while not self.over.wait(self.options.kill_every):
            worker = self.processes().get("worker")
            if worker is not None:
                os.kill(worker, signal.SIGKILL)
                self.kills += 1

    # --- the end -----------------------------------------------------------------------------
    def close(self) -> dict[str, Any]:
        """Wait for both processes, stop the product, and compare the database with the journal."""
        last = time.monotonic() + WAIT
        while len(self.processes()) < 2 and time.monotonic() < last:
            time.sleep(1)
        ready = httpx2.get(f"{self.base}/readyz", timeout=30).status_code
        alive = sorted(self.processes()) if self.product.poll() is None else []
        self.product.send_signal(signal.SIGINT)
        ended = self.product.wait(timeout=60)
        lost = self.compare()
        return {
            "minutes": self.options.minutes, "kills": self.kills, "alive": alive, "ready": ready,
            "ended": ended, "done": dict(self.journal.done),
            "answers": dict(self.journal.answers), "lost": lost, "errors": self.journal.errors,
        }  # fmt: skip

    def compare(self) -> list[str]:
        """Return what the journal has and the database has not, in sentences."""
        journal = self.var / "journal.json"
        journal.write_text(json.dumps(self.journal.acknowledged))
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.everyday_compare", str(journal)],
            cwd=ROOT, env=self.env | {"DEBUG": "1"}, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            return [done.stderr[-2000:]]
        lost: list[str] = json.loads(done.stdout.splitlines()[-1])
        return lost


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.everyday")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--kill-every", type=float, default=0, help="seconds; 0: never")
    parser.add_argument("--port", type=int, default=8790)
    day = Day(parser.parse_args())
    try:
        day.begin()
        day.work()
        found = day.close()
    finally:
        if day.product.poll() is None:
            day.product.kill()
    print(json.dumps(found))
    fine = found["alive"] == ["web", "worker"] and found["ready"] == 200
    return 0 if fine and not found["lost"] and not found["errors"] else 1


if __name__ == "__main__":
    sys.exit(main())
