"""Times the alignment report of 245 tasks × 14 candidates × 17 lines with 10,000 resamples.

    python -m benchmarks.alignment [--database URL] [--tasks 245 --candidates 14 --lines 17]

Fills a throw-away database with expert sheets, a one-shot and a zero-shot run, then times the
statistics alone (rows in memory to the report), the report from the database (reading, statistics,
JSON), and the whole command with the start of Python. Each figure is the median of several takes,
in wall and in CPU seconds; other work on the machine affects only the first. Every take draws its
resamples again. Results go to `var/bench/alignment.json`; the target is 2 s for one judge.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DOMAINS = ("finance", "law", "education", "engineering", "humanities", "computing", "healthcare")
TARGET = 2.0  # CPU seconds of the report on one judge
TAKES = 5
ERRORS = {"accuracy": 0.6, "compliance": 1.6, "domain_expertise": 1.3}  # relative to average
FAMILIES = ("gpt-bench", "claude-bench", "gemini-bench", "qwen-bench", "deepseek-bench")


def fill(tasks: int, candidates: int, lines: int) -> tuple[int, int]:
    """Fill a database in which every response is scored by an expert and judged by two runs.

    Returns:
        ids of the one-shot and the zero-shot run.
    """
    from django.db import transaction
    from django.utils import timezone

    from curation.joining.domains.models import Domain
    from curation.tasks.task.models import Task
    from judge.asking.candidates.models import Candidate, Response
    from judge.runs.engine.models import JudgeRun, Judgment, RunItem, Verdict
    from judge.scoring.sheets.models import Sheet, SheetLine
    from rubrics.policy.dimensions import Dimension
    from rubrics.versions.models import Criterion, RubricVersion

    rng, now = random.Random(1), timezone.now()
    domains = Domain.objects.bulk_create(
        Domain(key=key, name=key.title(), position=n) for n, key in enumerate(DOMAINS, start=1)
    )
    people = Candidate.objects.bulk_create(
        Candidate(name=f"{FAMILIES[n % len(FAMILIES)]}-{n:02}") for n in range(candidates)
    )
    dimensions = [str(value) for value in Dimension.values]
    with transaction.atomic():
        made = Task.objects.bulk_create(
            Task(
                key=f"t{n:04}", origin="external", domain=domains[n % len(domains)],
                stage="approved", requirements="Write it.",
            )
            for n in range(tasks)
        )  # fmt: skip
        versions = RubricVersion.objects.bulk_create(
            RubricVersion(task=task, number=1, origin="import", frozen_at=now, sha256="0" * 64)
            for task in made
        )
        Criterion.objects.bulk_create(
            Criterion(
                version=version, key=f"c{n}", position=n, text=f"Line {n}",
                importance=("essential", "important", "optional")[n % 3],
                weight=1 + rng.randrange(10), dimension=dimensions[rng.randrange(9)],
            )
            for version in versions
            for n in range(lines)
        )  # fmt: skip
        responses = Response.objects.bulk_create(
            Response(
                key=f"{task.key}-{who.pk}", task=task, candidate=who, text="An answer.",
                source="imported", latency_ms=rng.randrange(4_000, 60_000),
                cost_micro=rng.randrange(2_000, 90_000),
            )
            for task in made
            for who in people
        )  # fmt: skip
        version_of = {version.task_id: version for version in versions}
        lines_of: dict[int, list[Criterion]] = {}
        for line in Criterion.objects.order_by("version_id", "position"):
            lines_of.setdefault(line.version_id, []).append(line)
        skill = {who.pk: 0.35 + 0.5 * n / candidates for n, who in enumerate(people)}
        truth = {
            response.pk: [rng.random() < skill[response.candidate_id] for _line in range(lines)]
            for response in responses
        }
        # Every tenth response has a second expert, who differs on one line in ten: the agreement
        # between experts is then known.
        sheets = Sheet.objects.bulk_create(
            Sheet(
                response=response, version=version_of[response.task_id], kind="expert",
                purpose="imported", rater=rater, state="submitted", submitted_at=now,
            )
            for n, response in enumerate(responses)
            for rater in (("expert-1", "expert-2") if n % 10 == 0 else ("expert-1",))
        )  # fmt: skip
        SheetLine.objects.bulk_create(
            (
                SheetLine(
                    sheet=sheet,
                    criterion=line,
                    rationale="Seen in the text.",
                    met=met != (sheet.rater == "expert-2" and rng.random() < 0.1),
                )  # fmt: skip
                for sheet in sheets
                for line, met in zip(
                    lines_of[sheet.version_id or 0], truth[sheet.response_id], strict=True
                )
            ),
            batch_size=5000,
        )
        runs = []
        for method, error in (("one_shot", 0.12), ("zero_shot", 0.22)):
            run = JudgeRun.objects.create(
                method=method, provider="offline", model="judge", state="finished", started_at=now,
                finished_at=now,
            )  # fmt: skip
            runs.append(run.pk)
            verdicts, judgments = [], []
            for response in responses:
                version = version_of[response.task_id]
                met = [
                    m
                    != (
                        rng.random() < error * ERRORS.get(line.dimension, 1.0) * (0.7 if m else 1.4)
                    )
                    for m, line in zip(truth[response.pk], lines_of[version.pk], strict=True)
                ]
                weights = [line.weight for line in lines_of[version.pk]]
                judgments.append(
                    Judgment(
                        key=f"{run.pk}-{response.pk}", run=run, response=response,
                        version=version, method=method, provider="offline", model="judge",
                        prompt_sha256="0" * 64, state="complete",
                        score_numerator=sum(w for w, m in zip(weights, met, strict=True) if m),
                        score_denominator=sum(weights), lines_total=lines, lines_decided=lines,
                    )
                )  # fmt: skip
                verdicts.append(met)
            judgments = Judgment.objects.bulk_create(judgments, batch_size=1000)
            Verdict.objects.bulk_create(
                (
                    Verdict(
                        judgment=judgment, criterion=line, outcome="met" if m else "unmet",
                        why="It is there." if m else "It is not there.",
                    )
                    for judgment, met in zip(judgments, verdicts, strict=True)
                    for line, m in zip(lines_of[judgment.version_id], met, strict=True)
                ),
                batch_size=5000,
            )  # fmt: skip
            RunItem.objects.bulk_create(
                (
                    RunItem(
                        run=run, response=judgment.response, version=judgment.version,
                        judgment=judgment, state="judged",
                    )
                    for judgment in judgments
                ),
                batch_size=1000,
            )  # fmt: skip
    return runs[0], runs[1]


def timed(work: Callable[[], Any], takes: int = TAKES) -> dict[str, float]:
    """Return the median wall and CPU seconds of several takes."""
    wall, cpu = [], []
    for _take in range(takes):
        began, used = time.perf_counter(), time.process_time()
        work()
        wall.append(time.perf_counter() - began)
        cpu.append(time.process_time() - used)
    return {
        "seconds": round(statistics.median(wall), 3),
        "cpu_seconds": round(statistics.median(cpu), 3),
    }


def measure(tasks: int, candidates: int, lines: int, resamples: int) -> dict[str, Any]:
    """Fill the database and time everything but the command."""
    from django.core.management import call_command
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from judge.base.stats import bootstrap
    from judge.results.alignment.gather_experts import gather_experts
    from judge.results.alignment.gather_judge import gather_judge
    from judge.results.alignment.page_queries import page
    from judge.results.alignment.raters import find_judge, find_rater
    from judge.results.alignment.report import align
    from judge.results.alignment.report import measure as judge_measured
    from judge.results.leaderboard.ranking import board

    call_command("migrate", verbosity=0)
    run, twin = fill(tasks, candidates, lines)
    rater = find_rater(str(run))
    truth = gather_experts(rater, None)
    judged = gather_judge(rater, truth)

    def with_new_draws(work: Callable[[], Any]) -> Callable[[], Any]:
        def take() -> Any:
            bootstrap.clear_cache()
            return work()

        return take

    def read() -> None:
        gather_judge(rater, gather_experts(rater, None))

    answer: dict[str, Any] = {
        "tasks": tasks, "candidates": candidates, "lines": lines, "resamples": resamples,
        "cells": tasks * candidates * lines, "run": run, "twin": twin,
    }  # fmt: skip
    answer["statistics alone"] = timed(
        with_new_draws(lambda: judge_measured(judged, truth, resamples, 0, None))
    )
    answer["reading alone"] = timed(read)
    with CaptureQueriesContext(connection) as asked:
        align(str(run), bootstrap=resamples)
    answer["queries"] = len(asked)
    answer["report, one judge"] = timed(
        with_new_draws(lambda: json.dumps(align(str(run), bootstrap=resamples).as_dict()))
    )
    answer["report, two judges"] = timed(
        with_new_draws(lambda: align(str(run), compare=str(twin), bootstrap=resamples).as_dict())
    )
    answer["page, two judges"] = timed(
        with_new_draws(
            lambda: page(
                align(str(run), compare=str(twin), bootstrap=resamples), with_disagreements=True
            )
        )
    )
    answer["leaderboard"] = timed(
        with_new_draws(lambda: board(find_judge(str(run)), resamples=resamples).as_dict())
    )
    return answer


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.alignment")
    parser.add_argument("--tasks", type=int, default=245)
    parser.add_argument("--candidates", type=int, default=14)
    parser.add_argument("--lines", type=int, default=17)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--database", help="a PostgreSQL URL of an empty database; else SQLite")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        import django

        django.setup()
        size = (arguments.tasks, arguments.candidates, arguments.lines)
        print(json.dumps(measure(*size, arguments.resamples)))
        return 0
    out = ROOT / "var" / "bench"
    scratch = out / "alignment"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    environment = os.environ | {
        "VAR_DIR": str(scratch),
        "DEBUG": "0",
        "HTTPS": "0",
        "ALLOWED_HOSTS": "127.0.0.1",
        "PUBLIC_URL": "http://127.0.0.1",
        "SECRET_KEY": "benchmark-" + "x" * 40,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        **({"DATABASE_URL": arguments.database} if arguments.database else {}),
    }
    passed_on = [
        f"--{name}={getattr(arguments, name)}"
        for name in ("tasks", "candidates", "lines", "resamples")
    ]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.alignment", "--inside", *passed_on],
        cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    found = json.loads(done.stdout.splitlines()[-1])
    command = [sys.executable, "manage.py", "alignment", "--json", f"--judge={found['run']}"]
    command.append(f"--bootstrap={arguments.resamples}")
    wall, cpu = [], []
    for _take in range(3):
        began, before = time.perf_counter(), os.times()
        subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
        wall.append(time.perf_counter() - began)
        after = os.times()
        cpu.append(
            after.children_user + after.children_system
            - before.children_user - before.children_system
        )  # fmt: skip
    found["command, with the start of Python"] = {
        "seconds": round(statistics.median(wall), 3),
        "cpu_seconds": round(statistics.median(cpu), 3),
    }
    found["database"] = "postgresql" if arguments.database else "sqlite"
    found["reached"] = found["report, one judge"]["cpu_seconds"] < TARGET
    shutil.rmtree(scratch)
    for name, row in found.items():
        print(f"{name:36} {row}")
    (out / "alignment.json").write_text(json.dumps(found, indent=2) + "\n")
    return 0 if found["reached"] else 1


if __name__ == "__main__":
    sys.exit(main())
