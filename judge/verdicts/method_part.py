"""What a run's method says of one response beside verdicts on lines."""

from typing import NamedTuple

from judge.engine.models import Finding, JudgeRun, Judgment
from judge.methods import registry
from judge.methods.method import Part


class MethodPart(NamedTuple):
    """The method's own part of a page, and its score where that does not come from lines.

    Attributes:
        part: None where the method has none, or said nothing.
        points: in points of 100; None without a score, and where the lines give it.
        by_lines: whether the lines give the score.
    """

    part: Part | None
    points: float | None
    by_lines: bool


def method_part(run: JudgeRun, judgment: int | None) -> MethodPart:
    """Return a method's part on one judgment. Two queries at most."""
    method = registry.get(run.method)
    if judgment is None or (method.scored_by_lines and not method.has_findings):
        return MethodPart(None, None, method.scored_by_lines)
    found = Judgment.objects.filter(pk=judgment).values_list("score_numerator", "score_denominator")
    above, below = found.get()
    points = 100 * above / below if above is not None and below else None
    findings = dict(Finding.objects.filter(judgment=judgment).values_list("name", "data"))
    part = method.part(findings, points=points)
    return MethodPart(part, None if method.scored_by_lines else points, method.scored_by_lines)
