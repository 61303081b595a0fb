"""Compares the judge's throughput with the ideal, and measures what failures cost.

The ideal time is the sum of the model server's latencies divided by the concurrency. No client
reaches it, because the last calls end one by one: `share_of_schedule` compares with a client that
costs nothing and starts the next call at once. Measured are: a plain loop of the SDK without any
bookkeeping; the judge on the embedded default (SQLite, no broker) and, where addresses are given,
on PostgreSQL and Redis; the same with faults of every kind; and one call per line on a tenth of the
responses. The worker is the product's own; the model server is a process of its own.

    python -m benchmarks.judging [--database URL --broker URL] [--tasks 100 --candidates 10]

The plain loop and the judge are measured in turn, several times, because the speed of a machine
changes by the minute: reported are the run of median duration, and the median of `share_of_plain`,
the plain loop's duration divided by that of the judge's run after it. Results go to
`var/bench/judging.json`. Timings are meaningful only on an idle machine, so processor time per call
and the load of the machine are reported too.
"""

import argparse
import heapq
import json
import os
import signal
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.installation import Installation
from benchmarks.model import ROOT, Model, cpu_seconds, load_average, machine

LINES = 17
_SENTENCE = (
    "Paragraph {n} of {who} sets out figure {n} of case {task}: revenue of {n}.4 million, a margin "
    "of 12.5 % and a covenant of 3.1 turns, each with its source and the date of the statement. "
)


class Bench(Installation):
    """An installation with a benchmark to judge and a worker of its own."""

    def __init__(
        self, var: Path, *, database: str | None = None, broker: str | None = None
    ) -> None:
        super().__init__(var, port=0, database=database)
        if not database:
            self.env.pop("DATABASE_URL", None)
        self.env.pop("CELERY_BROKER_URL", None)
        if broker:
            self.env["CELERY_BROKER_URL"] = broker
        self.env["LOG_LEVEL"] = "ERROR"

    def load(self, tasks: int, candidates: int) -> None:
        """Import tasks with 17 lines, a scored baseline each, and responses of 4,000 characters."""
        self.manage("migrate", "--verbosity", "0")
        if "DATABASE_URL" in self.env:
            self.manage("flush", "--noinput", "--verbosity", "0")
            self.manage("migrate", "--verbosity", "0")
        files = {name: self.var / f"{name}.jsonl" for name in ("tasks", "responses", "scores")}
        with (
            files["tasks"].open("w") as to_tasks,
            files["responses"].open("w") as to_responses,
            files["scores"].open("w") as to_scores,
        ):
            for task in range(tasks):
                to_tasks.write(json.dumps(_task(task)) + "\n")
                for who in range(candidates + 1):
                    row = {
                        "task": f"case-{task}",
                        "id": f"r-{task}-{who}",
                        "model": f"system-{who}" if who else "base",
                        "text": _text(task, who),
                    }
                    to_responses.write(json.dumps(row | ({} if who else {"baseline": True})) + "\n")
                to_scores.write(
                    json.dumps(
                        {
                            "task": f"case-{task}",
                            "response": f"r-{task}-0",
                            "rater": "rater-1",
                            "kind": "expert",
                            "scores": {f"c{n}": n % 2 for n in range(LINES)},
                            "rationales": {f"c{n}": f"Figure {n} is there." for n in range(LINES)},
                        }
                    )
                    + "\n"
                )
        self.manage("import_tasks", str(files["tasks"]), "--external")
        self.manage("import_responses", str(files["responses"]))
        self.manage("import_scores", str(files["scores"]))

    def inside(self, step: str, *arguments: object, **env: str) -> dict[str, Any]:
        """Run a step of `judging_inside` in this installation; return its result."""
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.judging_inside", step, *map(str, arguments)],
            env=self.env | env, cwd=ROOT, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"{step} failed:\n{done.stdout}\n{done.stderr}")
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found

    def worker_command(self) -> list[str]:
        """Return the command line of this installation's worker."""
        return worker_command(self.var, broker="CELERY_BROKER_URL" in self.env)

    @contextmanager
    def worker(self, model: Model) -> Iterator[subprocess.Popen[bytes]]:
        """Run the product's worker, as `make run` and the README start it."""
        with (self.var / "worker.log").open("ab") as log:
            process = subprocess.Popen(
                self.worker_command(), env=self.env | model.env, cwd=ROOT,
                start_new_session=True, stdout=log, stderr=log,
            )  # fmt: skip
        try:
            yield process
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def worker_command(var: Path, *, broker: bool) -> list[str]:
    """Return the command line of a worker: Celery with its beat, or the loop without a broker."""
    if not broker:
        return [sys.executable, str(ROOT / "manage.py"), "work", "--loop"]
    return [
        sys.executable, "-m", "celery", "--quiet", "-A", "config", "worker",
        "--pool", "threads", "--concurrency", "2", "--loglevel", "warning", "--beat-thread",
        "--without-gossip", "--without-mingle", "--without-heartbeat",
        "--pidfile", "", "--schedule", str(var / "beat"),
    ]  # fmt: skip


def _text(task: int, who: int) -> str:
    start = f"System {who} answers case {task}.\n"
    return start + "".join(_SENTENCE.format(n=n, who=who, task=task) for n in range(21))


def _task(n: int) -> dict[str, Any]:
    body = _text(n, 0)[:1000]
    return {
        "id": f"case-{n}",
        "domain": "finance",
        "language": "en",
        "scenario": body,
        "materials": body * 2,
        "requirements": body,
        "rubric": [
            {
                "id": f"c{line}",
                "text": f"States figure {line} of case {n} with its source and its unit.",
                "importance": ["essential", "important", "optional"][line % 3],
                "weight": line % 10 + 1,
                "dimension": "accuracy",
            }
            for line in range(LINES)
        ],
    }


# -- what is measured ------------------------------------------------------------------------------


def measure(
    bench: Bench, options: argparse.Namespace, *, name: str, faults: float = 0.0,
    calls: str = "per_response", responses: int | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Measure a run by the product's worker, from the queue to its end."""
    with Model(latency_ms=options.latency_ms, spread=options.spread, faults=faults) as model:
        run = bench.inside(
            "plan", "--model", name, "--calls", calls, "--concurrency", options.concurrency,
            *(["--tasks", -(-responses // options.candidates)] if responses else []), **model.env,
        )["run"]  # fmt: skip
        with bench.worker(model) as worker:
            bench.inside("wait", "--run", run, "--seconds", 0)  # gives the worker time to start
            _warm_up(worker)
            load, before = load_average(), cpu_seconds(worker.pid)
            bench.inside("through", "--run", run, **model.env)
            cpu = cpu_seconds(worker.pid) - before
        facts = bench.inside("check", "--run", run, **model.env)
        seen = model.stats()
    least = facts["responses"] * (LINES if calls == "per_criterion" else 1)
    return {
        **_figures(seen, facts["run_seconds"], cpu, options.concurrency),
        "responses": facts["responses"],
        "judged": facts["judged"],
        "lost": facts["responses"] * LINES - facts["verdicts"] + facts["verdicts_failed"],
        "wrong": facts["wrong"] + facts["verdicts_stored_twice"],
        "more_calls": round(seen["calls"] / least - 1, 4),
        "cached_share": facts["cached_share"],
        "state": facts["state"],
        "load_before": load,
    }


def _warm_up(worker: subprocess.Popen[bytes]) -> None:
    """Wait until the worker has started, when it uses no more processor time."""
    import time

    last = -1.0
    for _ in range(120):
        now = cpu_seconds(worker.pid)
        if now > 0.5 and now - last < 0.02:
            return
        last = now
        time.sleep(0.5)


def _figures(seen: dict[str, Any], seconds: float, cpu: float, concurrency: int) -> dict[str, Any]:
    ideal = seen["latency_seconds"] / concurrency
    scheduled = _schedule(seen["latencies"], concurrency)
    return {
        "calls": seen["calls"],
        "seconds": round(seconds, 3),
        "ideal_seconds": round(ideal, 3),
        "share_of_ideal": round(ideal / seconds, 4),
        "share_of_schedule": round(scheduled / seconds, 4),
        "most_at_once": seen["most_at_once"],
        "cpu_ms_per_call": round(1000 * cpu / max(1, seen["calls"]), 2),
        "behaviours": seen["behaviours"],
    }


def _schedule(latencies: list[float], concurrency: int) -> float:
    """Return the seconds of all calls if each slot started its next call at once."""
    free = [0.0] * concurrency
    for latency in latencies:
        heapq.heapreplace(free, free[0] + latency)
    return max(free)


def write_requests(bench: Bench) -> Path:
    """Write the judge's requests for the plain loop; return the file."""
    requests = bench.var / "requests.jsonl"
    with Model(latency_ms=0) as model:  # only its key and address are needed
        run = bench.inside("plan", "--model", "plain", **model.env)["run"]
        bench.inside("prompts", "--run", run, "--out", requests, "--model", "plain", **model.env)
    return requests


def plain(requests: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Measure the same requests sent by a pool of threads around the SDK."""
    with Model(latency_ms=options.latency_ms, spread=options.spread) as model:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.plain", str(requests), "--concurrency",
             str(options.concurrency)],
            cwd=ROOT, env=os.environ | model.env, capture_output=True, text=True, check=True,
        )  # fmt: skip
        found = json.loads(done.stdout)
        seen = model.stats()
    return {
        **_figures(seen, found["seconds"], found["cpu_seconds"], options.concurrency),
        "cached_share": found["cached_share"],
    }


def side_by_side(bench: Bench, options: argparse.Namespace, name: str) -> dict[str, Any]:
    """Measure the plain loop and the judge in turn; return a report of each."""
    requests = write_requests(bench)
    plains, judged = [], []
    for n in range(1, options.rounds + 1):
        plains.append(plain(requests, options))
        judged.append(measure(bench, options, name=f"judge-1-{n}"))
    shares = [one["seconds"] / other["seconds"] for one, other in zip(plains, judged, strict=True)]
    of_plain = {"share_of_plain": round(statistics.median(shares), 4)}
    return {f"plain loop beside {name}": _middle(plains), name: _middle(judged) | of_plain}


def _middle(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the run of median duration, and the durations of all."""
    by_seconds = sorted(found, key=lambda one: one["seconds"])
    return by_seconds[(len(found) - 1) // 2] | {"all_seconds": [one["seconds"] for one in found]}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judging")
    parser.add_argument("--database", help="a PostgreSQL URL; without it only SQLite is measured")
    parser.add_argument("--broker", help="a Redis URL, used with --database")
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--candidates", type=int, default=10)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--latency-ms", type=float, default=300)
    parser.add_argument("--spread", type=float, default=0.1, help="latencies differ by ±10 %%")
    parser.add_argument("--faults", type=float, default=0.05)
    parser.add_argument("--rounds", type=int, default=3, help="of the plain loop and the judge")
    parser.add_argument("--only", default="", help="judge, faults, lines; all by default")
    options = parser.parse_args()
    os.chdir(ROOT)
    wanted = set(filter(None, options.only.split(","))) or {"judge", "faults", "lines"}
    benches = {"embedded": Bench(ROOT / "var" / "bench" / "judging-embedded")}
    if options.database:
        benches["servers"] = Bench(
            ROOT / "var" / "bench" / "judging-servers",
            database=options.database, broker=options.broker,
        )  # fmt: skip
    results: dict[str, Any] = {}
    for name, bench in benches.items():
        bench.load(options.tasks, options.candidates)
        if "judge" in wanted:
            for title, found in side_by_side(bench, options, name).items():
                _report(results, title, found)
        if "faults" in wanted:
            found = measure(bench, options, name="judge-2", faults=options.faults)
            _report(results, f"{name}, {100 * options.faults:g} % faults", found)
        if "lines" in wanted:
            found = measure(
                bench, options, name="judge-3", calls="per_criterion",
                responses=options.tasks * options.candidates // 10,
            )  # fmt: skip
            _report(results, f"{name}, one call per line", found)
    report = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "asked": {k: v for k, v in vars(options).items() if k not in ("database", "broker")},
        "results": results,
    }
    out = ROOT / "var" / "bench" / "judging.json"
    out.write_text(json.dumps(report, indent=2) + "\n")
    print(f"Written to {out.relative_to(ROOT)}")
    return 0


def _report(results: dict[str, Any], name: str, found: dict[str, Any]) -> None:
    results[name] = found
    print(f"\n{name}")
    for key, value in found.items():
        print(f"  {key:18} {value}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
