"""A day with a rubric, timed key by key: what a person at the keyboard waits for.

The walk of `tests/browser/rubric_day.py` against a server as `make run` starts it, with a
database of its own under `var/bench/`: an author refines a draft of 17 lines, a reviewer asks for
five changes, the author answers, a second round, a spot check. The walk is taken several times by
the same browser, with other people each time; the first fills its cache and counts not.

Printed for each kind of step: how often it was taken; the median and the slowest in milliseconds
from the key to the page saying that it is done, saved or gone on; and of the median step what the
server took, what processor time it needed for that, and what is left: the browser, the wire and
the wait for the next frame. All by the page's own clock; a step that opens a page ends when that
page is loaded. Above stands what the rest of the machine did just before and after: on an idle one
(under 10 % of its processors) the milliseconds can be compared, elsewhere only the processor time.

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
IDLE = 0.1  # share of the processors that others may use before milliseconds mean nothing
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass
class Took:
    """One step: milliseconds in all, of the server, and of its processor."""

    ms: float
    server: float
    cpu: float


@dataclass
class Watch:
    """Holds what each step took, and what the server says of the answers it sent meanwhile.

    Attributes:
        counts: whether what is seen now is kept: the first walk warms up.
    """

    counts: bool = False
    took: dict[str, list[Took]] = field(default_factory=dict)
    answers: list[tuple[float, float, float]] = field(default_factory=list)

    def answered(self, response: Any) -> None:
        """A page or a part of one came: when it was asked for, and what it cost."""
        said = dict(re.findall(r"(\w+);dur=([\d.]+)", response.headers.get("server-timing", "")))
        if said:
            asked = response.request.timing["startTime"] / 1000
            self.answers.append((asked, float(said["wall"]), float(said["cpu"])))

    def clock(self, step: str, ms: float) -> None:
        """Keep a step that ends now."""
        begun = time.time() - ms / 1000 - 0.15  # we hear of the end a little after the page
        within = [answer for answer in self.answers if answer[0] >= begun]
        self.answers.clear()
        if self.counts:
            took = Took(ms, sum(a[1] for a in within), sum(a[2] for a in within))
            self.took.setdefault(step, []).append(took)


def others() -> float | None:
    """The share of the processors that others use, looked at for a second while we do nothing.

    None where /proc does not tell. During the walk it cannot be told: the browser's own processes
    are nobody's children for long.
    """

    def working() -> int:
        ticks = [int(n) for n in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
        return (
            ticks[0] + ticks[1] + ticks[2] + sum(ticks[5:8])
        )  # neither idle nor waiting for disks

    try:
        before = working()
        time.sleep(1)
        used = working() - before
    except OSError:
        return None
    return used / os.sysconf("SC_CLK_TCK") / (os.cpu_count() or 1)


def prepare(walks: int) -> list[dict[str, Any]]:
    """Inside the installation: a task for each walk, and sessions of its three people."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from curation.domains.models import Domain
    from curation.people.models import Qualification, User
    from curation.training import units as training
    from curation.training.models import TrainingUnitPass
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
    for n in range(walks):  # a domain for each, so that the same people meet the same task
        domain = Domain.objects.create(key=f"walk-{n}", name=f"Walk {n}", position=100 + n)
        people = {name: person(f"{name}-{n}", domain) for name in ("author", "reviewer")}
        people["senior"] = person(f"senior-{n}", domain, senior=True)
        screener = person(f"screener-{n}", domain)
        task = to_refining(people["author"], screener, domain, lines=DRAFT)
        Qualification.objects.filter(user=screener).update(active=False)
        found.append({"task": task.pk, **{name: session(u) for name, u in people.items()}})
    return found


def walk(browser: Any, url: str, row: dict[str, Any], watch: Watch) -> None:
    """One day, with a window for each person."""
    from tests.browser import rubric_day as day
    from tests.browser.hands import Hands

    def sit(name: str) -> Hands:
        """Somebody signs in: the window is new, the browser's cache is not."""
        browser.clear_cookies()
        browser.add_cookies([{"name": "sessionid", "value": row[name], "url": url}])
        page = browser.new_page()
        page.on("response", watch.answered)
        pages.append(page)
        return Hands(page, url, watch.clock)

    pages: list[Any] = []
    rubric = f"/tasks/{row['task']}/rubric/"
    author = sit("author")
    author.open(rubric)
    day.refine(author)
    reviewer = sit("reviewer")
    reviewer.open("/")
    day.open_review(reviewer)
    day.decide(reviewer)
    author = sit("author")
    author.open(rubric)
    day.answer(author)
    reviewer = sit("reviewer")
    reviewer.open("/")
    day.open_review(reviewer)
    day.approve_the_rest(reviewer)
    senior = sit("senior")
    senior.open("/")
    day.take_spot_check(senior)
    day.accept(senior)
    for page in pages:
        page.close()


def measure(place: Installation, rows: list[dict[str, Any]], url: str) -> Watch:
    """Take all walks, one after the other."""
    from playwright.sync_api import sync_playwright

    watch = Watch()
    with place.running(), sync_playwright() as playwright:
        # A profile on disk, as people have one: the browser keeps what it loaded before.
        browser = playwright.chromium.launch_persistent_context(
            str(place.var / "profile"),
            executable_path=next(filter(None, map(shutil.which, BROWSERS))),
            args=["--headless", "--no-sandbox", "--disable-gpu"],
            viewport={"width": 1440, "height": 900},
        )
        for n, row in enumerate(rows):
            watch.counts = n > 0 or len(rows) == 1
            walk(browser, url, row, watch)
        browser.close()
    return watch


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sitting")
    parser.add_argument("--walks", type=int, default=4, help="the first warms up and counts not")
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
    place = Installation(
        ROOT / "var" / "bench" / "sitting",
        port=arguments.port,
        database=arguments.database,
        application="benchmarks.timed",
    )
    place.env["SPOT_CHECK_RATE"] = "1.0"
    place.prepare()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.sitting", "--inside", str(arguments.walks)],
        env=place.env, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(done.stderr)
    rows = json.loads(done.stdout.splitlines()[-1])
    load, before = os.getloadavg()[0], others()
    watch = measure(place, rows, f"http://127.0.0.1:{arguments.port}")
    after = others()
    rest = None if before is None or after is None else max(before, after)
    print(machine(load, rest))
    print(table(watch.took))
    report = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "load": round(load, 1),
        "others": rest and round(rest, 3),
        "steps": {step: [vars(took) for took in all_] for step, all_ in watch.took.items()},
    }
    out = ROOT / "var" / "bench" / "sitting.json"
    out.write_text(json.dumps(report, indent=2) + "\n")
    return 0


def machine(load: float, rest: float | None) -> str:
    """What the figures are worth: cores, load at the start, what others did before and after."""
    said = f"{os.cpu_count()} cores, load {load:.1f} at the start"
    if rest is None:
        return said + "; what others used is not known here"
    worth = "idle" if rest <= IDLE else "BUSY: compare the processor time alone"
    return f"{said}; others used {rest:.0%} of the cores before or after ({worth})"


def table(took: dict[str, list[Took]]) -> str:
    """The steps, the slowest median first."""
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
