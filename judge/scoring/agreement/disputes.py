"""The disputed lines of one task with both sides' reasons.

Nobody is named: reviewers and scorers have numbers, responses have letters.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.scoring.agreement.models import Adjudication
from judge.scoring.agreement.queries import Row, overall_of, sentence
from judge.scoring.agreement.units import Kind, Unit, rulings, units_of
from judge.scoring.sheets import rules
from judge.scoring.sheets.models import SheetLine
from review.rounds.agreement import GivenVerdict, reasons
from rubrics.policy.dimensions import Dimension, Importance

Ruling = Adjudication.Ruling
VERDICT_LABELS = {
    Ruling.APPROVE: gettext_lazy("approved"),
    Ruling.CHANGE: gettext_lazy("change requested"),
    Ruling.MET: gettext_lazy("met"),
    Ruling.UNMET: gettext_lazy("unmet"),
}
HEAD = (
    "kind", "response", "line", "text", "importance", "weight", "dimension", "who", "verdict",
    "aspect", "reason", "state", "ruling", "ruling_reason",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Opinion:
    """One person's first verdict on a line and its reason.

    `later` is their last verdict where it differs from the first, else "".
    """

    who: str
    verdict: str
    aspect: str
    why: str
    where: str
    later: str

    @property
    def label(self) -> str:
        return str(VERDICT_LABELS[Ruling(self.verdict)])

    @property
    def later_label(self) -> str:
        return str(VERDICT_LABELS[Ruling(self.later)]) if self.later else ""

    @property
    def yes(self) -> bool:
        return self.verdict in (Ruling.APPROVE, Ruling.MET)


@dataclass(frozen=True, slots=True)
class Dispute:
    """A line that two people judged differently."""

    unit: Unit
    letter: str
    opinions: tuple[Opinion, ...]
    ruling: Adjudication | None

    @property
    def state(self) -> str:
        """Return "ruled", "together" (the last verdicts agree) or "open"."""
        if self.ruling is not None:
            return "ruled"
        return "together" if self.unit.came_together else "open"

    @property
    def seen(self) -> int:
        return self.ruling.number if self.ruling else 0

    @property
    def name(self) -> str:
        """Return the id of the dispute's element on the page."""
        return f"{self.unit.kind}-{self.unit.criterion}-{self.unit.response or 0}"

    @property
    def importance(self) -> str:
        return self.unit.importance

    @property
    def dimension(self) -> str:
        return str(Dimension(self.unit.dimension).label)

    @property
    def choices(self) -> list[tuple[str, str]]:
        pair = (
            (Ruling.APPROVE, Ruling.CHANGE)
            if self.unit.kind == Kind.REVIEW
            else (Ruling.MET, Ruling.UNMET)
        )
        return [(one.value, str(one.label)) for one in pair]


@dataclass(frozen=True, slots=True)
class Part:
    """The agreement on one kind of verdicts with its disputes, open ones first."""

    kind: str
    row: Row
    disputes: tuple[Dispute, ...]

    @property
    def sentence(self) -> str:
        return sentence(self.kind, self.row)


@dataclass(frozen=True, slots=True)
class Answer:
    """The text of a response that has disputed lines."""

    letter: str
    text: str


def parts(task: Task, *, with_lines: bool) -> list[Part]:
    """Return the agreement on a task's reviews, then on its scores. Seven queries at most.

    A kind without a line judged twice is left out.

    Args:
        with_lines: whether to add the disputed lines; without them no single verdict is shown.
    """
    one = Task.objects.filter(pk=task.pk)
    found = []
    for kind in (Kind.REVIEW, Kind.SHEET):
        units = units_of(kind, one)
        if units:
            ruled = rulings(kind, one)
            disputed = [unit for unit in units if unit.disputed] if with_lines else []
            opinions = (_reviewers_opinions if kind == Kind.REVIEW else _scorers_opinions)(disputed)
            letters = _letters(task.pk, disputed)
            disputes = [
                Dispute(
                    unit,
                    letters.get(unit.response or 0, ""),
                    of_unit,
                    ruled.get(unit.ruling_key),
                )
                for unit, of_unit in zip(disputed, opinions, strict=True)
            ]
            order = {"open": 0, "together": 1, "ruled": 2}
            disputes.sort(key=lambda d: (order[d.state], d.letter, d.unit.criterion))
            found.append(Part(kind, overall_of(kind, units, ruled), tuple(disputes)))
    return found


def answers(found: Iterable[Part]) -> list[Answer]:
    """Return the texts of the responses that have disputed lines, by letter. One query."""
    letters = {
        d.unit.response: d.letter for part in found for d in part.disputes if d.unit.response
    }
    rows = Response.objects.filter(pk__in=letters).values_list("pk", "text") if letters else ()
    return sorted((Answer(letters[pk], text) for pk, text in rows), key=lambda a: a.letter)


def _letters(task: int, disputed: list[Unit]) -> dict[int, str]:
    if not any(unit.response for unit in disputed):
        return {}
    pks = Response.objects.filter(task=task).order_by("pk").values_list("pk", flat=True)
    return {pk: rules.letter(task, rank) for rank, pk in enumerate(pks)}


def _reviewers_opinions(disputed: list[Unit]) -> list[tuple[Opinion, ...]]:
    sources: list[GivenVerdict] = [given for unit in disputed for given in unit.source.values()]
    found = reasons(sources) if sources else {}
    return [tuple(_reviewers_of(unit, found)) for unit in disputed]


def _reviewers_of(unit: Unit, found: Mapping[tuple[int, int], Any]) -> Iterator[Opinion]:
    for who, source in sorted(unit.source.items(), key=lambda pair: pair[1].reviewer):
        reason = found[source.round, source.criterion]
        yield Opinion(
            who=reason.who,
            verdict=unit.first[who],
            aspect=reason.aspect,
            why="\n\n".join(text for _at, text in reason.remarks),
            where=reason.where,
            later=_later(unit, who),
        )


def _later(unit: Unit, who: Hashable) -> str:
    return unit.last[who] if unit.last[who] != unit.first[who] else ""


def _scorers_opinions(disputed: list[Unit]) -> list[tuple[Opinion, ...]]:
    sheets = {sheet for unit in disputed for sheet in unit.source.values()}
    rationales = {
        (sheet, key): why
        for sheet, key, why in SheetLine.objects.filter(sheet__in=sheets).values_list(
            "sheet_id", "criterion__key", "rationale"
        )
    }
    # Number the scorers of the task in the order of their sheets.
    first: dict[Hashable, Any] = {}
    for unit in disputed:
        for rater, sheet in unit.source.items():
            first[rater] = min(sheet, first.get(rater, sheet))
    numbers = {rater: n for n, rater in enumerate(sorted(first, key=lambda r: first[r]), start=1)}
    return [
        tuple(
            Opinion(
                who=_("Scorer %(n)s") % {"n": numbers[rater]},
                verdict=unit.first[rater],
                aspect="",
                why=rationales.get((sheet, unit.key), ""),
                where="",
                later="",
            )
            for rater, sheet in sorted(unit.source.items(), key=lambda pair: numbers[pair[0]])
        )
        for unit in disputed
    ]


def cells(found: Iterable[Part]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of the file of disputes: one for each opinion on each disputed line."""
    for part in found:
        for dispute in part.disputes:
            unit, ruling = dispute.unit, dispute.ruling
            for opinion in dispute.opinions:
                yield (
                    part.kind, dispute.letter, unit.key, unit.text,
                    str(Importance(unit.importance).label), unit.weight, dispute.dimension,
                    opinion.who, opinion.label, opinion.aspect, opinion.why, dispute.state,
                    str(VERDICT_LABELS[Ruling(ruling.ruling)]) if ruling else "",
                    ruling.reason if ruling else "",
                )  # fmt: skip
