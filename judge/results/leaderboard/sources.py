"""What a judge said of the candidates' responses: from a run, or from imported sheets.

No model instances, and a fixed number of queries.
"""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import Count, F, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from judge.asking.candidates.earlier_text import (
    COLUMNS,
    ITEM_COLUMNS,
    code_of,
    rests_on_earlier_text,
)
from judge.base.gold_sets.task_sets import EVERY_TASK, TaskSet
from judge.methods.base import registry
from judge.results.alignment.raters import Rater
from judge.runs.engine.models import JudgeRun, Judgment, RunItem, Verdict
from judge.runs.engine.planning.skipping import NOT_ASKED
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion

_FINEST = 10**6  # the largest denominator of a score that was written as a decimal
_MET, _UNMET = Verdict.Outcome.MET, Verdict.Outcome.UNMET

Groups = Mapping[str, Mapping[int, Fraction | None]]  # group -> response -> S, None if undecided


class JudgedResponse(NamedTuple):
    """A response that a judge was asked about, with its score.

    `gap` says why there is none, or why it is 0 although there was nothing to judge; "" for others.
    `category` is the key of the task's domain and that of its category, joined by a stroke.
    """

    response: int
    candidate: str
    task: str
    task_id: int
    domain: str
    category: str
    score: Fraction | None
    gap: str
    latency_ms: int | None
    cost_micro: int | None


def responses_of(judge: Rater, tasks: TaskSet = EVERY_TASK) -> list[JudgedResponse]:
    """Return the responses that a judge was asked about, to the tasks of a set.

    Raises BadInput for a rater who gave one number for each response, and no verdicts on lines.
    """
    return _of_run(judge.run, tasks) if judge.run else _of_rater(judge.name, tasks)


def category_key(domain: str, category: str | None) -> str:
    """Return the key of a category among those of all domains; "finance/" for tasks without one."""
    return f"{domain}/{category or ''}"


def scores_by(judge: Rater, by: str, tasks: TaskSet = EVERY_TASK) -> Groups:
    """Return S over the lines of each group, None where one of them is undecided.

    A response that is still being judged has none: the lines stored so far may be any of them.

    Args:
        by: a field of a rubric line, "dimension" or "importance".
    """
    if judge.run is None:
        return _by_lines_of_rater(judge.name, by, tasks)
    verdicts = Verdict.objects.filter(
        ~rests_on_earlier_text("judgment__response__", "judgment__version__"),
        judgment__items__run=judge.run,
    ).exclude(judgment__state=Judgment.State.WAITING)
    rows = (
        tasks.within(verdicts, "judgment__response__task")
        .order_by()
        .values_list("judgment__response_id", f"criterion__{by}")
        .annotate(
            above=Sum("criterion__weight", filter=Q(outcome=_MET), default=0),
            below=Sum("criterion__weight"),
            open=Count("id", filter=~Q(outcome__in=(_MET, _UNMET))),
        )
    )
    groups: dict[str, dict[int, Fraction | None]] = defaultdict(dict)
    for response, key, above, below, undecided in rows:
        if below:
            groups[key][response] = None if undecided else Fraction(above, below)
    return groups


def skipped_by(judge: Rater, tasks: TaskSet = EVERY_TASK) -> dict[str, dict[str, int]]:
    """Count the responses that a rule skipped, by code of the reason and candidate."""
    rows: QuerySet[Any]
    if judge.run is None:
        rows, field = Sheet.objects.filter(rater=judge.name).exclude(skipped=""), "skipped"
    else:
        rows, field = RunItem.objects.filter(run=judge.run, state=RunItem.State.SKIPPED), "reason"
        rows = rows.filter(reason__in=NOT_ASKED).exclude(reason="baseline")
    found: dict[str, dict[str, int]] = {}
    for reason, candidate, number in (
        tasks.within(rows, "response__task")
        .order_by(field, "response__candidate__name")
        .values_list(field, "response__candidate__name")
        .annotate(n=Count("id"))
    ):
        found.setdefault(reason, {})[candidate] = number
    return found


def _of_run(run: JudgeRun, tasks: TaskSet) -> list[JudgedResponse]:
    rows = (
        tasks.within(RunItem.objects.filter(run=run), "response__task")
        .exclude(state=RunItem.State.SKIPPED, reason__in=NOT_ASKED)
        .order_by("response_id")
        .values_list(
            "response_id",
            "response__candidate__name",
            "response__task__key",
            "response__task_id",
            "response__task__domain__key",
            "response__task__category__key",
            "state",
            "reason",
            "judgment__state",
            "judgment__reason",
            "judgment__score_numerator",
            "judgment__score_denominator",
            "response__latency_ms",
            "response__cost_micro",
            *ITEM_COLUMNS,
        )
    )
    found = []
    for pk, who, task, task_id, domain, category, state, reason, judged, why, *rest in rows:
        above, below, ms, micro, *texts = rest
        score, stale = None, code_of(*texts)
        if judged == Judgment.State.COMPLETE and above is not None and below and not stale:
            score = Fraction(above, below)
        gap = why if score is not None else stale or why or reason or state
        kind = category_key(domain, category)
        found.append(JudgedResponse(pk, who, task, task_id, domain, kind, score, gap, ms, micro))
    return found


def _sheets(rater: str, tasks: TaskSet) -> "QuerySet[Sheet]":
    """Select a rater's sheets on responses that are compared, those of the newest version last."""
    sheets = Sheet.objects.filter(
        rater=rater,
        state=Sheet.State.SUBMITTED,
        response__baseline=False,
        skipped="",
        flagged_item__isnull=True,
    )
    return tasks.within(sheets, "response__task").order_by(
        "response_id", F("version_id").asc(nulls_first=True)
    )


def _of_rater(rater: str, tasks: TaskSet) -> list[JudgedResponse]:
    decided = _decided(rater, tasks)
    methods = _whole_methods(rater)
    if not decided and not methods and not _decided(rater, EVERY_TASK):
        raise BadInput(
            _(
                "“%(name)s” gave no verdicts on rubric lines, so its scores have no common scale "
                "and candidates cannot be ranked by them."
            )
            % {"name": rater},
            code="no_verdicts",
        )
    whole = _totals()
    found: dict[int, JudgedResponse] = {}
    for sheet, version, pk, who, task, task_id, domain, category, *rest in _sheets(
        rater, tasks
    ).values_list(
        "pk",
        "version_id",
        "response_id",
        "response__candidate__name",
        "response__task__key",
        "response__task_id",
        "response__task__domain__key",
        "response__task__category__key",
        "response__latency_ms",
        "response__cost_micro",
        *("method", "score", "reason"),
        *COLUMNS,
    ):
        ms, micro, method, number, reason, *texts = rest
        score = _share(decided.get(sheet, {}).get(""), whole.get((version, "")))
        if method in methods:
            score = None if number is None else Fraction(number).limit_denominator(_FINEST)
        gap = "" if score is not None else reason or "undecided"
        if stale := code_of(*texts):
            score, gap = None, stale
        kind = category_key(domain, category)
        found[pk] = JudgedResponse(pk, who, task, task_id, domain, kind, score, gap, ms, micro)
    return list(found.values())


def _whole_methods(rater: str) -> frozenset[str]:
    """Return the methods by which a rater scored whole responses, all from 0 to 1."""
    named = Sheet.objects.filter(rater=rater).exclude(method="").order_by()
    return frozenset(
        key
        for key in named.values_list("method", flat=True).distinct()
        if key in registry.METHODS and not registry.get(key).scored_by_lines
    )


def _by_lines_of_rater(rater: str, by: str, tasks: TaskSet) -> Groups:
    decided, whole = _decided(rater, tasks, by), _totals(by)
    groups: dict[str, dict[int, Fraction | None]] = defaultdict(dict)
    rows = _sheets(rater, tasks).filter(~rests_on_earlier_text())
    for sheet, version, response in rows.values_list("pk", "version_id", "response_id"):
        for key, counted in decided.get(sheet, {}).items():
            groups[key][response] = _share(counted, whole.get((version, key)))
    return groups


_Counted = tuple[int, int]  # lines, and the weight of those met


def _decided(rater: str, tasks: TaskSet, by: str = "") -> dict[int, dict[str, _Counted]]:
    """Count the decided lines of each sheet by group; "" is the group of all lines."""
    group = (f"criterion__{by}",) if by else ()
    found: dict[int, dict[str, _Counted]] = defaultdict(dict)
    for sheet, *key, lines, met in (
        SheetLine.objects.filter(sheet__in=_sheets(rater, tasks).order_by())
        .order_by()
        .values_list("sheet_id", *group)
        .annotate(
            n=Count("id", filter=Q(met__isnull=False)),
            w=Sum("criterion__weight", filter=Q(met=True), default=0),
        )
    ):
        found[sheet][key[0] if key else ""] = (lines, met)
    return found


def _totals(by: str = "") -> dict[tuple[int | None, str], _Counted]:
    """Return the lines and the weight of each rubric version by group."""
    group = (by,) if by else ()
    return {
        (version, key[0] if key else ""): (lines, weight)
        for version, *key, lines, weight in (
            Criterion.objects.order_by()
            .values_list("version_id", *group)
            .annotate(n=Count("id"), w=Sum("weight"))
        )
    }


def _share(counted: _Counted | None, whole: _Counted | None) -> Fraction | None:
    if counted is None or whole is None or counted[0] != whole[0] or not whole[1]:
        return None
    return Fraction(counted[1], whole[1])
