"""How a rubric's weight is distributed over importance and dimensions.

Bars show weight, not the number of lines, because weight determines the score. Critical flaws of a
skill earn nothing, so they have no share.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import Any

from django.db.models import Q, Sum

from curation.base.process.lifecycle import Stage
from curation.tasks.task.models import ANSWERABLE, AnswerForm, Task
from rubrics.policy.checkpoints import is_flaw
from rubrics.policy.dimensions import Dimension, Importance
from rubrics.versions.models import Criterion
from rubrics.versions.queries import versions_that_count

MIN_RUBRICS = 5  # approved rubrics needed to say what is usual


@dataclass(frozen=True)
class Part:
    """One row of the balance: `weight` of `total` points, on `lines` lines."""

    key: str
    label: str
    lines: int
    weight: int
    total: int

    @property
    def share(self) -> float:
        """From 0 to 1; 0 for an empty rubric."""
        return self.weight / self.total if self.total else 0.0


def by_importance(lines: Iterable[Any]) -> list[Part]:
    """Return the parts of the three classes, from essential to optional, including empty ones."""
    return _parts(lines, "importance", [(c.value, str(c.label)) for c in Importance])


def by_dimension(lines: Iterable[Any]) -> list[Part]:
    """Return the parts of the dimensions that have a line, most weight first."""
    parts = _parts(lines, "dimension", [(c.value, str(c.label)) for c in Dimension])
    return sorted((p for p in parts if p.lines), key=lambda p: (-p.weight, p.label))


def count_flaws(lines: Iterable[Any]) -> int:
    """Return how many lines are critical flaws."""
    return sum(is_flaw(line.dimension) for line in lines)


def _parts(lines: Iterable[Any], field: str, names: Sequence[tuple[str, str]]) -> list[Part]:
    lines = [line for line in lines if not is_flaw(line.dimension)]
    total = sum(line.weight for line in lines)
    return [
        Part(
            key,
            label,
            sum(getattr(line, field) == key for line in lines),
            sum(line.weight for line in lines if getattr(line, field) == key),
            total,
        )
        for key, label in names
    ]


@dataclass(frozen=True)
class Shift:
    """The weight of one importance or dimension in two rubrics."""

    key: str
    label: str
    old: Part
    new: Part

    @property
    def points(self) -> int:
        """New weight minus old weight."""
        return self.new.weight - self.old.weight


def shift_by_importance(old: Iterable[Any], new: Iterable[Any]) -> list[Shift]:
    """Compare the three classes, from essential to optional."""
    return _shifts(by_importance(old), by_importance(new))


def shift_by_dimension(old: Iterable[Any], new: Iterable[Any]) -> list[Shift]:
    """Compare the dimensions that either rubric has, by weight in the new one, highest first."""
    names = [(c.value, str(c.label)) for c in Dimension]
    shifts = _shifts(_parts(old, "dimension", names), _parts(new, "dimension", names))
    used = [shift for shift in shifts if shift.old.lines or shift.new.lines]
    return sorted(used, key=lambda shift: (-shift.new.weight, -shift.old.weight, shift.label))


def _shifts(old: Sequence[Part], new: Sequence[Part]) -> list[Shift]:
    return [Shift(a.key, a.label, a, b) for a, b in zip(old, new, strict=True)]


def usual_share(shares: Sequence[float]) -> tuple[int, int] | None:
    """Return the quartiles (low, high) of shares (0 to 1) in whole percent; None with too few.

    Quartiles by linear interpolation, both ends included.
    """
    if len(shares) < MIN_RUBRICS:
        return None
    low, _middle, high = quantiles(shares, n=4, method="inclusive")
    return round(100 * low), round(100 * high)


RECENT = 50  # newest approved rubrics considered


def usual_essential_share(domain_id: int) -> tuple[int, int] | None:
    """Return the usual share of weight in Essential lines of a domain's approved rubrics.

    The quartiles (low, high) over the newest approved tasks, in whole percent; None with too few.
    """
    tasks = list(
        Task.objects.filter(
            origin__in=ANSWERABLE,
            stage=Stage.APPROVED,
            domain_id=domain_id,
            answer_form=AnswerForm.TEXT,
        )
        .order_by("-id")
        .values_list("pk", flat=True)[:RECENT]
    )
    if len(tasks) < MIN_RUBRICS:
        return None
    rows = (
        Criterion.objects.filter(version__in=versions_that_count(tasks).values())
        .order_by()
        .values("version_id")
        .annotate(all=Sum("weight"), essential=Sum("weight", filter=Q(importance="essential")))
    )
    return usual_share([(row["essential"] or 0) / row["all"] for row in rows])
