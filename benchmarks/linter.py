"""How long the marks of a rubric of 40 lines take, with prompt and reference answer.

    python -m benchmarks.linter [--rounds 50]

The lines, prompts and reference answers are those of `fixtures/linter`. "cold" reads everything
anew, as the first page after a start does; "warm" is what a save costs: one line changed, all the
others are remembered. Milliseconds of one core, the median of the rounds.
"""

import argparse
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def measure(rounds: int) -> dict[str, Any]:
    """Median milliseconds, cold and warm."""
    from rubrics.linter.rules import Beside, forget, lint_rubric, lint_whole
    from rubrics.marks.precision import Line, read_labelled

    sets = read_labelled(ROOT / "fixtures" / "linter")
    lines = [line for labelled in sets for line in labelled.lines][:40]
    beside = Beside(
        "\n".join(labelled.prompt for labelled in sets[:3]),
        "\n".join(labelled.reference for labelled in sets[:20]),
    )
    cold, warm = [], []
    for n in range(rounds):
        forget()
        started = time.process_time()
        lint_rubric(lines, beside)
        lint_whole(lines, beside)
        cold.append(1000 * (time.process_time() - started))
        changed = Line("x", f"{lines[0].text} {n}", "important", 5, frozenset())
        started = time.process_time()
        lint_rubric([changed, *lines[1:]], beside)
        lint_whole([changed, *lines[1:]], beside)
        warm.append(1000 * (time.process_time() - started))
    return {
        "lines": len(lines),
        "reference_characters": len(beside.reference),
        "cold_ms": round(statistics.median(cold), 1),
        "warm_ms": round(statistics.median(warm), 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.linter")
    parser.add_argument("--rounds", type=int, default=50)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("DEBUG", "1")
    import django

    django.setup()
    print(json.dumps(measure(options.rounds)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
