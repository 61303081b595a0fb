"""Runs and their calls as the staff's pages show them."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Avg, Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import TruncMinute
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from judge.asking.calls.cost import all_schedules, costs_by_run, in_dollars
from judge.asking.calls.models import Call
from judge.asking.candidates.models import Response
from judge.base.figures import charts
from judge.runs.engine.batches.models import BatchLine
from judge.runs.engine.lease import last_sign
from judge.runs.engine.models import JudgeRun, RunItem, Takeover
from judge.runs.engine.planning.skipping import SKIPPED
from judge.runs.engine.roles import pairs_of
from judge.runs.pages import failure_kinds, lifecycle

RATE_WINDOW = timedelta(minutes=10)  # the rate is that of this last stretch of time
# A rate is shown after so many responses, or after this time with fewer (a slow run).
RATE_MIN_RESPONSES = 3
RATE_MIN_TIME = timedelta(minutes=3)
CALLS_SHOWN = 40
TASKS_NAMED = 5  # of those whose responses were put aside, for each reason
STEPS = 60  # at most, of the chart of the rate

OPEN = (JudgeRun.State.WAITING, JudgeRun.State.RUNNING)


_SHAPES = {
    JudgeRun.State.WAITING: "ring",
    JudgeRun.State.RUNNING: "half",
    JudgeRun.State.PAUSED: "paused",
    JudgeRun.State.STOPPED: "square",
    JudgeRun.State.CANCELLED: "cross",
    JudgeRun.State.FINISHED: "full",
}


def status_of(run: JudgeRun, *, starting: bool = False) -> tuple[str, Any]:
    """Return the shape and the words of a run's status pill.

    A run that nobody has started is planned, not paused: there is nothing to go on with.

    Args:
        starting: it only waits for a worker.
    """
    state = JudgeRun.State(run.state)
    if starting:
        return "half", pgettext("a judge run", "Starting")
    if state == JudgeRun.State.PAUSED and run.started_at is None:
        return "draft", pgettext("a judge run", "Planned")
    return _SHAPES[state], state.label


# -- the list --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RunRow:
    run: JudgeRun
    responses: int
    judged: int
    failed: int
    cost: float | None


def run_rows() -> "QuerySet[JudgeRun]":
    """Select all runs, newest first, with the person who planned each."""
    return JudgeRun.objects.select_related("created_by")


def list_rows(rows: Sequence[JudgeRun]) -> list[RunRow]:
    """Return the rows of one page of the list. Three queries, however many runs."""
    pks = [run.pk for run in rows]
    states: dict[int, dict[str, int]] = {pk: {} for pk in pks}
    for pk, state, count in (
        RunItem.objects.filter(run__in=pks)
        .exclude(reason="baseline")
        .order_by()
        .values_list("run_id", "state")
        .annotate(n=Count("id"))
    ):
        states[pk][state] = count
    prices = all_schedules(set[tuple[str, str]]().union(*map(pairs_of, rows)))
    costs = costs_by_run(Call.objects.filter(run__in=pks), prices)
    return [
        RunRow(
            run=run,
            responses=sum(states[run.pk].values()) - states[run.pk].get(RunItem.State.SKIPPED, 0),
            judged=states[run.pk].get(RunItem.State.JUDGED, 0),
            failed=states[run.pk].get(RunItem.State.FAILED, 0),
            cost=in_dollars(costs.get(run.pk, 0)),  # without a call, nothing was spent
        )
        for run in rows
    ]


# -- one run ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Failure:
    """One kind of failure of a run: how often it came, what was done, how many responses failed."""

    name: str
    times: int
    done: str
    lost: int


@dataclass(frozen=True, slots=True)
class Aside:
    """Responses that the plan put aside for one reason, and the first tasks they are of."""

    reason: str
    responses: int
    tasks: tuple[tuple[int, str, str], ...]  # key, title, language
    more: int  # tasks that are not named


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress and cost of a run."""

    run: JudgeRun
    now: Any
    open: bool
    total: int
    judged: int
    failed: int
    waiting: int
    skipped: int
    baselines: int
    reused: int
    aside: tuple["Aside", ...]
    segments: tuple[tuple[int, str, str], ...]
    calls: int
    per_response: float | None
    spent: float | None
    budget: float | None
    forecast: float | None
    rate: int
    median: float | None
    left: float | None  # seconds
    settling: bool  # too few responses for a rate
    cached_share: float | None
    failures: tuple[Failure, ...]
    chart: SafeString | str
    offline: bool
    with_provider: int
    blocking_runs: tuple[tuple[int, str], ...]  # runs whose answers it waits for, and why
    takeovers: int
    takeover: Takeover | None  # the last one
    ended_at: datetime | None  # when its worker ended, while nobody has taken over

    @property
    def failed_times(self) -> int:
        return sum(row.times for row in self.failures)

    @property
    def starting(self) -> bool:
        """Whether it only waits for a worker."""
        return self.run.state == JudgeRun.State.WAITING and not self.blocking_runs

    @property
    def percent_known(self) -> bool:
        return self.total > 0


def progress(run: JudgeRun) -> Progress:
    """Count the facts of a run's page. A fixed number of queries."""
    facts = lifecycle.summary(run)
    now = timezone.now()
    done = facts["judged"] + facts["failed"]
    total = done + facts["waiting"]
    is_open = run.state in OPEN
    over = run.state == JudgeRun.State.CANCELLED
    # Reused judgments were not asked here and say nothing about the time left.
    asked_here = Q(state=RunItem.State.FAILED) | Q(state=RunItem.State.JUDGED, judgment__run=run)
    # Nor does time in which nobody worked on the run.
    since = max(now - RATE_WINDOW, run.working_since or run.started_at or now)
    lately = run.items.filter(asked_here, finished_at__gte=since).count()
    per_minute = 60 * lately / max(1.0, (now - since).total_seconds())
    ended_at = last_sign(run) if is_open else None
    at_work = run.state == JudgeRun.State.RUNNING and ended_at is None
    settling = not at_work or (lately < RATE_MIN_RESPONSES and now - since < RATE_MIN_TIME)
    takeovers = list(run.takeovers.all())
    spent = facts["cost_usd"]
    asked = done - facts["reused"]
    budget = in_dollars(run.budget_micro)
    forecast = None
    if spent is not None and asked > 0 and facts["waiting"] and is_open:
        forecast = spent * (asked + facts["waiting"]) / asked
    seconds = run.calls.filter(error="", batch__isnull=True).aggregate(mean=Avg("seconds"))["mean"]
    return Progress(
        run=run,
        now=timezone.localtime(now),
        open=is_open,
        total=total,
        judged=facts["judged"],
        failed=facts["failed"],
        waiting=facts["waiting"],
        skipped=facts["skipped"],
        baselines=facts["baselines"],
        reused=facts["reused"],
        aside=tuple(_aside(run, facts["reasons"])) if facts["skipped"] else (),
        segments=(
            (facts["judged"], "ink-2", _("judged")),
            (facts["failed"], "no", _("failed, no score")),
            (facts["waiting"], "empty", _("not judged") if over else _("waiting")),
        ),
        calls=facts["calls"],
        per_response=facts["calls"] / asked if asked > 0 and facts["calls"] else None,
        spent=spent,
        budget=budget,
        forecast=forecast,
        rate=round(per_minute),
        median=seconds,
        left=60 * facts["waiting"] / per_minute if not settling and per_minute >= 0.5 else None,
        settling=settling,
        cached_share=(
            facts["cached_tokens"] / facts["input_tokens"] if facts["input_tokens"] else None
        ),
        failures=tuple(_failures(run)),
        chart=_rate_chart(run),
        offline=facts["offline"],
        with_provider=(
            BatchLine.objects.filter(batch__run=run, state=BatchLine.State.WAITING).count()
            if run.batch
            else 0
        ),
        blocking_runs=tuple((wait["run"], wait["why"]) for wait in facts["waits_for"]),
        takeovers=len(takeovers),
        takeover=takeovers[-1] if takeovers else None,
        ended_at=ended_at,
    )


def _aside(run: JudgeRun, counts: Mapping[str, int]) -> Iterator[Aside]:
    """Yield what the plan put aside, by reason. One query."""
    tasks: dict[str, dict[int, tuple[int, str, str]]] = defaultdict(dict)
    rows = run.items.filter(state=RunItem.State.SKIPPED).order_by("response__task_id").distinct()
    for reason, pk, title, key, language in rows.values_list(
        "reason", *(f"response__task__{name}" for name in ("id", "title", "key", "language"))
    ):
        tasks[reason][pk] = (pk, title or key, language)
    for reason, count in counts.items():
        if reason in SKIPPED:
            named = tuple(tasks[reason].values())
            more = len(named) - TASKS_NAMED
            yield Aside(str(SKIPPED[reason]), count, named[:TASKS_NAMED], max(0, more))


def _failures(run: JudgeRun) -> list[Failure]:
    times = dict(
        run.calls.exclude(error="").order_by().values_list("error").annotate(n=Count("id"))
    )
    lost = dict(
        run.items.filter(state=RunItem.State.FAILED)
        .order_by()
        .values_list("reason")
        .annotate(n=Count("id"))
    )
    rows = [
        Failure(
            name=failure_kinds.name_of(kind),
            times=max(times.get(kind, 0), lost.get(kind, 0)),
            done=failure_kinds.done_about(kind),
            lost=lost.get(kind, 0),
        )
        for kind in times.keys() | lost.keys()
    ]
    return sorted(rows, key=lambda row: (-row.times, row.name))


def _rate_chart(run: JudgeRun) -> SafeString | str:
    """Draw responses per minute in at most 60 steps; "" for runs of under three minutes."""
    rows = list(
        run.items.filter(finished_at__isnull=False)
        .order_by()
        .annotate(minute=TruncMinute("finished_at"))
        .values_list("minute")
        .annotate(n=Count("id"))
        .order_by("minute")
    )
    if len(rows) < 3:
        return ""
    first, last = rows[0][0], rows[-1][0]
    minutes = 1 + int((last - first).total_seconds() // 60)
    width = -(-minutes // STEPS)
    counts = [0] * (-(-minutes // width))
    for minute, n in rows:
        counts[int((minute - first).total_seconds() // 60) // width] += n
    ends = [timezone.localtime(moment).strftime("%H:%M") for moment in (first, last)]
    return charts.rate(
        [round(count / width) for count in counts],
        title=_("Responses per minute from %(first)s to %(last)s, at most %(most)s")
        % {"first": ends[0], "last": ends[1], "most": round(max(counts) / width)},
        first=ends[0],
        last=ends[1],
    )


def calls_of(run: JudgeRun, wanted: str = "") -> "QuerySet[Call]":
    """Select the latest calls of a run: all, "again" (further attempts) or "failed"."""
    rows = Call.objects.filter(run=run)
    if wanted == "failed":
        rows = rows.exclude(error="")
    elif wanted == "again":
        rows = rows.filter(attempt__gt=1)
    return (
        rows.select_related("task", "judgment__response__candidate")
        .defer(
            "request", "reply", "task__scenario", "task__materials", "task__requirements",
            "task__reference_answer", "judgment__response__text",
        )
        .order_by("-id")[:CALLS_SHOWN]
    )  # fmt: skip


def pretty(request: Any) -> str:
    """Format a request as indented JSON."""
    return json.dumps(request, ensure_ascii=False, indent=2)


def marked_in(run: int) -> int:
    """Count the marked responses of a run. One query, over marked responses alone."""
    items = RunItem.objects.filter(run=run, response=OuterRef("pk"))
    return Response.objects.order_by().filter(Exists(items), marked=True).count()
