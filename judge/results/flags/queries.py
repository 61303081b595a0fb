"""Flags as pages list them, and the responses that they are about."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from judge.base.gold_sets.task_sets import closed
from judge.results.flags.models import VerdictFlag
from judge.runs.engine.models import JudgeRun, RunItem
from judge.scoring.sheets.models import Sheet, SheetLine

_OPEN = Q(withdrawn_at__isnull=True)
_RESPONSES = ("verdict__judgment__response", "sheet_line__sheet__response")  # from a flag
_RESPONSE = Coalesce(*(f"{path}_id" for path in _RESPONSES))
_LONG = ("scenario", "materials", "requirements", "reference_answer")
_BY_OTHERS = Q(withdrawn_by__isnull=False) & ~Q(withdrawn_by=F("by"))


@dataclass(frozen=True, slots=True)
class FlagRow:
    """A flag as a row of the list.

    Attributes:
        met: what the judge said.
        agree, differ: experts whose submitted sheet agrees with the judge on this line, and those
            whose sheet differs, as the flag does.
        judge: the run that asked for the verdict or the imported judge, as pages take it.
    """

    flag: VerdictFlag
    response: int
    task: str
    language: str
    candidate: str
    line: str
    met: bool
    agree: int
    differ: int
    judge: str


def open_flags() -> "QuerySet[Any]":
    """Select the flags that nobody took back, each with its `response_id`."""
    return VerdictFlag.objects.filter(_OPEN).annotate(response_id=_RESPONSE)


def flags_of(run: JudgeRun | None, rater: str) -> "QuerySet[Any]":
    """Select the open flags on a judge's verdicts.

    Args:
        run: flags on its verdicts, those it shares with another run included.
        rater: without a run, the imported judge.
    """
    if run is not None:
        # Beginning at the flags, which are few: a run may have tens of thousands of responses.
        of_run = RunItem.objects.filter(run=run, judgment=OuterRef("verdict__judgment"))
        return open_flags().filter(Exists(of_run))
    return open_flags().filter(sheet_line__sheet__rater=rater)


def flagged_responses(flags: "QuerySet[Any]") -> set[int]:
    """Return the responses that some open flags are about. One query."""
    return set(flags.values_list("response_id", flat=True))


def flaggers() -> dict[int, set[int]]:
    """Return response -> the people who ever flagged a verdict on it. One query."""
    found: dict[int, set[int]] = {}
    flags = VerdictFlag.objects.annotate(response_id=_RESPONSE)
    for response, person in flags.values_list("response_id", "by_id"):
        found.setdefault(response, set()).add(person)
    return found


def shown_flags() -> "QuerySet[VerdictFlag]":
    """Select the flags that pages show: open ones, and those that others than their author took
    back."""
    return VerdictFlag.objects.filter(_OPEN | _BY_OTHERS)


def list_flags() -> "QuerySet[VerdictFlag]":
    """Select `shown_flags` with what their rows show, open ones first, then newest first.

    Those on tasks of a closed held-out half are left out.
    """
    shown = shown_flags().annotate(task_id=Coalesce(*(f"{path}__task_id" for path in _RESPONSES)))
    return (
        shown.exclude(task_id__in=closed())
        .select_related(
            "by", "withdrawn_by", "verdict__criterion", "sheet_line__criterion",
            *(f"{path}__{name}" for path in _RESPONSES for name in ("candidate", "task")),
        )
        .order_by(F("withdrawn_at").asc(nulls_first=True), "-pk")
        .defer(
            *(f"{path}__text" for path in _RESPONSES),
            *(f"{path}__task__{part}" for path in _RESPONSES for part in _LONG),
        )
    )  # fmt: skip


def flag_rows(flags: Collection[VerdictFlag]) -> list[FlagRow]:
    """Return the rows of one page of the list. One query, however many flags."""
    said = _experts_said(flags)
    rows = []
    for flag in flags:
        line, response, met = flag.criterion, flag.response, flag.met
        counts = said.get((response.pk, line.key, line.text), {})
        rows.append(
            FlagRow(
                flag=flag,
                response=response.pk,
                task=response.task.title or response.task.key,
                language=response.task.language,
                candidate=response.candidate.name,
                line=line.text,
                met=met,
                agree=counts.get(met, 0),
                differ=counts.get(not met, 0),
                judge=flag.judge,
            )
        )
    return rows


def _experts_said(
    flags: Collection[VerdictFlag],
) -> Mapping[tuple[int, str, str], Mapping[bool, int]]:
    """Count the experts' verdicts by response and by key and text of the line."""
    found: dict[tuple[int, str, str], Counter[bool]] = {}
    rows: Any = SheetLine.objects.filter(
        sheet__response__in={flag.response.pk for flag in flags},
        sheet__kind=Sheet.Kind.EXPERT,
        sheet__state=Sheet.State.SUBMITTED,
        met__isnull=False,
    ).values_list("sheet__response_id", "criterion__key", "criterion__text", "met")
    for response, key, text, met in rows:
        found.setdefault((response, key, text), Counter())[met] += 1
    return found
