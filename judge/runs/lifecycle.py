"""Judge runs from outside of the engine: estimate, pause, cancel, continue, sum up."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, Sum
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.access.action import action
from curation.process.states import move
from curation.web.refusals import BadInput, Conflict
from judge import providers
from judge.calls.models import Call
from judge.calls.spending import spent_and_dearest
from judge.engine.asking import asks_one_by_one
from judge.engine.batches.batches import SLACK
from judge.engine.held_out import refuse_a_look_that_changed
from judge.engine.lease import record_takeover
from judge.engine.ledger import Ledger
from judge.engine.models import JudgeRun, Judgment, RunItem
from judge.engine.planning.blocked_runs import blocking_runs
from judge.engine.planning.material import load
from judge.engine.planning.plan import MAX_CONCURRENCY, MOST_CALLS
from judge.methods import registry
from judge.methods.material import Material
from judge.prices.cost import (
    Rates,
    costs_by_run,
    dollar_figure,
    in_dollars,
    prompt_tokens,
    rates_for,
    schedule_for,
    tokens_of,
)
from judge.providers.base import ErrorKind
from judge.queue.leases import is_free

State = JudgeRun.State
# Stored in English, shown in the reader's language.
PAUSED = gettext_noop("Paused by staff.")
CANCELLED = gettext_noop("Cancelled by staff.")
CENT = 10_000  # micro-dollars
_OPEN = (State.WAITING, State.RUNNING)


@dataclass(frozen=True)
class Estimate:
    """What a run still has to ask if nothing is reused.

    `cost_micro` is None if it is unknown, with the reason in `why`. `known` counts the responses
    judged before in the same way. `least_micro` and `most_micro` bound the cost of one call.
    """

    responses: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_micro: int | None
    why: str = ""
    known: int = 0
    least_micro: int = 0
    most_micro: int = 0


def estimate(run: JudgeRun, *, again: bool = False) -> Estimate:
    """Estimate calls, tokens and cost of a run if nothing fails and nothing is cached.

    Tokens are guessed generously from the length of the texts, those of a reply as its method
    expects (80 for each line). Where a method asks about each part by itself, the longest of these
    prompts stands for all of them. What a method decides without a call is not counted. Responses
    judged before under the same configuration will cost nothing.

    Args:
        again: count failed responses, too, as a continued run asks them once more.
    """
    rates = rates_for(run.provider, run.model)
    one_by_one = asks_one_by_one(run)
    responses = calls = tokens_in = tokens_out = 0
    known: dict[tuple[int, int | None, int | None], tuple[int, Material]] = {}
    bounds: list[int] = []  # the most a call about each response may cost
    states = [RunItem.State.WAITING, *([RunItem.State.FAILED] if again else [])]
    items = RunItem.objects.filter(run=run, state__in=states)
    rows = items.select_related("response", "version", "run__variant__prompt").order_by(
        "response__task_id", "pk"
    )
    for item in rows.iterator(chunk_size=200):
        name = (item.response.task_id, item.version_id, item.exemplar_id)
        if name not in known:
            known = {name: _prompt_size(run, item)}  # items come task by task: keep one
        prefix, material = known[name]
        responses += 1
        about = material.method.about(material, item.response.text)
        given = about.method.decided(about, item.response.text)
        decided = {*given.lines, *given.findings} if given else set()
        left = [part for part in about.parts if part not in decided]
        if not left:
            continue
        asked = len(left) if one_by_one else 1
        size = prefix + tokens_of(item.response.text)
        if about.method.one_call_per_part:
            size = _dearest_part(run, about, left)
        reply = about.method.reply_tokens(about, 1 if one_by_one else len(left))
        if rates is not None:
            bounds.append(rates.bound(size, SLACK * reply, batch=run.batch))
        calls += asked
        tokens_in += asked * size
        tokens_out += asked * reply
    cost, why = None, ""
    if rates is None:
        why = _("The price of %(provider)s %(model)s is not known.") % {
            "provider": providers.label_of(run.provider),
            "model": run.model,
        }
    else:
        cost = rates.bound(tokens_in, tokens_out, batch=run.batch)
    return Estimate(
        responses,
        calls,
        tokens_in,
        tokens_out,
        cost,
        why,
        _judged_before(run),
        least_micro=min(bounds, default=0),
        most_micro=max(bounds, default=0),
    )


def _judged_before(run: JudgeRun) -> int:
    """Count the waiting responses that were judged before in the same way. One query.

    No prompt is built, so changes of the task or the example since then go unnoticed.
    """
    before = Judgment.objects.filter(
        response=OuterRef("response"),
        version=OuterRef("version"),
        state=Judgment.State.COMPLETE,
        method=run.method,
        provider=run.provider,
        model=run.model,
        run__calls_mode=run.calls_mode,
        run__repeat=run.repeat,
        run__parameters=run.parameters,
        run__variant__prompt=run.variant.prompt if run.variant else None,
    )
    if registry.get(run.method).needs_example:
        before = before.filter(exemplar=OuterRef("exemplar"))
    waiting = RunItem.objects.filter(run=run, state=RunItem.State.WAITING)
    return waiting.filter(Exists(before)).count()


def _prompt_size(run: JudgeRun, item: RunItem) -> tuple[int, Material]:
    """Return the tokens of a prompt without its response, and what it is made of."""
    material = load(item)
    prompt = material.prompt("", nonce="0" * 24)
    return prompt_tokens(prompt, run.parameters), material


def _dearest_part(run: JudgeRun, about: Material, parts: Sequence[str]) -> int:
    """Return the tokens of the longest prompt about one part, where each is asked by itself."""
    prompts = [about.prompt("", only_ids=(part,), nonce="0" * 24) for part in parts]
    return max(prompt_tokens(prompt, run.parameters) for prompt in prompts)


# -- pausing, cancelling, continuing --------------------------------------------------------------


@action("staff")
def pause_run(*, actor: Any, run: JudgeRun, reason: str = "") -> None:
    """Let the calls under way end and begin no others. Raises Conflict if the run is not open."""
    _set_state(run, State.PAUSED, reason or PAUSED)


@action("staff")
def cancel_run(*, actor: Any, run: JudgeRun, reason: str = "") -> None:
    """End a run for good; its judgments stay. Raises Conflict if it has ended."""
    _set_state(run, State.CANCELLED, reason)


def _set_state(run: JudgeRun, to: str, reason: str) -> None:
    changed = move(
        JudgeRun.objects.filter(pk=run.pk),
        to,
        reason=reason,
        facts={},
        finished_at=timezone.now() if to == State.CANCELLED else F("finished_at"),
    )
    if not changed:
        raise Conflict(_("This run is no longer under way."), code="wrong_stage")
    run.refresh_from_db()


@action("staff")
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

    Judgments stay as they are. The limits may be raised or lowered, but not below what the run has
    used already, which counts. The configuration of the judge never changes.

    Raises:
        Conflict: the run was cancelled, another process works on it, or it is on held-out tasks
            without a look or with another prompt.
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
    if concurrency is not None and not 1 <= concurrency <= MAX_CONCURRENCY:
        raise BadInput(
            _("Between 1 and %(most)s calls can be under way at once.") % {"most": MAX_CONCURRENCY}
        )
    if budget_micro is not None and budget_micro < 0:
        raise BadInput(_("A limit cannot be negative."))
    if max_calls is not None and not 0 <= max_calls <= MOST_CALLS:
        raise BadInput(
            _("The number of calls must be between 0 and %(most)s.") % {"most": f"{MOST_CALLS:,}"}
        )
    rates = rates_for(run.provider, run.model)
    if budget_micro is not None and rates is None:
        raise BadInput(
            _("The price of %(provider)s %(model)s is not known, so a budget cannot be kept.")
            % {"provider": providers.label_of(run.provider), "model": run.model}
        )
    _refuse_used_up_limits(current, rates, budget_micro, max_calls)
    move(current.items.all(), RunItem.State.WAITING, reason="", finished_at=None)
    changes: dict[str, Any] = {
        "budget_micro": budget_micro,
        "max_calls": max_calls,
        "concurrency": concurrency,
    }
    changes = {name: value for name, value in changes.items() if value is not None}
    record_takeover(current)
    if current.state != State.WAITING or current.lease:
        changes |= {"reason": "", "facts": {}, "lease": "", "lease_until": None}
    move(JudgeRun.objects.filter(pk=current.pk), State.WAITING, **changes)
    run.refresh_from_db()
    return run


def _refuse_used_up_limits(
    run: JudgeRun, rates: Rates | None, budget_micro: int | None, max_calls: int | None
) -> None:
    """Raise BadInput for a new limit that would end the run before its next call."""
    prices = schedule_for(run.provider, run.model)
    spent = spent_and_dearest(run.pk, prices, rates)[0] if rates else 0
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
    rest = estimate(run, again=True)
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
    prices = schedule_for(run.provider, run.model)
    cost = costs_by_run(Call.objects.all(), {run.pk: prices}).get(
        run.pk, 0 if prices.entries else None
    )
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
    }
