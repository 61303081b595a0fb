"""Flags as pages list them, and the responses that they are about."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q, QuerySet

from judge.engine.models import JudgeRun, Verdict
from judge.flags.models import VerdictFlag
from judge.gold_sets.task_sets import closed
from judge.sheets.models import Sheet, SheetLine

_OPEN = Q(withdrawn_at__isnull=True)
_BY_OTHERS = Q(withdrawn_by__isnull=False) & ~Q(withdrawn_by=F("by"))


@dataclass(frozen=True, slots=True)
class FlagRow:
    """A flag as a row of the list.

    Attributes:
        met: what the judge said.
        agree, differ: experts whose submitted sheet agrees with the judge on this line, and those
            whose sheet differs, as the flag does.
        run: the run that asked for the verdict, None if it is gone.
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
    run: int | None


def open_flags() -> "QuerySet[VerdictFlag]":
    """Select the flags that nobody took back."""
    return VerdictFlag.objects.filter(_OPEN)


def flags_of_run(run: JudgeRun) -> "QuerySet[VerdictFlag]":
    """Select the open flags on the verdicts of a run, those it shares with another included."""
    return open_flags().filter(verdict__judgment__items__run=run)


def flagged_responses(
    responses: Collection[int] | None = None, *, run: JudgeRun | None = None
) -> set[int]:
    """Return the responses with an open flag. One query.

    Args:
        responses: only these; None for all.
        run: only flags on verdicts of this run; None for all.
    """
    flags = open_flags() if run is None else flags_of_run(run)
    if responses is not None:
        flags = flags.filter(verdict__judgment__response__in=responses)
    return set(flags.values_list("verdict__judgment__response_id", flat=True))


def shown_flags() -> "QuerySet[VerdictFlag]":
    """Select the flags that pages show: open ones, and those that others than their author took
    back."""
    return VerdictFlag.objects.filter(_OPEN | _BY_OTHERS)


def list_flags() -> "QuerySet[VerdictFlag]":
    """Select `shown_flags` with what their rows show, open ones first, then newest first.

    Those on tasks of a closed held-out half are left out.
    """
    shown = shown_flags().exclude(verdict__judgment__response__task__in=closed())
    return shown.select_related(
        "by", "withdrawn_by", "verdict__criterion", "verdict__judgment__response__candidate",
        "verdict__judgment__response__task",
    ).order_by(F("withdrawn_at").asc(nulls_first=True), "-pk").defer(
        "verdict__judgment__response__text",
        "verdict__judgment__response__task__scenario",
        "verdict__judgment__response__task__materials",
        "verdict__judgment__response__task__requirements",
        "verdict__judgment__response__task__reference_answer",
    )  # fmt: skip


def flag_rows(flags: Collection[VerdictFlag]) -> list[FlagRow]:
    """Return the rows of one page of the list. One query, however many flags."""
    said = _experts_said(flags)
    rows = []
    for flag in flags:
        verdict, response = flag.verdict, flag.verdict.judgment.response
        met = verdict.outcome == Verdict.Outcome.MET
        counts = said.get((response.pk, verdict.criterion.key, verdict.criterion.text), {})
        rows.append(
            FlagRow(
                flag=flag,
                response=response.pk,
                task=response.task.title or response.task.key,
                language=response.task.language,
                candidate=response.candidate.name,
                line=verdict.criterion.text,
                met=met,
                agree=counts.get(met, 0),
                differ=counts.get(not met, 0),
                run=verdict.judgment.run_id,
            )
        )
    return rows


def _experts_said(
    flags: Collection[VerdictFlag],
) -> Mapping[tuple[int, str, str], Mapping[bool, int]]:
    """Count the experts' verdicts by response and by key and text of the line."""
    found: dict[tuple[int, str, str], Counter[bool]] = {}
    rows: Any = SheetLine.objects.filter(
        sheet__response__in={flag.verdict.judgment.response_id for flag in flags},
        sheet__kind=Sheet.Kind.EXPERT,
        sheet__state=Sheet.State.SUBMITTED,
        met__isnull=False,
    ).values_list("sheet__response_id", "criterion__key", "criterion__text", "met")
    for response, key, text, met in rows:
        found.setdefault((response, key, text), Counter())[met] += 1
    return found
