"""Judge runs from outside of the engine: estimate, pause, cancel, continue, sum up."""

from collections import Counter
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, Sum
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.base.access.action import action
from curation.base.process.states import move
from curation.base.web.refusals import BadInput, Conflict
from judge.asking import providers
from judge.asking.calls.cost import (
    all_schedules,
    costs_by_run,
    dollar_figure,
    in_dollars,
    spent_and_dearest,
)
from judge.asking.calls.models import Call
from judge.asking.providers.base import ErrorKind
from judge.base.queue.leases import is_free, take_up_again
from judge.base.queue.send import RUN
from judge.runs.engine import pause_reasons
from judge.runs.engine.held_out import refuse_a_look_that_changed
from judge.runs.engine.lease import record_takeover
from judge.runs.engine.ledger import Ledger
from judge.runs.engine.models import JudgeRun, RunAct, RunItem
from judge.runs.engine.planning.blocked_runs import blocking_runs
from judge.runs.engine.planning.limits import problems_with_limits
from judge.runs.engine.roles import pairs_of
from judge.runs.pages.estimate import estimate_of
from judge.runs.pages.role_costs import role_rows

State = JudgeRun.State
# Stored in English, shown in the reader's language.
PAUSED = gettext_noop("Paused by staff.")
CANCELLED = gettext_noop("Cancelled by staff.")
CENT = 10_000  # micro-dollars
_OPEN = (State.WAITING, State.RUNNING)


# -- pausing, cancelling, continuing --------------------------------------------------------------


@action("staff.scoring")
@transaction.atomic
def pause_run(*, actor: Any, run: JudgeRun, reason: str = "") -> None:
    """Let the calls under way end and begin no others. Raises Conflict if the run is not open."""
    _set_state(run, State.PAUSED, reason or PAUSED)
    RunAct.objects.create(run=run, kind=RunAct.Kind.PAUSED, actor=actor)


@action("staff.scoring")
@transaction.atomic
def cancel_run(*, actor: Any, run: JudgeRun, reason: str = "") -> None:
    """End a run for good; its judgments stay. Raises Conflict if it has ended."""
    _set_state(run, State.CANCELLED, reason)
    RunAct.objects.create(run=run, kind=RunAct.Kind.CANCELLED, actor=actor)


def _set_state(run: JudgeRun, to: str, reason: str) -> None:
    changed = move(
        JudgeRun.objects.filter(pk=run.pk),
        to,
        reason=reason,
        facts={},
        finished_at=timezone.now() if to == State.CANCELLED else None,
        paused_until=None,
    )
    if not changed:
        raise Conflict(_("This run is no longer under way."), code="wrong_stage")
    run.refresh_from_db()


@action("staff.scoring")
@transaction.atomic
def continue_run(
    *,
    actor: Any,
    run: JudgeRun,
    budget_micro: int | None = None,
    max_calls: int | None = None,
    concurrency: int | None = None,
) -> JudgeRun:
    """Put a run back into the queue: open responses are asked, and failed ones once more.

    Judgments stay as they are. A finished run is continued only if a response of it failed. The
    limits may be raised or lowered, but not below what the run has used already, which counts. The
    configuration of the judge never changes.

    Raises:
        Conflict: the run was cancelled, nothing is left to ask, another process works on it, or it
            is on held-out tasks without a look or with another prompt.
        BadInput: a limit cannot be kept.
    """
    current = JudgeRun.objects.select_for_update().get(pk=run.pk)
    if State.WAITING not in JudgeRun.moves.get(current.state, ()):
        raise Conflict(
            _("Run %(run)s was cancelled. Plan a new one; what was judged is not asked again.")
            % {"run": run.pk},
            code="wrong_stage",
        )
    if not is_free(current.lease, current.lease_until):
        raise Conflict(
            _("Another process is working on run %(run)s.") % {"run": run.pk}, code="run_is_held"
        )
    refuse_a_look_that_changed(current)
    problems = problems_with_limits(
        concurrency=concurrency, budget_micro=budget_micro, max_calls=max_calls
    )
    if problems:
        raise BadInput(fields=problems)
    failed = current.items.filter(state=RunItem.State.FAILED)
    if current.state == State.FINISHED and not failed.exists():
        raise Conflict(
            _(
                "Run %(run)s has finished: nothing is left to ask. For further responses plan a "
                "new one; what was judged is not asked again."
            )
            % {"run": run.pk},
            code="wrong_stage",
        )
    _refuse_used_up_limits(current, budget_micro, max_calls)
    move(current.items.all(), RunItem.State.WAITING, reason="", finished_at=None)
    changes: dict[str, Any] = {
        "budget_micro": budget_micro,
        "max_calls": max_calls,
        "concurrency": concurrency,
    }
    changes = {
        name: value
        for name, value in changes.items()
        if value is not None and value != getattr(current, name)
    }
    record_takeover(current)
    if current.state != State.WAITING or current.lease:
        changes |= {"reason": "", "facts": {}, "lease": "", "lease_until": None}
        changes |= {"paused_until": None, "finished_at": None}
    move(JudgeRun.objects.filter(pk=current.pk), State.WAITING, **changes)
    take_up_again(RUN, current.pk)
    begun = current.started_at is not None or current.acts.filter(kind=RunAct.Kind.STARTED).exists()
    if changes or not begun:  # else it waits for a worker already, with the same limits
        kind = RunAct.Kind.CONTINUED if begun else RunAct.Kind.STARTED
        RunAct.objects.create(run=current, kind=kind, actor=actor)
    run.refresh_from_db()
    return run


def continue_waited() -> int:
    """Let runs go on whose provider takes calls again; return how many. One query without any."""
    waited = JudgeRun.objects.filter(state=State.PAUSED, paused_until__lte=timezone.now())
    return sum(map(_continue_waited, waited))


@transaction.atomic
def _continue_waited(run: JudgeRun) -> int:
    mine = JudgeRun.objects.filter(pk=run.pk, paused_until=run.paused_until)
    try:
        refuse_a_look_that_changed(run)
    except Conflict as refusal:
        facts = {"problem": str(refusal.detail)}
        mine.update(paused_until=None, reason=pause_reasons.BROKE, facts=facts)
        return 0
    return move(mine, State.WAITING, reason="", facts={}, paused_until=None)


def _refuse_used_up_limits(run: JudgeRun, budget_micro: int | None, max_calls: int | None) -> None:
    """Raise BadInput for a new limit that cannot be kept, or leaves no room for a call."""
    prices, now = all_schedules(pairs_of(run)), timezone.now()
    for (provider, model), schedule in prices.items() if budget_micro is not None else ():
        if schedule.at(now) is None:
            raise BadInput(
                _("The price of %(provider)s %(model)s is not known, so a budget cannot be kept.")
                % {"provider": providers.label_of(provider), "model": model}
            )
    spent = spent_and_dearest(run.pk, prices, now)[0]
    if budget_micro is not None and spent and budget_micro <= spent:
        raise BadInput(
            _(
                "Run %(run)s has cost $%(spent)s already, and a budget counts that too. Set a "
                "larger budget, or none to keep the earlier one."
            )
            % {"run": run.pk, "spent": dollar_figure(spent, places=4)}
        )
    made = max(run.calls_started, run.calls.count()) if max_calls is not None else 0
    if max_calls is not None and made and max_calls <= made:
        raise BadInput(
            _(
                "Run %(run)s has made %(made)s calls already, and the limit counts them too. "
                "Set a larger limit, or none to keep the earlier one."
            )
            % {"run": run.pk, "made": f"{made:,}"}
        )


def why_it_would_stop(run: JudgeRun) -> str:
    """Say why a run would stop before its next call and which limit suffices, else ""."""
    money, most = run.budget_micro, run.max_calls
    if money is None and most is None:
        return ""
    budget = Ledger(run, "").budget
    rest = estimate_of(run, again=True)
    # Open batches are collected first, and responses judged before are not asked again.
    if budget.under_way or rest.responses <= rest.known:
        return ""
    if most is not None and budget.started >= most:
        return _(
            "With a limit on calls of %(most)s the run would stop again at once: it has made "
            "%(made)s. Give it a larger one; %(enough)s are enough for the rest, if no call "
            "fails."
        ) % {
            "most": f"{most:,}",
            "made": f"{budget.started:,}",
            "enough": f"{budget.started + rest.calls:,}",
        }
    used = budget.spent + budget.reserved
    if money is None or rest.cost_micro is None:
        return ""
    if money - used >= max(budget.dearest, rest.least_micro):
        return ""
    enough = used + rest.cost_micro + max(budget.dearest, rest.most_micro)
    return _(
        "With a budget of $%(budget)s the run would stop again at once: $%(spent)s counts as "
        "spent, and what is left does not pay for another call. Give it a larger budget; "
        "$%(enough)s is enough for the rest, if no call fails."
    ) % {
        "budget": dollar_figure(money, places=4),
        "spent": dollar_figure(used, places=4),
        "enough": f"{-(-enough // CENT) / 100:,.2f}",
    }


# -- summing up -----------------------------------------------------------------------------------


def summary(run: JudgeRun, *, seconds: float | None = None) -> dict[str, Any]:
    """Sum a run up as `judge --json` prints it.

    Responses are those of candidates; baselines are counted separately. `cost_usd` is None if the
    price or a count of tokens is unknown. `waits_for` lists the runs whose answers an open run
    waits for. `seconds` is the time of this session if given, else from the first start to the end.
    """
    items = RunItem.objects.filter(run=run)
    states: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for state, reason, count in items.values_list("state", "reason").annotate(n=Count("id")):
        if reason == "baseline":
            states["baseline"] += count
            continue
        states[state] += count
        if reason and state in (RunItem.State.FAILED, RunItem.State.SKIPPED):
            reasons[reason] += count
    failed_calls = [kind.value for kind in ErrorKind]
    calls = run.calls.aggregate(
        n=Count("id"),
        failed=Count("id", filter=Q(error__in=failed_calls)),
        input=Sum("input_tokens"),
        cached=Sum("cached_tokens"),
        output=Sum("output_tokens"),
        uncounted=Count(
            "id",
            filter=(Q(input_tokens__isnull=True) | Q(output_tokens__isnull=True))
            & ~Q(error__in=failed_calls),
        ),
    )
    prices = all_schedules(pairs_of(run))
    priced = all(schedule.entries for schedule in prices.values())
    costs = costs_by_run(Call.objects.filter(run=run.pk), prices)
    cost = costs.get(run.pk, 0 if priced else None)
    known = calls["uncounted"] == 0 and cost is not None
    blockers = blocking_runs(run) if run.state in _OPEN else []
    if seconds is None and run.started_at:
        seconds = ((run.finished_at or timezone.now()) - run.started_at).total_seconds()
    return {
        "run": run.pk,
        "responses": sum(states[state] for state in RunItem.State.values),
        "judged": states[RunItem.State.JUDGED],
        "failed": states[RunItem.State.FAILED],
        "skipped": states[RunItem.State.SKIPPED],
        "calls": calls["n"],
        "input_tokens": calls["input"] or 0,
        "cached_tokens": calls["cached"] or 0,
        "output_tokens": calls["output"] or 0,
        "cost_usd": in_dollars(cost or 0) if known else None,
        "seconds": round(seconds or 0.0, 3),
        "state": run.state,
        "why": run.why,
        "waiting": states[RunItem.State.WAITING],
        "waits_for": [
            {
                "run": other.run,
                "state": other.state,
                "responses": other.responses,
                "since": other.since and other.since.isoformat(),
                "why": other.explanation,
            }
            for other in blockers
        ],
        "failed_calls": calls["failed"],
        "baselines": states["baseline"],
        "reused": items.filter(
            ~Q(judgment__run=run), state=RunItem.State.JUDGED, judgment__isnull=False
        ).count(),
        "reasons": dict(sorted(reasons.items())),
        "offline": providers.get(run.provider).offline,
        "task_set": run.task_set or None,
        **({"roles": roles} if (roles := [row.as_dict() for row in role_rows(run)]) else {}),
    }
