"""Steps of benchmarks that run inside the product: plan, start and check a run, write its prompts.

Each is run as `python -m benchmarks.judging_inside STEP …` in the environment of the installation
to measure, and prints one line of JSON.
"""

import argparse
import json
import sys
from typing import Any

import django


def plan(options: argparse.Namespace) -> dict[str, Any]:
    """Plan a run, which no worker takes before it is started; return its id."""
    from django.utils import timezone

    from judge.asking.calls.price_models import Price
    from judge.runs.pages import actions

    if options.budget_usd:
        Price.objects.update_or_create(
            provider="openai",
            model=options.model,
            defaults={
                "input_micro": 2_500_000,
                "cached_micro": 250_000,
                "output_micro": 10_000_000,
                "since": timezone.now(),
            },
        )
    run = actions.plan_run(
        actor=None,
        method="one_shot",
        provider="openai",
        model=options.model,
        calls_mode=options.calls,
        concurrency=options.concurrency,
        task_keys=[f"case-{n}" for n in range(options.tasks)] if options.tasks else None,
        budget_micro=int(options.budget_usd * 1_000_000) if options.budget_usd else None,
    )
    return {"run": run.pk}


def start(options: argparse.Namespace) -> dict[str, Any]:
    """Start a run, as the button on its page does."""
    from judge.runs.engine.models import JudgeRun
    from judge.runs.pages import actions

    budget = int(options.budget_usd * 1_000_000) if options.budget_usd else None
    actions.start_run(actor=None, run=JudgeRun.objects.get(pk=options.run), budget_micro=budget)
    return {}


def through(options: argparse.Namespace) -> dict[str, Any]:
    """Start a run and wait for its end.

    Both in one process, because starting another one would take a core from the measurement.
    """
    start(options)
    return wait(options)


def wait(options: argparse.Namespace) -> dict[str, Any]:
    """Wait until a run is neither waiting nor running; return its state."""
    import time

    from django.db import close_old_connections

    from judge.runs.engine.models import JudgeRun

    until = time.monotonic() + options.seconds
    while True:
        run = JudgeRun.objects.only("state", "reason", "facts").get(pk=options.run)
        if run.state not in ("waiting", "running") or time.monotonic() > until:
            return {"state": run.state, "why": run.why}
        close_old_connections()
        time.sleep(1)  # rarely, as it takes processor time from the worker; the run keeps its times


def check(options: argparse.Namespace) -> dict[str, Any]:
    """Return the facts of a run; compare each verdict with the rule of the model server."""
    from judge.runs.engine.models import JudgeRun, Judgment, Verdict
    from judge.runs.pages import lifecycle as runs
    from tests.llm_rule import verdict_of

    run = JudgeRun.objects.get(pk=options.run)
    facts = runs.summary(run)
    rows = Verdict.objects.filter(judgment__items__run=run).values_list(
        "judgment__response_id", "judgment__response__text", "criterion__key", "outcome"
    )
    seen: set[tuple[int, str]] = set()
    wrong = twice = lost = 0
    for response, text, key, outcome in rows.iterator():
        twice += (response, key) in seen
        seen.add((response, key))
        if outcome == "failed":
            lost += 1
        elif outcome != ("met" if verdict_of(key, text) else "unmet"):
            wrong += 1
    stored = list(
        run.calls.filter(error="", judgment__isnull=False).values_list("judgment_id", "detail")
    )
    elapsed = (run.finished_at - run.started_at).total_seconds() if run.finished_at else None
    return {
        **facts,
        "run_seconds": elapsed,
        "verdicts": len(seen),
        "wrong": wrong,
        "verdicts_stored_twice": twice,
        "verdicts_failed": lost,
        "judgments": Judgment.objects.filter(items__run=run).distinct().count(),
        "calls_started": run.calls_started,
        "good_calls_stored": len(stored),
        "cached_share": (
            round(facts["cached_tokens"] / facts["input_tokens"], 4)
            if facts["input_tokens"]
            else None
        ),
    }


def prompts(options: argparse.Namespace) -> dict[str, Any]:
    """Write every request of a planned run, in its order, for `benchmarks.plain`."""
    from judge.asking import providers
    from judge.runs.engine.models import RunItem
    from judge.runs.engine.planning import material

    items = RunItem.objects.filter(run=options.run, state="waiting").select_related(
        "response", "version", "run"
    )
    body = providers.get("openai").request_body
    kept: dict[int, material.Material] = {}
    count = 0
    with open(options.out, "w") as file:
        for item in items.order_by("response__task_id", "pk"):
            task = item.response.task_id
            if task not in kept:
                kept = {task: material.load(item)}
            nonce = material.first_nonce(item.run, item.response.key)
            prompt = kept[task].prompt(item.response.text, nonce=nonce)
            file.write(json.dumps(body(prompt, model=item.run.model, parameters={})) + "\n")
            count += 1
    return {"prompts": count}


STEPS = {step.__name__: step for step in (plan, start, through, wait, check, prompts)}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judging_inside")
    parser.add_argument("step", choices=STEPS)
    parser.add_argument("--run", type=int)
    parser.add_argument("--model", default="judge-1")
    parser.add_argument("--calls", default="per_response")
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--tasks", type=int, help="only the first tasks")
    parser.add_argument("--budget-usd", type=float)
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--out")
    options = parser.parse_args()
    django.setup()
    sys.stdout.write(json.dumps(STEPS[options.step](options)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
