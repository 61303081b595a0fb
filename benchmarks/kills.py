"""Fifty kills in one run of a thousand responses: is each judged exactly once, within the budget?

A run is planned with a budget in money that does not suffice, worked on by the product's own
worker beside its web server, and meanwhile shot at: at random moments (seeded, spread over the
whole run) the worker is killed with SIGKILL, or the web server, or every connection to the database
is cut (on SQLite, which has none: both processes at once). Who was killed is started again, as any
supervisor would; nobody repairs anything. Where the budget ends the run stops, gets another one
and goes on. Then the books are compared with what the model server itself wrote down.

    python -m benchmarks.kills [--database URL --broker URL] [--kills 50] [--seed 1]

Exit status 0 if everything holds. It takes five to fifteen minutes.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.judging import LINES, Bench
from benchmarks.model import ROOT, Model, machine

PORT = 8791
# Dollars per million tokens of the price that the run is planned with: fresh, cached, written.
FRESH, CACHED, WRITTEN = 2.5, 0.25, 10.0


class Range:
    """The processes that are shot at, and the supervisor that starts them again."""

    def __init__(self, place: Bench, model: Model) -> None:
        self.place = place
        self.env = place.env | model.env
        self.commands = {
            "worker": place.worker_command(),
            "web": [
                sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{PORT}",
                "--workers", "1", "--threads", "4", "--no-control-socket", "--log-level", "error",
            ],
        }  # fmt: skip
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.log = (place.var / "kills.log").open("ab")

    def __enter__(self) -> "Range":
        for name in self.commands:
            self.start(name)
        return self

    def __exit__(self, *_: object) -> None:
        for name in self.commands:
            self.kill(name, again=False)
        self.log.close()

    def start(self, name: str) -> None:
        """Start a process in a group of its own."""
        self.processes[name] = subprocess.Popen(
            self.commands[name], env=self.env, cwd=ROOT, start_new_session=True,
            stdout=self.log, stderr=self.log,
        )  # fmt: skip

    def kill(self, name: str, *, again: bool = True) -> None:
        """SIGKILL to the process and its children; no chance to tidy up."""
        process = self.processes[name]
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        if again:
            self.start(name)

    def cut_connections(self, database: str | None) -> None:
        """End every connection to the database but our own; SQLite has none: end both processes."""
        if not database:
            for name in self.commands:
                self.kill(name)
            return
        import psycopg

        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    def shoot(self, kind: str, database: str | None) -> None:
        """One kill of a kind."""
        if kind == "database":
            self.cut_connections(database)
        else:
            self.kill(kind)


def billed(log: Path) -> tuple[float, Counter[str]]:
    """What the model server would charge, in dollars, and how often it answered each response."""
    dollars, answered = 0.0, Counter[str]()
    for line in log.read_text().splitlines():
        entry = json.loads(line)
        if entry["usage"] is None:
            continue
        total, cached, written = entry["usage"]
        dollars += ((total - cached) * FRESH + cached * CACHED + written * WRITTEN) / 1e6
        answered[entry["response"]] += 1
    return dollars, answered


def play(place: Bench, given: argparse.Namespace) -> dict[str, Any]:
    """The run under fire; the facts afterwards."""
    rng = random.Random(given.seed)
    responses = given.tasks * given.candidates
    log = place.var / "model.log"
    log.touch()
    shots = [
        *(["worker"] * (given.kills - 2 * (given.kills // 3))),
        *(["web"] * (given.kills // 3)),
        *(["database"] * (given.kills // 3)),
    ]
    rng.shuffle(shots)
    done: Counter[str] = Counter()
    budgets: list[dict[str, float]] = []
    started = time.monotonic()
    with Model(latency_ms=given.latency_ms, spread=0.5, log=log) as model:
        run = place.inside(
            "plan", "--concurrency", given.concurrency, "--budget-usd", given.budget, **model.env
        )["run"]
        allowed = given.budget
        with Range(place, model) as range_:
            place.inside("start", "--run", run, **model.env)
            calls = 0  # that the server had seen at the last event
            while True:
                # Spread over the replies still to come but for the last third: each kill lets
                # some through, and all are to take place.
                left = max(0.0, 0.7 * responses - len(billed(log)[1]))
                wait = rng.uniform(0, 1.6 * left / (len(shots) + 1)) if shots else float("inf")
                state = _go_on(place, model, run, calls + wait)
                calls = model.stats()["calls"]
                if state == "running" and shots:
                    time.sleep(rng.uniform(0, given.latency_ms / 1000))
                    kind = shots.pop()
                    range_.shoot(kind, given.database)
                    done[kind] += 1
                    print(f"\r{sum(done.values())} kills, about {left:.0f} to go", end="")
                elif state == "stopped":
                    budgets.append({"allowed": allowed, "billed": round(billed(log)[0], 4)})
                    allowed *= 3
                    place.inside(
                        "start", "--run", run, "--budget-usd", allowed, **model.env
                    )  # staff give it more
                elif state not in ("running", "waiting"):
                    break
            seconds = time.monotonic() - started
            facts = place.inside("check", "--run", run, **model.env)
        seen = model.stats()
    print()
    dollars, answered = billed(log)
    budgets.append({"allowed": allowed, "billed": round(dollars, 4)})
    return {
        "kills": dict(done),
        "state": facts["state"],
        "seconds": round(seconds, 1),
        "responses": facts["responses"],
        "judged": facts["judged"],
        "judgments": facts["judgments"],
        "good_calls_stored": facts["good_calls_stored"],
        "verdicts": facts["verdicts"],
        "wrong": facts["wrong"],
        "verdicts_stored_twice": facts["verdicts_stored_twice"],
        "verdicts_failed": facts["verdicts_failed"],
        "responses_never_answered": facts["responses"] - len(answered),
        "calls_received": seen["calls"],
        "calls_counted": facts["calls_started"],
        "replies_lost_with_their_process": sum(answered.values()) - facts["good_calls_stored"],
        "budgets": budgets,
        "cost_booked": facts["cost_usd"],
    }


def _go_on(place: Bench, model: Model, run: int, calls: float) -> str:
    """Wait until the server has seen so many calls, or for the end of the run; its state."""
    looked = time.monotonic()
    while True:
        if model.stats()["calls"] > calls:
            return "running"
        if time.monotonic() - looked > 3:
            state = str(place.inside("wait", "--run", run, "--seconds", 0, **model.env)["state"])
            if state not in ("running", "waiting"):
                return state
            looked = time.monotonic()
        time.sleep(0.005)


def faults(found: dict[str, Any], kills: int) -> list[str]:
    """What does not hold; empty if all does."""
    n = found["responses"]
    claims = {
        "every kill took place": sum(found["kills"].values()) == kills,
        "the run finished": found["state"] == "finished",
        "every response is judged": found["judged"] == found["judgments"] == n,
        "one reply is stored for each": found["good_calls_stored"] == n,
        "every line has its verdict, once": found["verdicts"] == n * LINES
        and not found["verdicts_stored_twice"]
        and not found["verdicts_failed"],
        "no verdict is wrong": not found["wrong"],
        "each verdict comes from a reply": not found["responses_never_answered"],
        "no call went out uncounted": found["calls_received"] <= found["calls_counted"],
        "the first budget did not suffice": len(found["budgets"]) > 1,
        "no budget was exceeded": all(b["billed"] <= b["allowed"] for b in found["budgets"]),
    }
    return [claim for claim, holds in claims.items() if not holds]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kills")
    parser.add_argument("--database", help="a PostgreSQL URL; without it SQLite")
    parser.add_argument("--broker", help="a Redis URL; without it the worker reads the database")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--candidates", type=int, default=10)
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--latency-ms", type=float, default=300)
    parser.add_argument("--budget", type=float, default=6.0, help="the first budget, in dollars")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    os.chdir(ROOT)
    name = "servers" if given.database else "embedded"
    place = Bench(ROOT / "var" / "bench" / f"kills-{name}", database=given.database,
                  broker=given.broker)  # fmt: skip
    place.load(given.tasks, given.candidates)
    found = play(place, given)
    wrong = faults(found, given.kills)
    report = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "database": "postgresql" if given.database else "sqlite",
        "seed": given.seed,
        **found,
        "does_not_hold": wrong,
    }
    out = ROOT / "var" / "bench" / f"kills-{name}.json"
    out.write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report, indent=2))
    print("Everything holds." if not wrong else "DOES NOT HOLD: " + "; ".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
