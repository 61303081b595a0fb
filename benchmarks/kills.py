"""Kills processes fifty times during a run and checks that each response is judged exactly once.

A run of a thousand responses is planned with a budget that is too small and worked on by the
product's worker. At random moments (seeded, spread over the whole run) the worker or the web server
is killed with SIGKILL, or every connection to the database is cut (on SQLite both processes are
killed instead). Killed processes are restarted, and nothing else is repaired. When the budget is
used up, the run gets a larger one and continues. Then the database is compared with the log of the
model server.

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
# The price of the run, in dollars per million tokens: fresh input, cached input, output.
FRESH, CACHED, WRITTEN = 2.5, 0.25, 10.0


class Targets:
    """The processes to kill, which are restarted at once."""

    def __init__(self, bench: Bench, model: Model) -> None:
        self.env = bench.env | model.env
        self.commands = {
            "worker": bench.worker_command(),
            "web": [
                sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{PORT}",
                "--workers", "1", "--threads", "4", "--no-control-socket", "--log-level", "error",
            ],
        }  # fmt: skip
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.log = (bench.var / "kills.log").open("ab")

    def __enter__(self) -> "Targets":
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
        """Kill a process and its children with SIGKILL; restart it unless `again` is false."""
        process = self.processes[name]
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        if again:
            self.start(name)

    def cut_connections(self, database: str | None) -> None:
        """End all connections to the database but our own; on SQLite, kill both processes."""
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

    def kill_one(self, kind: str, database: str | None) -> None:
        """Kill a process, or cut the connections for the kind "database"."""
        if kind == "database":
            self.cut_connections(database)
        else:
            self.kill(kind)


def billed(log: Path) -> tuple[float, Counter[str]]:
    """Return what the model server would charge, in dollars, and its replies per response."""
    dollars, answered = 0.0, Counter[str]()
    for line in log.read_text().splitlines():
        entry = json.loads(line)
        if entry["usage"] is None:
            continue
        total, cached, written = entry["usage"]
        dollars += ((total - cached) * FRESH + cached * CACHED + written * WRITTEN) / 1e6
        answered[entry["response"]] += 1
    return dollars, answered


def run_under_fire(bench: Bench, options: argparse.Namespace) -> dict[str, Any]:
    """Execute the run with kills; return the facts afterwards."""
    rng = random.Random(options.seed)
    responses = options.tasks * options.candidates
    log = bench.var / "model.log"
    log.touch()
    kinds = [
        *(["worker"] * (options.kills - 2 * (options.kills // 3))),
        *(["web"] * (options.kills // 3)),
        *(["database"] * (options.kills // 3)),
    ]
    rng.shuffle(kinds)
    done: Counter[str] = Counter()
    budgets: list[dict[str, float]] = []
    started = time.monotonic()
    with Model(latency_ms=options.latency_ms, spread=0.5, log=log) as model:
        run = bench.inside(
            "plan",
            "--concurrency",
            options.concurrency,
            "--budget-usd",
            options.budget,
            **model.env,
        )["run"]
        allowed = options.budget
        with Targets(bench, model) as targets:
            bench.inside("start", "--run", run, **model.env)
            calls = 0  # received by the model server at the last event
            while True:
                # Spread the kills over the replies still to come, but not over the last third: some
                # calls end before each kill, and all kills must take place.
                left = max(0.0, 0.7 * responses - len(billed(log)[1]))
                wait = rng.uniform(0, 1.6 * left / (len(kinds) + 1)) if kinds else float("inf")
                state = _wait_for_calls(bench, model, run, calls + wait)
                calls = model.stats()["calls"]
                if state == "running" and kinds:
                    time.sleep(rng.uniform(0, options.latency_ms / 1000))
                    kind = kinds.pop()
                    targets.kill_one(kind, options.database)
                    done[kind] += 1
                    print(f"\r{sum(done.values())} kills, about {left:.0f} to go", end="")
                elif state == "stopped":
                    budgets.append({"allowed": allowed, "billed": round(billed(log)[0], 4)})
                    allowed *= 3
                    bench.inside(
                        "start", "--run", run, "--budget-usd", allowed, **model.env
                    )  # a larger budget
                elif state not in ("running", "waiting"):
                    break
            seconds = time.monotonic() - started
            facts = bench.inside("check", "--run", run, **model.env)
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


def _wait_for_calls(bench: Bench, model: Model, run: int, calls: float) -> str:
    """Wait until the server has received `calls`, or the run ends; return the run's state."""
    looked = time.monotonic()
    while True:
        if model.stats()["calls"] > calls:
            return "running"
        if time.monotonic() - looked > 3:
            state = str(bench.inside("wait", "--run", run, "--seconds", 0, **model.env)["state"])
            if state not in ("running", "waiting"):
                return state
            looked = time.monotonic()
        time.sleep(0.005)


def failed_claims(found: dict[str, Any], kills: int) -> list[str]:
    """Return the claims that do not hold."""
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
    options = parser.parse_args()
    os.chdir(ROOT)
    name = "servers" if options.database else "embedded"
    bench = Bench(ROOT / "var" / "bench" / f"kills-{name}", database=options.database,
                  broker=options.broker)  # fmt: skip
    bench.load(options.tasks, options.candidates)
    found = run_under_fire(bench, options)
    wrong = failed_claims(found, options.kills)
    report = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "database": "postgresql" if options.database else "sqlite",
        "seed": options.seed,
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
