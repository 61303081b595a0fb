"""Precision and recall of the linter's rules on labelled lines, and how often each rule fires."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rubrics.linter import coverage
from rubrics.linter.rules import RULES, LintContext, lint_rubric, lint_whole

HALVES = ("tune", "held_out")


@dataclass(frozen=True)
class Line:
    """A labelled line: what the linter reads, and the codes of the marks it deserves."""

    id: str
    text: str
    importance: str
    weight: int | None
    codes: frozenset[str]
    dimension: str = ""


@dataclass
class LabelledSet:
    """The lines of one made-up task, in order.

    Attributes:
        half: "tune" or "held_out".
        uncovered: beginnings of the requirements of the prompt that no line covers.
    """

    name: str
    half: str
    language: str
    prompt: str
    reference: str
    uncovered: tuple[str, ...]
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True)
class Count:
    """Counts of one rule: hits (`right`), false alarms (`wrong`) and misses (`missed`)."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def precision(self) -> float | None:
        """Share of the marks given that are deserved, 0 to 1; None without a mark."""
        given = self.right + self.wrong
        return self.right / given if given else None

    @property
    def recall(self) -> float | None:
        """Share of the deserved marks that are given, 0 to 1; None where none is deserved."""
        deserved = self.right + self.missed
        return self.right / deserved if deserved else None

    def __add__(self, other: "Count") -> "Count":
        return Count(self.right + other.right, self.wrong + other.wrong, self.missed + other.missed)

    def as_dict(self) -> dict[str, Any]:
        """Return the counts for JSON, undefined shares as None."""
        return {
            "right": self.right,
            "wrong": self.wrong,
            "missed": self.missed,
            "precision": self.precision,
            "recall": self.recall,
        }


def read_labelled(folder: Path) -> list[LabelledSet]:
    """Read the labelled sets of `lines.jsonl` and `tasks.jsonl` in a folder.

    Raises:
        ValueError: a line is no JSON, or its set or a code is unknown.
    """
    sets = {}
    for row in read_jsonl(folder / "tasks.jsonl"):
        sets[row["set"]] = LabelledSet(
            row["set"],
            row["half"],
            row["language"],
            row["requirements"],
            row["reference_answer"],
            tuple(row["uncovered"]),
        )
    known = {rule.code for rule in RULES}
    for row in read_jsonl(folder / "lines.jsonl"):
        codes = frozenset(row["codes"])
        if row["set"] not in sets or codes - known:
            raise ValueError(f"{row['id']}: {row['set']}, {sorted(codes - known)}")
        sets[row["set"]].lines.append(
            Line(row["id"], row["text"], row["importance"], row["weight"], codes)
        )
    return list(sets.values())


def read_rubrics(path: Path) -> list[tuple[list[Line], LintContext]]:
    """Read the rubrics of a file: tasks with a `rubric` as for `import_tasks`, or bare lines.

    Bare lines (objects with `text`, optionally `importance` and `weight`) make one rubric without
    a prompt and a reference answer.

    Raises:
        ValueError: with the number of the row that is neither.
    """
    rubrics: list[tuple[list[Line], LintContext]] = []
    bare: list[Line] = []
    for n, row in enumerate(read_jsonl(path), start=1):
        if isinstance(row.get("rubric"), list):
            context = LintContext(
                str(row.get("requirements") or ""), str(row.get("reference_answer") or "")
            )
            rubrics.append(([_line(line, n) for line in row["rubric"]], context))
        else:
            bare.append(_line(row, n))
    return [*rubrics, *([(bare, LintContext())] if bare else [])]


def _line(row: Any, n: int) -> Line:
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise ValueError(f"row {n}: a line has a text")
    weight = row.get("weight")
    return Line(
        str(row.get("id", n)),
        row["text"],
        str(row.get("importance", "")),
        weight if isinstance(weight, int) else None,
        frozenset(),
        str(row.get("dimension", "")),
    )


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """Read the objects of a file of JSON lines; empty lines are skipped.

    Raises:
        ValueError: with the number of the first line that is no JSON object.
    """
    rows = []
    for n, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as problem:
            raise ValueError(f"line {n}: {problem}") from problem
        if not isinstance(row, dict):
            raise ValueError(f"line {n}: not a JSON object")
        rows.append(row)
    return rows


def outcomes(labelled: LabelledSet) -> dict[str, Count]:
    """Return code -> hits, false alarms and misses in one set."""
    counts: dict[str, Count] = defaultdict(Count)
    context = LintContext(labelled.prompt, labelled.reference)
    for line, marks in zip(labelled.lines, lint_rubric(labelled.lines, context), strict=True):
        given = {mark.code for mark in marks}
        for code in given | line.codes:
            counts[code] += Count(
                code in given & line.codes, code in given - line.codes, code in line.codes - given
            )
    marked = [mark.about for mark in lint_whole(labelled.lines, context)]
    for words in marked:
        deserved = any(words.startswith(wanted) for wanted in labelled.uncovered)
        counts[coverage.RULE.code] += Count(deserved, not deserved)
    for wanted in labelled.uncovered:
        missed = not any(words.startswith(wanted) for words in marked)
        counts[coverage.RULE.code] += Count(0, 0, missed)
    return dict(counts)


def measure(sets: Iterable[LabelledSet]) -> dict[str, dict[str, Count]]:
    """Return half ("tune", "held_out") -> code -> counts, with every rule in both halves."""
    found = {half: {rule.code: Count() for rule in RULES} for half in HALVES}
    for labelled in sets:
        counts = found[labelled.half]
        for code, count in outcomes(labelled).items():
            counts[code] += count
    return found


def table(found: Mapping[str, Mapping[str, Count]]) -> str:
    """Format the measurements as a Markdown table: shares in percent with their counts."""
    rows = [
        "| rule | tuned on: precision | recall | held out: precision | recall |",
        "|---|---|---|---|---|",
    ]
    for rule in RULES:
        cells = [
            _share(part, of)
            for half in HALVES
            for count in (found[half][rule.code],)
            for part, of in (
                (count.right, count.right + count.wrong),
                (count.right, count.right + count.missed),
            )
        ]
        rows.append(f"| `{rule.code}` | {' | '.join(cells)} |")
    return "\n".join(rows)


def _share(part: int, of: int) -> str:
    return f"{round(100 * part / of)} % ({part}/{of})" if of else "– (0/0)"


def rates_table(found: Mapping[str, Any]) -> str:
    """Format how often each rule fires as a Markdown table."""
    rows = ["| rule | marks | per 100 lines |", "|---|---|---|"]
    for code, marks in found["marks"].items():
        rate = f"{100 * marks / found['lines']:.1f}" if found["lines"] else "–"
        rows.append(f"| `{code}` | {marks} | {rate} |")
    return "\n".join(rows)


def rates(rubrics: Iterable[tuple[Sequence[Any], LintContext]]) -> Mapping[str, Any]:
    """Count how often each rule fires: {"rubrics", "lines", "marked", "marks": {code: n}}."""
    fired: Counter[str] = Counter()
    lines = marked = read = 0
    for some, context in rubrics:
        read += 1
        lines += len(some)
        for marks in lint_rubric(some, context):
            fired.update(mark.code for mark in marks)
            marked += bool(marks)
        fired.update(mark.code for mark in lint_whole(some, context))
    return {
        "rubrics": read,
        "lines": lines,
        "marked": marked,
        "marks": {rule.code: fired[rule.code] for rule in RULES},
    }
