"""The rule that stands in for a model: the share of evidence, in five steps (docs/offline.md)."""

from collections.abc import Sequence
from typing import Any

from judge.asking.providers.inputs import Criterion, JudgeInputs, TaskText
from judge.asking.providers.rules.grade import judge
from judge.asking.providers.rules.passages import passages
from judge.methods.graded.scale import LOWEST, STEPS

MOST_SENTENCES = 40  # of a reference answer that are looked for


def graded_by_rules(
    task: TaskText, lines: Sequence[Criterion], reference: str, response: str
) -> dict[str, Any]:
    """Return a reply: 1 plus four times the share of points found, rounded half up.

    The points are the lines of the rubric, else the sentences of the reference answer.
    """
    points = tuple(lines) or tuple(
        Criterion(f"s{n}", passage.text, "important", 1, "other")
        for n, passage in enumerate(passages(reference)[:MOST_SENTENCES], start=1)
    )
    wanted = tuple(point.id for point in points)
    verdicts = judge(JudgeInputs(task, points, None, response, wanted))["verdicts"]
    met = sum(verdict["met"] is True for verdict in verdicts)
    steps = (2 * STEPS * met + len(points)) // (2 * len(points)) if points else 0
    return {
        "analysis": f"Rules, not a model: {met} of {len(points)} points have evidence.",
        "grade": LOWEST + steps,
    }
