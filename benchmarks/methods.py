"""What each method of judging costs in calls and tokens, against a local model server.

    python -m benchmarks.methods [--faults 0.05] [--tasks 8 --candidates 25]

Each method judges the same number of responses in a database of its own kind of tasks, which is
made for it and thrown away. Every twentieth call meets a fault. JADE is measured by
`benchmarks.jade`, which has checklists and documents for it. Results go to
`var/bench/methods.json`; a table is printed. Tokens are counted by the server as a quarter of the
characters: they compare methods, not vendors.
"""

import argparse
import json
import os
import sys
import tempfile
from typing import Any

from benchmarks.model import ROOT, Model

ELSEWHERE = ("jade", "jade_skills", "jade_report")  # they need checklists or documents
_TEXT = "Paragraph {n} of the answer weighs what the case says, with figures and their sources. "
_PARAGRAPHS = 34  # about 3,000 characters
_COLUMNS = ("method", "calls", "input_tokens", "cached_tokens", "output_tokens", "failed")


def main() -> int:
    """Measure every method and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.methods")
    parser.add_argument("--faults", type=float, default=0.05)
    parser.add_argument("--tasks", type=int, default=8)
    parser.add_argument("--candidates", type=int, default=25)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as var, Model(latency_ms=0, faults=options.faults) as model:
        os.environ |= {**model.env, "VAR_DIR": var, "DEBUG": "1", "LOG_LEVEL": "ERROR"}
        os.environ.pop("DATABASE_URL", None)
        rows = _measure(options)
    target = ROOT / "var" / "bench"
    target.mkdir(parents=True, exist_ok=True)
    (target / "methods.json").write_text(json.dumps(rows, indent=2) + "\n")
    _print(rows)
    return 0


def _measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.core.management import call_command

    from judge.methods.base import registry

    call_command("migrate", verbosity=0)
    return [_judged(key, options) for key in registry.METHODS if key not in ELSEWHERE]


def _judged(key: str, options: argparse.Namespace) -> dict[str, Any]:
    """Make tasks and responses for a method, judge them, and return what it took."""
    from judge.asking.providers.retry import Policy
    from judge.methods.base import registry
    from judge.runs.engine.planning.plan import plan_run
    from judge.runs.engine.work import work_on_run
    from judge.runs.pages import lifecycle

    form = sorted(registry.get(key).forms)[0] if key != "graded" else "text"
    keys = [_task(key, form, n, options.candidates) for n in range(options.tasks)]
    run = plan_run(actor=None, method=key, provider="openai", model="judge-1", task_keys=keys)
    work_on_run(run, policy=Policy(base=0.01, longest=0.05))
    found = lifecycle.summary(run)
    responses = options.tasks * options.candidates
    return {
        "method": key,
        "responses": responses,
        "judged": found["judged"],
        "failed": found["failed"],
        "calls": found["calls"] / responses,
        **{
            name: found[name] / responses
            for name in ("input_tokens", "cached_tokens", "output_tokens")
        },
    }


def _task(method: str, form: str, number: int, candidates: int) -> str:
    """Make one task with 17 lines (or gold items, or questions), and its responses."""
    from curation.joining.domains.models import Domain
    from curation.tasks.task.models import Origin, Task
    from rubrics.versions.actions import import_version
    from tests.runs.engine.factory import respond, scored_baseline

    domain, _new = Domain.objects.get_or_create(
        key="bench", defaults={"name": "Finance", "external": True}
    )
    task = Task.objects.create(
        key=f"{method}-{number}", origin=Origin.EXTERNAL, domain=domain, stage="approved",
        title=f"Case {number} for {method}", scenario=_TEXT.format(n=number) * 10,
        requirements="Say what the case is worth.", reference_answer="1,234.5 kg",
        answer_form=form,
    )  # fmt: skip
    version = import_version(
        task=task,
        lines=[
            {
                "key": f"c{n}", "text": f"Item {n}|The other name of item {n} in this case",
                "importance": "important", "weight": 5, "dimension": "accuracy",
            }
            for n in range(1, 18)
        ],
    )  # fmt: skip
    if method == "one_shot":
        scored_baseline(task, version)
    if form == "selection":
        _select(task)
    for who in range(candidates):
        body = "".join(_TEXT.format(n=n) for n in range(_PARAGRAPHS))
        end = {
            "list": "\n".join(f"- Item {n}" for n in range(1, 2 + who % 17)),
            "selection": json.dumps([f"Creator {n}" for n in range(1, 2 + who % 10)]),
            "exact": "Answer: 1,234.5 kg" if who % 2 else f"Answer: {who} tons",
        }.get(form, "")
        respond(task, f"system-{who}", f"System {who}.\n{body}\n{end}")
    return task.key


def _select(task: Any) -> None:
    """Make a selection task demand ten profiles of a pool of a hundred, 2,000 characters each."""
    from judge.methods.profiles.actions import add_pool, set_selection
    from judge.methods.profiles.import_profiles import import_profiles
    from judge.methods.profiles.models import ProfilePool

    pool = ProfilePool.objects.filter(key="bench").first()
    if pool is None:
        pool = add_pool(actor=None, key="bench", name="Creators")
        rows = [f"c{n},Creator {n},{_TEXT.format(n=n) * 24}" for n in range(100)]
        table = "\n".join(["key,name,text", *(row.replace(", with", " with") for row in rows)])
        import_profiles(actor=None, pool=pool, data=table.encode(), file="bench.csv")
    set_selection(actor=None, task=task, pool=pool, number=10, what="creators")


def _print(rows: list[dict[str, Any]]) -> None:
    sys.stdout.write("| " + " | ".join(_COLUMNS) + " |\n" + "|---" * len(_COLUMNS) + "|\n")
    for row in rows:
        cells = [row["method"], f"{row['calls']:.2f}"]
        cells += [f"{row[name]:,.0f}" for name in _COLUMNS[2:5]]
        sys.stdout.write("| " + " | ".join([*cells, str(row["failed"])]) + " |\n")


if __name__ == "__main__":
    sys.exit(main())
