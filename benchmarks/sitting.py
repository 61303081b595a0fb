"""Times every key press of a day on a rubric, as a person at the keyboard experiences it.

Runs the walk of `tests/browser/rubric_day.py` against a server as `make run` starts it, with a
database of its own under `var/bench/`: an author refines a draft of 17 lines, a reviewer asks for
five changes, the author answers, a second round, a spot check. The walk is repeated in the same
browser with other people; the first one fills the browser's cache and is not counted.

Prints for each kind of step: how often it was taken; the median and the slowest in milliseconds
from the key press until the page shows that it is done; and the medians of the server's time, of
its processor time, and of the rest (browser, network, wait for the next frame). Times are measured
in the page; a step that opens a page ends when that page is loaded. The first line says how busy
the machine was with other work: if idle (under 10 % of its processors) milliseconds can be
compared, otherwise only processor time.

    python -m benchmarks.sitting [--walks 4] [--database URL]
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.installation import Installation

ROOT = Path(__file__).resolve().parent.parent
LIMIT_MS = 200
IDLE = 0.1  # share of the processors that other work may use on a machine that counts as idle
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass
class StepTime:
    """The milliseconds of a step: in all, of the server, and of its processor."""

    ms: float
    server: float
    cpu: float


@dataclass
class Timer:
    """Records the time of each step and, from `Server-Timing`, the server's part of it.

    Attributes:
        recording: false during the first walk, which warms up.
        answers: (start in seconds since 1970, wall ms, CPU ms) of responses since the last step.
    """

    recording: bool = False
    took: dict[str, list[StepTime]] = field(default_factory=dict)
    answers: list[tuple[float, float, float]] = field(default_factory=list)

    def add_response(self, response: Any) -> None:
        """Note when a response was requested and what it cost the server."""
        said = dict(re.findall(r"(\w+);dur=([\d.]+)", response.headers.get("server-timing", "")))
        if said:
            asked = response.request.timing["startTime"] / 1000
            self.answers.append((asked, float(said["wall"]), float(said["cpu"])))

    def add_step(self, step: str, ms: float) -> None:
        """Record a step that ends now."""
        begun = time.time() - ms / 1000 - 0.15  # the callback comes a little late
        within = [answer for answer in self.answers if answer[0] >= begun]
        self.answers.clear()
        if self.recording:
            took = StepTime(ms, sum(a[1] for a in within), sum(a[2] for a in within))
            self.took.setdefault(step, []).append(took)


def other_load() -> float | None:
    """Return the share of the processors that other work uses, measured for an idle second.

    None without /proc. It cannot be measured during the walk, because the browser's processes are
    soon detached from ours and cannot be told apart.
    """

    def working() -> int:
        ticks = [int(n) for n in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
        return (
            ticks[0] + ticks[1] + ticks[2] + sum(ticks[5:8])
        )  # without idle time and waiting for disks

    try:
        before = working()
        time.sleep(1)
        used = working() - before
    except OSError:
        return None
    return used / os.sysconf("SC_CLK_TCK") / (os.cpu_count() or 1)


def prepare(walks: int) -> list[dict[str, Any]]:
    """Create a task per walk and sessions of its people, inside the installation."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from curation.joining.domains.models import Domain
    from curation.joining.people import Qualification, User
    from curation.qualifying.training import units as training
    from curation.qualifying.training.models import TrainingUnitPass
    from tests.browser.rubric_day import DRAFT
    from tests.rubrics.walk import to_refining

    edition = training.current_edition()

    def person(name: str, domain: Domain, **fields: Any) -> User:
        user = User.objects.create_user(f"{name}@example.test", None, display_name=name)
        Qualification.objects.create(user=user, domain=domain, **fields)
        TrainingUnitPass.objects.bulk_create(
            TrainingUnitPass(user=user, edition=edition, unit=unit) for unit in training.unit_keys()
        )
        return user

    def session(user: User) -> str:
        store = SessionStore()
        store[SESSION_KEY] = str(user.pk)
        store[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        store[HASH_SESSION_KEY] = user.get_session_auth_hash()
        store.create()
        return str(store.session_key)

    found = []
    for n in range(walks):  # a domain per walk, so that its people meet its task only
        domain = Domain.objects.create(key=f"walk-{n}", name=f"Walk {n}", position=100 + n)
        people = {name: person(f"{name}-{n}", domain) for name in ("author", "reviewer")}
        people["senior"] = person(f"senior-{n}", domain, senior=True)
        screener = person(f"screener-{n}", domain)
        task = to_refining(people["author"], screener, domain, lines=DRAFT)
        Qualification.objects.filter(user=screener).update(active=False)
        found.append({"task": task.pk, **{name: session(u) for name, u in people.items()}})
    return found


def walk(browser: Any, url: str, row: dict[str, Any], timer: Timer) -> None:
    """Do one walk, with a page for each person."""
    from tests.browser import rubric_day as day
    from tests.browser.hands import Hands

    def sign_in(name: str) -> Hands:
        """Sign somebody in on a new page of the same browser."""
        browser.clear_cookies()
        browser.add_cookies([{"name": "sessionid", "value": row[name], "url": url}])
        page = browser.new_page()
        page.on("response", timer.add_response)
        pages.append(page)
        return Hands(page, url, timer.add_step)

    pages: list[Any] = []
    rubric = f"/tasks/{row['task']}/rubric/"
    author = sign_in("author")
    author.open(rubric)
    day.refine(author)
    reviewer = sign_in("reviewer")
    reviewer.open("/")
    day.open_review(reviewer)
    day.decide(reviewer)
    author = sign_in("author")
    author.open(rubric)
    day.answer(author)
    reviewer = sign_in("reviewer")
    reviewer.open("/")
    day.open_review(reviewer)
    day.approve_the_rest(reviewer)
    senior = sign_in("senior")
    senior.open("/")
    day.take_spot_check(senior)
    day.accept(senior)
    for page in pages:
        page.close()


def measure(installation: Installation, rows: list[dict[str, Any]], url: str) -> Timer:
    """Do all walks, one after the other."""
    from playwright.sync_api import sync_playwright

    timer = Timer()
    with installation.running(), sync_playwright() as playwright:
        # A profile on disk, so that the browser keeps its cache between walks.
        browser = playwright.chromium.launch_persistent_context(
            str(installation.var / "profile"),
            executable_path=next(filter(None, map(shutil.which, BROWSERS))),
            args=["--headless", "--no-sandbox", "--disable-gpu"],
            viewport={"width": 1440, "height": 900},
        )
        for n, row in enumerate(rows):
            timer.recording = n > 0 or len(rows) == 1
            walk(browser, url, row, timer)
        browser.close()
    return timer


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sitting")
    parser.add_argument("--walks", type=int, default=4, help="the first one is not counted")
    parser.add_argument("--database", help="a PostgreSQL URL; without it SQLite")
    parser.add_argument("--port", type=int, default=8766)
    parser.add_argument("--inside", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        import django

        django.setup()
        print(json.dumps(prepare(arguments.inside)))
        return 0
    os.chdir(ROOT)
    installation = Installation(
        ROOT / "var" / "bench" / "sitting",
        port=arguments.port,
        database=arguments.database,
        application="benchmarks.timed",
    )
    installation.env["SPOT_CHECK_RATE"] = "1.0"
    installation.prepare()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.sitting", "--inside", str(arguments.walks)],
        env=installation.env, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(done.stderr)
    rows = json.loads(done.stdout.splitlines()[-1])
    load, before = os.getloadavg()[0], other_load()
    timer = measure(installation, rows, f"http://127.0.0.1:{arguments.port}")
    after = other_load()
    rest = None if before is None or after is None else max(before, after)
    print(machine(load, rest))
    print(table(timer.took))
    report = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "load": round(load, 1),
        "others": rest and round(rest, 3),
        "steps": {step: [vars(took) for took in all_] for step, all_ in timer.took.items()},
    }
    out = ROOT / "var" / "bench" / "sitting.json"
    out.write_text(json.dumps(report, indent=2) + "\n")
    return 0


def machine(load: float, rest: float | None) -> str:
    """Describe the machine: cores, load at the start, other work before and after."""
    said = f"{os.cpu_count()} cores, load {load:.1f} at the start"
    if rest is None:
        return said + "; what others used is not known here"
    worth = "idle" if rest <= IDLE else "BUSY: compare the processor time alone"
    return f"{said}; others used {rest:.0%} of the cores before or after ({worth})"


def table(took: dict[str, list[StepTime]]) -> str:
    """Return the steps as a table, the slowest median first."""
    lines = [
        "",
        f"{'':22}{'':>6}{'from key to sign, ms':>22}{'of the median step, ms':>33}",
        f"{'step':22}{'times':>6}{'median':>11}{'slowest':>11}"
        f"{'server':>11}{'its cpu':>11}{'browser':>11}",
    ]
    rows = sorted(took.items(), key=lambda row: -statistics.median(t.ms for t in row[1]))
    for step, steps in rows:
        ms = statistics.median(t.ms for t in steps)
        server = statistics.median(t.server for t in steps)
        cpu = statistics.median(t.cpu for t in steps)
        rest = statistics.median(max(0.0, t.ms - t.server) for t in steps)
        most = max(t.ms for t in steps)
        over = f"  over {LIMIT_MS}" if most > LIMIT_MS else ""
        lines.append(
            f"{step:22}{len(steps):6}{ms:11.0f}{most:11.0f}{server:11.0f}{cpu:11.0f}{rest:11.0f}{over}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
