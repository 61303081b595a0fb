"""The disputed lines of one task, with both sides' reasons. No names: reviewers and scorers have
numbers, responses have letters."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.tasks.models import Task
from judge.agreement.models import Adjudication
from judge.agreement.queries import Row, overall_of, sentence
from judge.agreement.units import Kind, Unit, rulings, units_of
from judge.candidates.models import Response
from judge.sheets import rules
from judge.sheets.models import SheetLine
from review.rounds.agreement import Reading, reasons
from rubrics.policy.dimensions import Dimension, Importance

Ruling = Adjudication.Ruling
SAID = {
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
    """What one reader said of the line first, and why; `later` where they changed their mind."""

    who: str
    verdict: str
    aspect: str
    why: str
    where: str
    later: str

    @property
    def label(self) -> str:
        return str(SAID[Ruling(self.verdict)])

    @property
    def later_label(self) -> str:
        return str(SAID[Ruling(self.later)]) if self.later else ""

    @property
    def yes(self) -> bool:
        return self.verdict in (Ruling.APPROVE, Ruling.MET)


@dataclass(frozen=True, slots=True)
class Dispute:
    """One line on which readers differ."""

    unit: Unit
    letter: str
    opinions: tuple[Opinion, ...]
    ruling: Adjudication | None

    @property
    def state(self) -> str:
        """ruled, together or open."""
        if self.ruling is not None:
            return "ruled"
        return "together" if self.unit.came_together else "open"

    @property
    def seen(self) -> int:
        return self.ruling.number if self.ruling else 0

    @property
    def name(self) -> str:
        """The part of the page it stands in."""
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
    """The agreement on one kind of verdicts, and its disputes: open ones first."""

    kind: str
    row: Row
    disputes: tuple[Dispute, ...]

    @property
    def sentence(self) -> str:
        return sentence(self.kind, self.row)


@dataclass(frozen=True, slots=True)
class Answer:
    """A response somebody disagrees on."""

    letter: str
    text: str


def parts(task: Task, *, with_lines: bool) -> list[Part]:
    """Reviews, then scores; a kind that nobody judged twice is left out. Seven queries at most.

    Args:
        with_lines: also the disputed lines. Without them nothing of a single verdict is told.
    """
    one = Task.objects.filter(pk=task.pk)
    found = []
    for kind in (Kind.REVIEW, Kind.SHEET):
        units = units_of(kind, one)
        if units:
            ruled = rulings(kind, one)
            disputed = [unit for unit in units if unit.disputed] if with_lines else []
            opinions = (_of_reviewers if kind == Kind.REVIEW else _of_scorers)(disputed)
            letters = _letters(task.pk, disputed)
            disputes = [
                Dispute(unit, letters.get(unit.response or 0, ""), said, ruled.get(unit.place))
                for unit, said in zip(disputed, opinions, strict=True)
            ]
            order = {"open": 0, "together": 1, "ruled": 2}
            disputes.sort(key=lambda d: (order[d.state], d.letter, d.unit.criterion))
            found.append(Part(kind, overall_of(kind, units, ruled), tuple(disputes)))
    return found


def answers(found: Iterable[Part]) -> list[Answer]:
    """The texts of the responses whose lines are disputed. One query."""
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


def _of_reviewers(disputed: list[Unit]) -> list[tuple[Opinion, ...]]:
    sources: list[Reading] = [said for unit in disputed for said in unit.source.values()]
    why = reasons(sources) if sources else {}
    return [tuple(_reviewers(unit, why)) for unit in disputed]


def _reviewers(unit: Unit, why: Mapping[tuple[int, int], Any]) -> Iterator[Opinion]:
    for who, source in sorted(unit.source.items(), key=lambda pair: pair[1].reviewer):
        said = why[source.round, source.criterion]
        yield Opinion(
            who=said.who,
            verdict=unit.first[who],
            aspect=said.aspect,
            why="\n\n".join(text for _at, text in said.remarks),
            where=said.where,
            later=_later(unit, who),
        )


def _later(unit: Unit, who: Hashable) -> str:
    return unit.last[who] if unit.last[who] != unit.first[who] else ""


def _of_scorers(disputed: list[Unit]) -> list[tuple[Opinion, ...]]:
    sheets = {sheet for unit in disputed for sheet in unit.source.values()}
    rationales = {
        (sheet, key): why
        for sheet, key, why in SheetLine.objects.filter(sheet__in=sheets).values_list(
            "sheet_id", "criterion__key", "rationale"
        )
    }
    # A number for each scorer of the task, in the order of their sheets.
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
    """One row for each opinion on each disputed line, for a file."""
    for part in found:
        for dispute in part.disputes:
            unit, ruling = dispute.unit, dispute.ruling
            for said in dispute.opinions:
                yield (
                    part.kind, dispute.letter, unit.key, unit.text,
                    str(Importance(unit.importance).label), unit.weight, dispute.dimension,
                    said.who, said.label, said.aspect, said.why, dispute.state,
                    str(SAID[Ruling(ruling.ruling)]) if ruling else "",
                    ruling.reason if ruling else "",
                )  # fmt: skip
