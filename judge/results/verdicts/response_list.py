"""The responses that a judge was asked about, as a list that can be narrowed."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, FloatField, Q, QuerySet, Sum
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from judge.asking.candidates.earlier_text import COLUMNS, ITEM_COLUMNS, LABELS, code_of
from judge.asking.candidates.models import Response
from judge.base.gold_sets.task_sets import closed_of, parse
from judge.methods.base import registry
from judge.results.alignment.raters import Rater
from judge.results.flags.flags import flagged_responses, flags_of
from judge.runs.engine.models import Judgment, RunItem, Verdict
from judge.runs.engine.planning.skipping import SKIPPED
from judge.runs.pages import failure_kinds
from judge.scoring.sheets.models import Sheet, SheetLine
from judge.scoring.sheets.queries import submitted_sheets
from rubrics.versions.models import Criterion

BY_TASK, LOWEST, HIGHEST = "", "lowest", "highest"
WITH_SHEET, FLAGGED = "experts", "flagged"


@dataclass(frozen=True, slots=True)
class ResponseRow:
    """A response as a row of the list.

    Attributes:
        score, expert: S by the judge and the mean S of the experts in points of 100, over the
            lines asked for; None where a line is undecided or there is no sheet. By a method that
            scores by something else, the judge's is that score.
        number: the single number of an imported judge that gave no verdicts.
        met, lines: the lines met by the judge's verdicts, and those it decided.
        flags: open flags on the verdicts of this judge.
        why: why there is no score, or that it is stale; "" where there is one that counts.
    """

    pk: int
    task: str
    language: str
    candidate: str
    sample: int
    score: float | None
    number: float | None
    met: int
    lines: int
    expert: float | None
    flags: int
    why: str

    @property
    def difference(self) -> float | None:
        """Points that the judge gave more than the experts."""
        if self.score is None or self.expert is None:
            return None
        return self.score - self.expert


def list_responses(judge: Rater, wanted: Mapping[str, Any]) -> "QuerySet[Any, int]":
    """Return the ids of the responses of a judge that fit a filter, each once, in order.

    Args:
        wanted: the values of `VerdictFilter`.
    """
    rows = _narrowed(_asked(judge), wanted, judge)
    order: list[Any] = ["response__task_id", "response__candidate__name", "response__sample"]
    if judge.run is None:
        rows = rows.distinct()  # an imported rater may have two sheets on one
    elif wanted.get("order") in (LOWEST, HIGHEST):
        share: Any = Cast("judgment__score_numerator", FloatField()) / F(
            "judgment__score_denominator"
        )
        by_score = (
            share.asc(nulls_last=True) if wanted["order"] == LOWEST else share.desc(nulls_last=True)
        )
        order = [by_score]  # names would be read of all responses, only to order equal scores
    return rows.order_by(*order, "response_id").values_list("response_id", flat=True)


def _asked(judge: Rater) -> "QuerySet[Any]":
    if judge.run is not None:
        return RunItem.objects.filter(run=judge.run).exclude(reason="baseline")
    return Sheet.objects.filter(
        rater=judge.name, state=Sheet.State.SUBMITTED, response__baseline=False
    )


def _narrowed(rows: "QuerySet[Any]", wanted: Mapping[str, Any], judge: Rater) -> "QuerySet[Any]":
    if wanted.get("tasks"):
        rows = parse(wanted["tasks"]).within(rows, "response__task")
    if wanted.get("candidate"):
        rows = rows.filter(response__candidate__name=wanted["candidate"])
    if wanted.get("domain"):
        rows = rows.filter(response__task__domain__key=wanted["domain"])
    if wanted.get("state") and rows.model is RunItem:
        rows = rows.filter(state=wanted["state"])
    if wanted.get("only") == WITH_SHEET:
        rows = rows.filter(response__in=submitted_sheets().values("response_id"))
    elif wanted.get("only") == FLAGGED:
        rows = rows.filter(response__in=flagged_responses(flags_of(judge.run, judge.name)))
    return rows


def response_rows(
    judge: Rater, responses: Sequence[int], lines: Mapping[str, str]
) -> list[ResponseRow]:
    """Return the rows of one page, in the order given. Eight queries at most, however many rows.

    Responses to tasks of a closed held-out half have no verdicts and scores in their row.

    Args:
        lines: the lines that count, as field of a line -> value; {} for all.
    """
    shares = _judged(judge, responses, lines)
    own = {} if lines else _own_points(judge, responses)
    experts = _experts(responses, lines)
    gaps = _gaps(judge, responses)
    flags = _flags(judge, responses)
    rows = {}
    for pk, title, key, language, candidate, sample, shut in (
        Response.objects.filter(pk__in=responses)
        .annotate(closed=closed_of("task"))
        .values_list(
            "pk", "task__title", "task__key", "task__language", "candidate__name", "sample",
            "closed",
        )
    ):  # fmt: skip
        if shut:
            rows[pk] = ResponseRow(
                pk, title or key, language, candidate, sample, None, None, 0, 0, None, 0,
                _("held out, not shown"),
            )  # fmt: skip
            continue
        share = shares.get(pk, _Share())
        score = own.get(pk, share.points)
        rows[pk] = ResponseRow(
            pk=pk,
            task=title or key,
            language=language,
            candidate=candidate,
            sample=sample,
            score=score,
            number=gaps.numbers.get(pk),
            met=share.met,
            lines=share.decided,
            expert=experts.get(pk),
            flags=flags.get(pk, 0),
            why=gaps.stale.get(pk) or ("" if score is not None else gaps.why.get(pk, "")),
        )
    return [rows[pk] for pk in responses if pk in rows]


def _flags(judge: Rater, responses: Sequence[int]) -> dict[int, int]:
    """Count the open flags on a judge's verdicts by response."""
    rows = flags_of(judge.run, judge.name).filter(response_id__in=responses).order_by()
    return dict(rows.values_list("response_id").annotate(n=Count("id")))


@dataclass(frozen=True, slots=True)
class _Share:
    """Counts and weights of the lines of one judgment or sheet; `lines` are those of its rubric."""

    met: int = 0
    decided: int = 0
    lines: int = 0
    above: int = 0
    below: int = 0

    @property
    def points(self) -> float | None:
        if not self.below or self.decided != self.lines:
            return None
        return 100 * self.above / self.below


def _judged(judge: Rater, responses: Sequence[int], lines: Mapping[str, str]) -> dict[int, _Share]:
    only = {f"criterion__{field}": value for field, value in lines.items()}
    if judge.run is None:
        sheets = _asked(judge).filter(response__in=responses)
        return {response: share for response, share, _sheet in _of_sheets(sheets, only)}
    outcome = Verdict.Outcome
    rows = (
        Verdict.objects.filter(
            judgment__items__run=judge.run, judgment__response__in=responses, **only
        )
        .exclude(judgment__state=Judgment.State.WAITING)  # only some of its lines may be stored
        .order_by()
        .values_list("judgment__response_id")
        .annotate(
            met=Count("id", filter=Q(outcome=outcome.MET)),
            decided=Count("id", filter=Q(outcome__in=(outcome.MET, outcome.UNMET))),
            lines=Count("id"),
            above=Sum("criterion__weight", filter=Q(outcome=outcome.MET), default=0),
            below=Sum("criterion__weight"),
        )
    )
    return {response: _Share(*counts) for response, *counts in rows}


def _own_points(judge: Rater, responses: Sequence[int]) -> dict[int, float]:
    """Return the scores in points of 100 of a run whose method scores by something else than lines.

    One query for such a run, none for others.
    """
    if judge.run is None or registry.get(judge.run.method).scored_by_lines:
        return {}
    rows = RunItem.objects.filter(
        run=judge.run, response__in=responses, judgment__score_numerator__isnull=False
    ).values_list("response_id", "judgment__score_numerator", "judgment__score_denominator")
    return {response: 100 * (above or 0) / below for response, above, below in rows if below}


def _experts(responses: Sequence[int], lines: Mapping[str, str]) -> dict[int, float]:
    """Return the mean of the complete expert sheets, in points of 100, by response.

    As in the alignment report, sheets that a flag asked for are left out.
    """
    only = {f"criterion__{field}": value for field, value in lines.items()}
    sheets = submitted_sheets().filter(response__in=responses, flagged_item__isnull=True)
    given: dict[int, list[float]] = defaultdict(list)
    for response, share, _sheet in _of_sheets(sheets, only):
        if share.points is not None:
            given[response].append(share.points)
    return {response: sum(points) / len(points) for response, points in given.items()}


def _of_sheets(sheets: "QuerySet[Sheet]", only: Mapping[str, str]) -> list[tuple[int, _Share, int]]:
    """Return (response, counts, sheet) of these sheets, older versions first. Two queries.

    An imported sheet may say nothing of some lines.

    Args:
        only: the lines that count, as lookup of a sheet's line -> value.
    """
    rows = list(
        SheetLine.objects.filter(sheet__in=sheets.order_by(), **only)
        .order_by("sheet__version_id", "sheet_id")
        .values_list("sheet__response_id", "sheet_id", "sheet__version_id")
        .annotate(
            yes=Count("id", filter=Q(met=True)),
            decided=Count("id", filter=Q(met__isnull=False)),
            above=Sum("criterion__weight", filter=Q(met=True), default=0),
        )
    )
    of_line = {lookup.removeprefix("criterion__"): value for lookup, value in only.items()}
    criteria = Criterion.objects.filter(version__in={row[2] for row in rows}, **of_line).order_by()
    whole = {
        version: (lines, weight)
        for version, lines, weight in criteria.values_list("version_id").annotate(
            Count("id"), Sum("weight")
        )
    }
    found = []
    for response, sheet, version, met, decided, above in rows:
        lines, below = whole.get(version, (0, 0))
        found.append((response, _Share(met, decided, lines, above, below), sheet))
    return found


@dataclass(frozen=True, slots=True)
class _Gaps:
    """Why responses have no score, single numbers, and which scores rest on an earlier text."""

    why: Mapping[int, str]
    numbers: Mapping[int, float]
    stale: Mapping[int, str]


def _gaps(judge: Rater, responses: Sequence[int]) -> _Gaps:
    """Return what there is to say of scores, and the single numbers of a judge without verdicts."""
    stale: dict[int, str] = {}
    if judge.run is None:
        numbers, why = {}, {}
        for response, number, skipped, *texts in (
            _asked(judge)
            .filter(response__in=responses)
            .order_by("response_id", F("version_id").asc(nulls_first=True))
            .values_list("response_id", "score", "skipped", *COLUMNS)
        ):
            stale[response] = _stale(texts)
            if number is not None:
                numbers[response] = number
            else:
                why[response] = str(SKIPPED.get(skipped, skipped)) or _("a line without a verdict")
        return _Gaps(why, numbers, stale)
    gaps = {}
    for response, state, reason, judged, *texts in (
        _asked(judge)
        .filter(response__in=responses)
        .values_list("response_id", "state", "reason", "judgment__reason", *ITEM_COLUMNS)
    ):
        stale[response] = _stale(texts)
        code = judged or reason
        gaps[response] = (
            str(SKIPPED[code])
            if code in SKIPPED
            else failure_kinds.name_of(code)
            if code
            else str(RunItem.State(state).label)
        )
    return _Gaps(gaps, {}, stale)


def _stale(texts: Sequence[Any]) -> str:
    """Say that a score rests on an earlier text; "" for one that does not."""
    code = code_of(*texts)
    return _("%(why)s, so it is left out of results") % {"why": LABELS[code]} if code else ""
