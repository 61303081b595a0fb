"""Store how responses ended: their judgments with the score, and the items of the run."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Case, Value, When
from django.utils import timezone

from curation.base.process.states import move
from judge.runs.engine.events import Ended
from judge.runs.engine.models import JudgeRun, Judgment, RunItem
from judge.runs.engine.signals import judgments_ended


class _Outcome(NamedTuple):
    """How a judgment ended, but for its points."""

    complete: bool
    reason: str
    most_points: int
    lines_total: int
    lines_decided: int


def store(run: JudgeRun, ended: Sequence[Ended]) -> None:
    """Store how responses ended; call it in the transaction that stores their verdicts."""
    now = timezone.now()
    points: dict[_Outcome, dict[int, int | None]] = defaultdict(dict)  # judgment -> its points
    for event in ended:
        material, reason = event.job.material, ""
        score = material.score(event.outcomes, event.findings)
        if event.reasons:
            reason = Counter(event.reasons.values()).most_common(1)[0][0]
            mine = RunItem.objects.filter(pk=event.job.item)
            move(mine, RunItem.State.FAILED, reason=reason, finished_at=now)
        else:
            reason = material.method.why(score)
        outcome = _Outcome(
            score.complete,
            reason,
            score.denominator,
            lines_total=material.method.counted(material),
            lines_decided=score.judged,
        )
        points[outcome][event.job.judgment] = score.numerator
    for outcome, of_each in points.items():
        _end(run, outcome, of_each, now)
    judgments_ended.send(Judgment, judgments=[event.job.judgment for event in ended])
    if through := [event.job.judgment for event in ended if not event.reasons]:
        # A judgment is shared by all runs that hold it: their failed items are judged now, too.
        items = RunItem.objects.filter(judgment_id__in=through)
        move(items, RunItem.State.JUDGED, reason="", finished_at=now)


def _end(run: JudgeRun, outcome: _Outcome, points: Mapping[int, int | None], now: datetime) -> None:
    """End the judgments that have an outcome in common, in one statement.

    One for each judgment would wait for the database a thousand times in a run of a thousand
    responses (docs/decisions/0009-judge-runs.md has the figures).
    """
    move(
        Judgment.objects.filter(run=run, pk__in=points),
        Judgment.State.COMPLETE if outcome.complete else Judgment.State.INCOMPLETE,
        reason=outcome.reason,
        score_numerator=Case(*(When(pk=pk, then=Value(n)) for pk, n in points.items()))
        if outcome.complete
        else None,
        score_denominator=outcome.most_points,
        lines_total=outcome.lines_total,
        lines_decided=outcome.lines_decided,
        finished_at=now,
    )
