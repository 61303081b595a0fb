"""Times the linter on a rubric of 40 lines with prompt and reference answer.

    python -m benchmarks.linter [--rounds 50]

The texts are those of `fixtures/linter`. "cold" starts with empty caches, like the first page after
a start; "warm" changes one line and has the others cached, like a save. Figures are processor
milliseconds, the median of the rounds.
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
    """Return median milliseconds, cold and warm."""
    from rubrics.linter.rules import LintContext, clear_caches, lint_rubric, lint_whole
    from rubrics.marks.precision import Line, read_labelled

    sets = read_labelled(ROOT / "fixtures" / "linter")
    lines = [line for labelled in sets for line in labelled.lines][:40]
    context = LintContext(
        "\n".join(labelled.prompt for labelled in sets[:3]),
        "\n".join(labelled.reference for labelled in sets[:20]),
    )
    cold, warm = [], []
    for n in range(rounds):
        clear_caches()
        started = time.process_time()
        lint_rubric(lines, context)
        lint_whole(lines, context)
        cold.append(1000 * (time.process_time() - started))
        changed = Line("x", f"{lines[0].text} {n}", "important", 5, frozenset())
        started = time.process_time()
        lint_rubric([changed, *lines[1:]], context)
        lint_whole([changed, *lines[1:]], context)
        warm.append(1000 * (time.process_time() - started))
    return {
        "lines": len(lines),
        "reference_characters": len(context.reference),
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
