"""How candidates stand with what people overruled, beside the judge's own scores."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from judge.methods.base import registry
from judge.results.flags.overrules import OverruledScore
from judge.runs.engine.models import JudgeRun


@dataclass(frozen=True, slots=True)
class OverruledRow:
    """A candidate with overrules.

    Attributes:
        by_judge, score: mean S over its tasks as the judge said, and with overrules; from 0 to 1,
            None without a score.
        differ: how many of its responses have another score, or have one only on one side.
    """

    candidate: str
    by_judge: float | None
    score: float | None
    differ: int

    def as_dict(self) -> dict[str, Any]:
        return {
            "candidate": self.candidate,
            "by_judge": self.by_judge,
            "score": self.score,
            "differ": self.differ,
        }

    @property
    def points_by_judge(self) -> float | None:
        return None if self.by_judge is None else 100 * self.by_judge

    @property
    def points(self) -> float | None:
        return None if self.score is None else 100 * self.score


@dataclass(frozen=True, slots=True)
class OverruledBoard:
    """Candidates with at least one overruled response, the best score with overrules first.

    Attributes:
        responses: how many have an overrule.
        differ: how many of these have another score with it.
    """

    rows: tuple[OverruledRow, ...]
    responses: int
    differ: int

    def as_dict(self) -> dict[str, Any]:
        return {
            "responses": self.responses,
            "differ": self.differ,
            "standings": [row.as_dict() for row in self.rows],
        }


def overruled_scores(run: JudgeRun | None) -> dict[int, Fraction | None]:
    """Return response -> score with overrules, None if unknown. One query where there can be any.

    Responses of which nothing is overruled are left out.
    """
    if run is None or not registry.get(run.method).can_be_overruled:
        return {}
    rows = OverruledScore.objects.filter(judgment__items__run=run)
    return {
        response: None if above is None else Fraction(above, below)
        for response, above, below in rows.values_list(
            "judgment__response_id", "numerator", "denominator"
        )
    }
