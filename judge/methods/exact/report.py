"""Accuracy and calibration of candidates with exact answers."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from curation.base.text.short_answers import gives_none
from judge.base.stats.calibration import BINS, Calibration, calibration
from judge.methods.base.values import Judged


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate: answers judged, right ones, and its calibration."""

    candidate: str
    answers: int
    right: int
    asked: int  # of them, those a model was asked about
    none: int  # of them, empty ones and refusals, which are wrong
    calibration: Calibration

    @property
    def accuracy(self) -> float:
        """Share of right answers in percent."""
        return 100 * self.right / self.answers

    @property
    def error(self) -> float | None:
        """Expected calibration error in points of 100; None where no confidence is stated."""
        found = self.calibration.error
        return None if found is None else float(100 * found)

    @property
    def brier(self) -> float | None:
        """Brier score from 0 to 1; None where no confidence is stated."""
        return None if self.calibration.brier is None else float(self.calibration.brier)

    @property
    def silent(self) -> int:
        """Answers without a confidence; they count in the accuracy alone."""
        return self.answers - self.calibration.answers

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON."""
        return {
            "candidate": self.candidate,
            "answers": self.answers,
            "accuracy": self.right / self.answers,
            "no_answer": self.none,
            "with_confidence": self.calibration.answers,
            "calibration_error": None if self.error is None else self.error / 100,
            "brier": self.brier,
            "why": None if self.calibration.answers else "no answer states a confidence",
        }


@dataclass(frozen=True, slots=True)
class Report:
    """All candidates, the most accurate first."""

    rows: tuple[Row, ...]
    bins: int = BINS

    @classmethod
    def of(cls, judged: Sequence[Judged], name: str) -> Self | None:
        """Return the report over the findings called `name`; None without any."""
        found: dict[str, list[Any]] = defaultdict(list)
        for row in judged:
            if row.findings.get(name):
                found[row.candidate].append(row.findings[name])
        rows = [
            Row(
                who,
                len(answers),
                sum(answer["correct"] for answer in answers),
                sum(answer["asked"] for answer in answers),
                sum(gives_none(answer["extracted"] or "") for answer in answers),
                calibration(
                    (answer["confidence"], answer["correct"])
                    for answer in answers
                    if answer["confidence"] is not None
                ),
            )
            for who, answers in found.items()
        ]
        rows.sort(key=lambda row: (-row.accuracy, row.candidate))
        return cls(tuple(rows)) if rows else None

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON."""
        return {"bins": self.bins, "exact_answers": [row.as_dict() for row in self.rows]}
