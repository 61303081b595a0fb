"""Measures how fast similar prompts are found among 10,000, and how many of them.

    python -m benchmarks.likeness [--prompts 10000]

Fills a throw-away database with prompts of 350 words, drawn from a vocabulary with the frequencies
of a natural language, then searches for copies in which a share of the words was replaced, and for
a prompt that shares only the vocabulary. Results go to `var/bench/likeness.json`.
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
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORDS = 350
COPIES = 40  # of each kind


def vocabulary(rng: random.Random) -> tuple[list[str], list[float]]:
    """Return 20,000 words and their frequencies by Zipf's law."""
    letters = "etaoinshrdlucmfwypvbg"
    weights = [1 / n for n in range(1, len(letters) + 1)]
    words = [
        "".join(rng.choices(letters, weights, k=min(14, 2 + int(rng.expovariate(0.25)))))
        for _n in range(20_000)
    ]
    return words, [1 / rank for rank in range(1, len(words) + 1)]


def text(rng: random.Random, words: list[str], often: list[float]) -> list[str]:
    """Return the words of a prompt, twelve of them random figures."""
    found = rng.choices(words, often, k=WORDS)
    for position in rng.sample(range(WORDS), 12):
        found[position] = f"{rng.randrange(100, 9_999_999):,}"
    return found


def measure(size: int) -> dict[str, Any]:
    """Fill the database, search, and count what is found."""
    from django.core.management import call_command
    from django.db import connection, transaction
    from django.test.utils import CaptureQueriesContext

    from curation.joining.domains.models import Domain
    from curation.tasks.authoring.similar_actions import store_fingerprint
    from curation.tasks.authoring.similar_queries import similar_prompts
    from curation.tasks.task.models import Task

    call_command("migrate", verbosity=0)
    rng = random.Random(11)
    words, often = vocabulary(rng)
    domain = Domain.objects.create(key="finance", name="Finance")
    texts = [text(rng, words, often) for _n in range(size)]
    started = time.perf_counter()
    for start in range(0, size, 500):
        with transaction.atomic():
            made = Task.objects.bulk_create(
                Task(
                    key=f"b{n}",
                    origin="external",
                    domain=domain,
                    stage="approved",
                    scenario=" ".join(texts[n]),
                )
                for n in range(start, min(size, start + 500))
            )
            for task in made:
                store_fingerprint(task)
    filled = time.perf_counter() - started
    answer: dict[str, Any] = {"prompts": size, "fingerprint_ms": round(filled / size * 1000, 1)}
    for share in (0.0, 0.05, 0.1, 0.15, 0.2, 1.0):
        took, found, likeness = [], 0, []
        for _n in range(COPIES):
            of = rng.randrange(size)
            copy = texts[of][:]
            for position in rng.sample(range(WORDS), int(share * WORDS)):
                copy[position] = rng.choices(words, often)[0] if share < 1 else f"{position}x"
            if share == 1.0:
                copy = text(rng, words, often)
            probe = Task(scenario=" ".join(copy), pk=0)
            with CaptureQueriesContext(connection) as asked:
                started = time.perf_counter()
                near = similar_prompts(probe)
                took.append((time.perf_counter() - started) * 1000)
            if near and near[0].key == f"b{of}":
                found += 1
                likeness.append(near[0].similarity)
        name = "another" if share == 1.0 else f"{share:.0%} of words replaced"
        answer[name] = {
            "found": f"{found} of {COPIES}",
            "likeness": round(statistics.mean(likeness), 2) if likeness else None,
            "p50_ms": round(statistics.median(took), 1),
            "p95_ms": round(sorted(took)[int(0.95 * len(took))], 1),
            "queries": len(asked),
        }
    return answer


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.likeness")
    parser.add_argument("--prompts", type=int, default=10_000)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        import django

        django.setup()
        print(json.dumps(measure(arguments.prompts)))
        return 0
    out = ROOT / "var" / "bench"
    scratch = out / "likeness"
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
    }
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.likeness", "--inside"]
        + ["--prompts", str(arguments.prompts)],
        cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    shutil.rmtree(scratch)
    found = json.loads(done.stdout.splitlines()[-1])
    for name, row in found.items():
        print(f"{name:24} {row}")
    (out / "likeness.json").write_text(json.dumps(found, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
