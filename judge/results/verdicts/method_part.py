"""What a run's method says of one response beside verdicts on lines, and what people overruled."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from django.template.loader import render_to_string

from judge.methods.base import registry
from judge.methods.base.values import Part
from judge.results.flags.overrules import (
    Overruling,
    findings_of,
    laid_over,
    overrules_of,
    overrulings,
    standing,
)
from judge.runs.engine.models import JudgeRun, Judgment
from judge.scoring.sheets.models import Sheet

MOST_ROWS = 200  # of findings whose form is not known


@dataclass(frozen=True, slots=True)
class Overrules:
    """What people overruled of a judgment, and what they could.

    Attributes:
        judgment: primary key.
        standing: how many findings are overruled.
        by_judge, points: the judge's own score and that with overrules, in points of 100; None
            for an unknown one. They are the same while nothing is overruled.
        open: whether the judgment can be overruled now, which it cannot while a run works on it.
    """

    judgment: int
    findings: Mapping[str, Overruling]
    standing: int
    by_judge: float | None
    points: float | None
    open: bool


class MethodPart(NamedTuple):
    """The method's own part of a page, and its score where that does not come from lines.

    Attributes:
        part: with what people overruled laid over it; None where the method has none, or said
            nothing.
        points: of the judge itself, in points of 100; None without a score, and where the lines
            give it.
        by_lines: whether the lines give the score.
        overrules: None where nothing can be overruled.
    """

    part: Part | None
    points: float | None
    by_lines: bool
    overrules: Overrules | None = None


def method_part(run: JudgeRun, judgment: int | None) -> MethodPart:
    """Return a method's part on one judgment. Three queries at most."""
    method = registry.get(run.method)
    if judgment is None or (method.scored_by_lines and not method.has_findings):
        return MethodPart(None, None, method.scored_by_lines)
    found = Judgment.objects.filter(pk=judgment).values_list(
        "score_numerator", "score_denominator", "state"
    )
    above, below, state = found.get()
    points = by_judge = _points(above, below)
    findings = findings_of(judgment)
    overrules = None
    if method.can_be_overruled and findings:
        rows = overrules_of([judgment]).get(judgment, {})
        now = standing(rows)
        boxes = overrulings(method, findings, rows)
        if now:
            findings = dict(laid_over(method, findings, now))
            score = method.score_of(findings)
            points = _points(score.numerator, score.denominator)
        overrules = Overrules(
            judgment, boxes, len(now), by_judge, points, state != Judgment.State.WAITING
        )
    part = method.part(findings, points=points)
    own = None if method.scored_by_lines else by_judge
    return MethodPart(part, own, method.scored_by_lines, overrules)


def imported_part(sheet: Sheet) -> MethodPart | None:
    """Return what an imported judge found, as the method of that name shows it.

    Findings of a file may have any form. What the method cannot show, or what no method of this
    installation gives, is listed as it stands. None for a sheet that names no method.
    """
    if not sheet.method:
        return None
    points = None if sheet.score is None else 100 * sheet.score
    method, part = registry.METHODS.get(sheet.method), None
    if method is not None and sheet.findings:
        try:
            part = method.part(sheet.findings, points=points)
            if part is not None:  # a template may fail on a value that `part` took as it stood
                context = {"part": part.data, "language": "", "overrules": None}
                render_to_string(part.template, context)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            part = None
    if part is None and sheet.findings:
        rows = list(islice(_rows(sheet.findings), MOST_ROWS + 1))
        data = {"rows": rows[:MOST_ROWS], "more": len(rows) > MOST_ROWS}
        part = Part("methods/base/findings.html", data)
    return MethodPart(part, points, by_lines=False)


def _rows(found: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (name, value) of everything in findings: "list.counted.1.entry", "Acme"."""
    if isinstance(found, Mapping):
        inside = list(found.items())
    elif isinstance(found, list):
        inside = [(str(n), each) for n, each in enumerate(found, start=1)]
    else:
        yield name, found
        return
    for key, value in inside:
        yield from _rows(value, f"{name}.{key}" if name else str(key))


def _points(above: int | None, below: int | None) -> float | None:
    return 100 * above / below if above is not None and below else None
