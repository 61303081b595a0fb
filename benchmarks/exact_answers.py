"""Counts what is decided about hand-written pairs of an expected answer and a response.

    python -m benchmarks.exact_answers

The pairs are `fixtures/exact_answers/pairs.tsv`, with what is certain of each. A false right or a
false wrong is one that the pair does not say, also on a pair that has to be asked about.
"""

import csv
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

PAIRS = Path(__file__).resolve().parent.parent / "fixtures" / "exact_answers" / "pairs.tsv"
NEW_LINE = "⏎"  # in a cell


@dataclass(frozen=True)
class Pair:
    """What an author expects, what a response says, and what is certain of it."""

    line: int
    right: Any  # judge.methods.exact.comparing.RightAnswer
    response: str
    verdict: str
    note: str


def read_pairs(path: Path = PAIRS) -> Iterator[Pair]:
    """Read the table; a tolerance that ends in % is a per cent of the answer."""
    from judge.methods.exact.comparing import RightAnswer

    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        for line, row in enumerate(rows, start=2):
            tolerance = row["tolerance"]
            right = RightAnswer(
                row["expected"],
                row["kind"],
                Decimal(tolerance.rstrip("%")) if tolerance else None,
                tolerance.endswith("%"),
                row["unit"],
                tuple(filter(None, row["alternatives"].split(";"))),
            )
            response = row["response"].replace(NEW_LINE, "\n")
            yield Pair(line, right, response, row["verdict"], row["note"])


def measure() -> tuple[Counter[str], list[str]]:
    """Return how many pairs were decided as what, and those decided other than written."""
    from judge.methods.exact.comparing import decide

    counts: Counter[str] = Counter()
    odd = []
    for pair in read_pairs():
        told = decide(pair.response, pair.right)[0].value
        counts["pairs"] += 1
        counts[told] += 1
        if told != pair.verdict:
            counts[f"false {told}"] += 1
            odd.append(
                f"line {pair.line}: {pair.right.answer!r} and {pair.response!r}"
                f" were decided {told}, not {pair.verdict}"
            )
    return counts, odd


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("DEBUG", "1")
    import django

    django.setup()
    counts, odd = measure()
    for name in ("pairs", "right", "wrong", "ask", "false right", "false wrong", "false ask"):
        print(f"{name:12} {counts[name]:4}")
    print("\n".join(odd), end="\n" if odd else "")
    return 1 if odd else 0


if __name__ == "__main__":
    sys.exit(main())
