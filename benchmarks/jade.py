"""Judges reports by JADE with faults in models and documents, killed at random, and checks it all.

Thirty tasks with a checklist and five reports each. Every twentieth call to the model server meets
a fault, and the list of documents is missing for a twentieth of the time. The command that judges
is killed with SIGKILL at random moments (seeded) and continued; the first budget is too small.
Then every finding is compared with the rules of the model server, every score with the findings,
and the money with the server's log.

    python -m benchmarks.jade [--database URL] [--kills 20] [--tasks 30 --candidates 5]

Exit status 0 if everything holds. The table of calls, tokens and cost by role is printed beside
that of ShotJudge without an example (one call for each response); the rest goes to
`var/bench/jade.json`.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.installation import Installation
from benchmarks.kills import CACHED, FRESH, WRITTEN, billed
from benchmarks.model import ROOT, Model, machine

AWAY, CYCLE = 3.0, 60.0  # seconds for which the list of documents is missing, of each cycle
FACTS = 40
COLUMNS = ("role", "model", "calls", "input_tokens", "output_tokens", "cost_usd")


def main() -> int:
    """Run the benchmark, or one of its steps inside the product."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.jade")
    parser.add_argument("--database", help="a PostgreSQL URL; without it SQLite")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--tasks", type=int, default=30)
    parser.add_argument("--candidates", type=int, default=5)
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--latency-ms", type=float, default=100)
    parser.add_argument("--faults", type=float, default=0.05)
    parser.add_argument("--budget", type=float, default=1.5, help="the first budget, in dollars")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inside", choices=STEPS, help=argparse.SUPPRESS)
    parser.add_argument("--run", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        sys.stdout.write(json.dumps(STEPS[options.inside](options)) + "\n")
        return 0
    os.chdir(ROOT)
    bench = Installation(ROOT / "var" / "bench" / "jade", port=0, database=options.database)
    if not options.database:
        bench.env.pop("DATABASE_URL", None)
    bench.env |= {"LOG_LEVEL": "ERROR", "CELERY_BROKER_URL": ""}
    bench.prepare()
    found = _under_fire(bench, options)
    wrong = _does_not_hold(found, options)
    report = {"machine": machine(), **found, "does_not_hold": wrong}
    (ROOT / "var" / "bench" / "jade.json").write_text(json.dumps(report, indent=2) + "\n")
    _print(report)
    print("Everything holds." if not wrong else "DOES NOT HOLD: " + "; ".join(wrong))
    return 1 if wrong else 0


def _under_fire(bench: Installation, options: argparse.Namespace) -> dict[str, Any]:
    rng = random.Random(options.seed)
    log = bench.var / "model.log"
    log.touch()
    budgets: list[dict[str, float]] = []
    allowed, kills, started = options.budget, 0, time.monotonic()
    with Model(latency_ms=options.latency_ms, spread=0.5, faults=options.faults, log=log) as model:
        env = bench.env | model.env
        run = _inside("setup", env, options)["run"]
        with _missing_now_and_then(bench.var / "documents" / "pages"):
            while True:
                process = _judge(env, run, allowed)
                if kills < options.kills:
                    _wait(process, model, rng.randint(5, 60))
                    if process.poll() is None:
                        os.killpg(process.pid, signal.SIGKILL)
                        kills += 1
                        print(f"\r{kills} kills", end="", flush=True)
                process.communicate()
                state = _inside("state", env, options, run)["state"]
                if state == "stopped":
                    budgets.append({"allowed": allowed, "billed": round(billed(log)[0], 4)})
                    allowed *= 4
                elif state in ("finished", "paused", "cancelled"):
                    break
        print()
        facts = _inside("check", env, options, run)
        plain = _inside("plain", env, options)
    budgets.append({"allowed": allowed, "billed": round(billed(log)[0] - plain["cost_usd"], 4)})
    seconds = round(time.monotonic() - started, 1)
    return {"kills": kills, "seconds": seconds, "budgets": budgets, "plain": plain, **facts}


@contextmanager
def _missing_now_and_then(folder: Path) -> Iterator[None]:
    """Take the list of documents away for a twentieth of the time."""
    manifest, hidden, stop = folder / "manifest.jsonl", folder / "hidden", threading.Event()

    def take_away() -> None:
        while not stop.wait(CYCLE - AWAY):
            manifest.rename(hidden)
            stop.wait(AWAY)
            hidden.rename(manifest)

    thread = threading.Thread(target=take_away)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _judge(env: dict[str, str], run: int, allowed: float) -> "subprocess.Popen[bytes]":
    command = ["manage.py", "judge", "--resume", str(run), "--budget-usd", str(allowed), "--json"]
    return subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env=env, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def _wait(process: "subprocess.Popen[bytes]", model: Model, more: int) -> None:
    """Wait until the model server has received so many more calls, or the process ends."""
    until = model.stats()["calls"] + more
    while process.poll() is None and model.stats()["calls"] < until:
        time.sleep(0.005)


def _inside(step: str, env: dict[str, str], options: argparse.Namespace, run: int = 0) -> Any:
    command = [
        sys.executable, "-m", "benchmarks.jade", "--inside", step, "--run", str(run),
        "--tasks", str(options.tasks), "--candidates", str(options.candidates),
        "--concurrency", str(options.concurrency), "--budget", str(options.budget),
    ]  # fmt: skip
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{step} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def _does_not_hold(found: dict[str, Any], options: argparse.Namespace) -> list[str]:
    reports = options.tasks * options.candidates
    claims = {
        "every kill took place": found["kills"] == options.kills,
        "the run finished": found["state"] == "finished",
        "every report has a score": found["judged"] == found["scored"] == reports,
        "no finding is missing or wrong": not found["missing"] and not found["wrong"],
        "one reply is stored for each question": found["stored_twice"] == 0,
        "no call went out uncounted": found["calls"] <= found["calls_started"],
        "the first budget did not suffice": len(found["budgets"]) > 1,
        "no budget was exceeded": all(b["billed"] <= b["allowed"] for b in found["budgets"]),
    }
    return [claim for claim, holds in claims.items() if not holds]


def _print(report: dict[str, Any]) -> None:
    print("{:10} {:12} {:>7} {:>13} {:>14} {:>10}".format(*COLUMNS))
    for row in [*report["roles"], report["plain"]]:
        print("{:10} {:12} {:>7} {:>13,} {:>14,} {:>10.4f}".format(*(row[c] for c in COLUMNS)))
    for name in ("kills", "seconds", "judged", "scored", "missing", "wrong", "stored_twice"):
        print(f"{name:14} {report[name]}")
    print(f"budgets        {report['budgets']}")


# -- inside the product ----------------------------------------------------------------------------


def _facts(task: int, who: int) -> list[str]:
    return [
        f"Supplier {(task * 3 + who + k) % FACTS} of the valley sells {task % 7 + 3} kinds of cups."
        for k in (0, 1, 7, 11)
    ]


def _setup(options: argparse.Namespace) -> dict[str, Any]:
    """Make the tasks, their checklists, the reports and the documents; plan the run."""
    _django()
    from django.conf import settings
    from django.utils import timezone

    from judge.asking.calls.price_models import Price
    from judge.methods.query_checklists.actions import propose_checklist
    from judge.runs.engine.planning.plan import plan_run
    from tests.conftest import new_domain, new_person
    from tests.methods.jade.pages import folder_of
    from tests.methods.query_checklists.conftest import OFFERS, SUPPLIER, approved_skill, in_use
    from tests.methods.query_checklists.labelled import label_all
    from tests.runs.engine.factory import respond
    from tests.scoring.graded_sheets.conftest import imported_task
    from tests.tasks.skills.conftest import new_label

    for model in ("judge-1", "writer-1", "verifier-1"):
        Price.objects.create(
            provider="openai", model=model, input_micro=int(FRESH * 1e6),
            cached_micro=int(CACHED * 1e6), output_micro=int(WRITTEN * 1e6), since=timezone.now(),
        )  # fmt: skip
    domain = new_domain("finance")
    writer, _reviewer = new_person("writer", domain), new_person("reviewer", domain)
    staff = new_person("staff", is_staff=True)
    labels = []
    for level, (name, lines) in enumerate((("Suppliers", SUPPLIER), ("Offers", OFFERS)), start=1):
        labels.append(new_label(staff, domain, name, level))
        approved_skill(staff, writer, labels[-1], lines)
    facts: dict[str, None] = {}
    for number in range(options.tasks):
        task = imported_task(domain, f"q-{number}")
        label_all(staff, task, *labels)
        in_use(staff, task, propose_checklist(actor=staff, task=task))
        for who in range(options.candidates):
            facts |= dict.fromkeys(_facts(number, who))
            body = "\n".join(f"Fact: {fact}" for fact in _facts(number, who))
            respond(task, f"system-{who}", f"Report {who} on {number}.\n{body}\nBuy cups.")
    folder_of(settings.VAR_DIR / "documents" / "pages", facts)
    run = plan_run(
        actor=None,
        method="jade",
        provider="openai",
        model="judge-1",
        further={"generate": ("openai", "writer-1"), "verify": ("openai", "verifier-1")},
        search="local:pages",
        concurrency=options.concurrency,
        budget_micro=int(options.budget * 1_000_000),
    )
    return {"run": run.pk}


def _state(options: argparse.Namespace) -> dict[str, Any]:
    _django()
    from judge.runs.engine.models import JudgeRun

    return {"state": JudgeRun.objects.values_list("state", flat=True).get(pk=options.run)}


def _check(options: argparse.Namespace) -> dict[str, Any]:
    """Compare every finding with the rules of the model server."""
    _django()
    from collections import Counter

    from judge.methods.jade.outcomes import verified_score
    from judge.runs.engine.models import Finding, JudgeRun, Judgment
    from judge.runs.pages import lifecycle
    from tests.llm_jade import answer_on, facts_of, verdict_on
    from tests.llm_methods import number_of

    run = JudgeRun.objects.get(pk=options.run)
    missing = wrong = twice = scored = 0
    for judgment in Judgment.objects.filter(items__run=run).select_related("response"):
        text = judgment.response.text
        found = dict(Finding.objects.filter(judgment=judgment).values_list("name", "data"))
        claims = found["report"]["claims"]
        wrong += [claim["text"] for claim in claims] != facts_of(text)
        items = [one["id"] for one in (*found["basis"]["lines"], *found["report"]["items"])]
        for claim in claims:
            said = found.get(f"claim:{claim['id']}")
            missing += said is None
            right = verdict_on(claim["text"], number_of)
            wrong += said is not None and (said["verdict"], said["confidence"]) != right
        for name in items:
            said = found.get(f"item:{name}")
            missing += said is None
            right_answer = answer_on(name, text, number_of)
            wrong += said is not None and said["answer"] != right_answer
        score = verified_score(found, judgment.lines_decided)
        wrong += judgment.score_numerator != score.numerator
        scored += judgment.score_numerator is not None
        good = run.calls.filter(judgment=judgment, error="", detail="")
        asked = Counter(good.values_list("prompt_sha256", flat=True))
        twice += sum(count > 1 for count in asked.values())
    return {
        **lifecycle.summary(run),
        "scored": scored,
        "missing": missing,
        "wrong": wrong,
        "stored_twice": twice,
        "calls_started": run.calls_started,
    }


def _plain(options: argparse.Namespace) -> dict[str, Any]:
    """Judge the same responses line by line without an example, for the table of costs."""
    _django()
    from judge.runs.engine.planning.plan import plan_run
    from judge.runs.engine.work import work_on_run
    from judge.runs.pages import lifecycle

    run = plan_run(actor=None, method="zero_shot", provider="openai", model="judge-1")
    work_on_run(run)
    found = lifecycle.summary(run)
    return {"role": "zero_shot", "model": "judge-1", **{name: found[name] for name in COLUMNS[2:]}}


def _django() -> None:
    import django

    django.setup()


STEPS = {"setup": _setup, "state": _state, "check": _check, "plain": _plain}


if __name__ == "__main__":
    sys.exit(main())
