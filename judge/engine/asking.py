"""Asking a model about one response, in a thread that never touches the database.

What happens is told to the coordinator as events; what may be done is asked of it. Failures are
states: what cannot be read is asked again, only the missing lines and at most twice, and then
failed with a reason.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any

from judge.calls.models import Call
from judge.calls.record import call_of
from judge.engine.budget import Answer, Grant
from judge.engine.events import Asked, Called, Ended, Found, Job, Left
from judge.engine.models import JudgeRun, Verdict
from judge.engine.planning.material import later_nonce
from judge.prices import cost
from judge.prompts import parsing
from judge.providers.base import ErrorKind, Prompt, Provider, ProviderError, Reply, Stop
from judge.providers.batching import Batches
from judge.providers.retry import Limiter, Policy, call_with_retries

log = logging.getLogger(__name__)

MAX_REASKS = 2
EXPECTED_TOKENS = 80  # of one line's verdict, generously; for estimates and small budgets

# No other response would fare better: the run pauses, and nothing is marked as failed.
FATAL = frozenset({ErrorKind.AUTH, ErrorKind.UNKNOWN_MODEL})

O = Verdict.Outcome  # noqa: E741


class RunStopError(Exception):
    """The run is being stopped; this response stays as far as it has come."""


class BudgetError(Exception):
    """The budget has no room for another attempt."""


class ProviderRefusalError(Exception):
    """The provider refuses us as such (its key, the model's name)."""

    def __init__(self, error: ProviderError) -> None:
        super().__init__(error.detail)
        self.error = error


class Gate:
    """What all threads of a run share: provider, limits, and the way to the coordinator."""

    def __init__(
        self,
        run: JudgeRun,
        provider: Provider,
        *,
        tell: Callable[[Any], None],
        limiter: Limiter,
        policy: Policy,
        timeout: float,
        ask_leave: bool,
    ) -> None:
        self.provider = provider
        self.run = run.pk
        self.model = run.model
        self.parameters = dict(run.parameters)
        self.per_criterion = run.calls_mode == JudgeRun.Calls.PER_CRITERION
        # A question in a batch was the first round; what it left open is asked here.
        self.rounds = MAX_REASKS if run.batch else MAX_REASKS + 1
        self.tell = tell
        self.limiter = limiter
        self.policy = policy
        self.timeout = timeout
        self.ask_leave = ask_leave
        self.stopping = threading.Event()

    def sleep(self, seconds: float) -> None:
        """Wait before another attempt, unless the run stops. Raises RunStopError."""
        if self.stopping.wait(seconds):
            raise RunStopError


class Metered:
    """A provider that asks for leave before each attempt and reports each attempt."""

    def __init__(self, gate: Gate, job: Job) -> None:
        self.gate = gate
        self.job = job
        self.name, self.label = gate.provider.name, gate.provider.label
        self.offline = gate.provider.offline
        self.attempts = 0
        self.answered: Called | None = None  # of the reply just returned; not told yet

    @property
    def account(self) -> str:
        return self.gate.provider.account

    def configured(self) -> bool:
        return self.gate.provider.configured()

    @property
    def batches(self) -> Batches | None:
        return self.gate.provider.batches

    def preload(self) -> None:
        self.gate.provider.preload()

    def family(self, model: str) -> str:
        return self.gate.provider.family(model)

    def said(self, raw: str) -> str | None:
        return self.gate.provider.said(raw)

    def complete(
        self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any], timeout: float
    ) -> Reply:
        """Make one call. Raises ProviderError, BudgetError or RunStopError."""
        gate = self.gate
        if gate.stopping.is_set():
            raise RunStopError
        grant = self._leave(prompt)
        if grant.max_tokens is not None:
            parameters = {**parameters, "max_tokens": grant.max_tokens}
        self.attempts += 1
        try:
            reply = gate.provider.complete(
                prompt, model=model, parameters=parameters, timeout=timeout
            )
        except ProviderError as error:
            gate.tell(self._record(prompt, grant, error))
            raise
        except BaseException:
            # A bug, not an answer: the reservation must not stay open for ever.
            broken = ProviderError(ErrorKind.BAD_REQUEST, "The call broke on our side.")
            gate.tell(self._record(prompt, grant, broken))
            raise
        self.answered = self._record(prompt, grant, reply)
        return reply

    def _leave(self, prompt: Prompt) -> Grant:
        if not self.gate.ask_leave:
            return Grant(Answer.GRANTED)
        wanted = prompt.inputs.wanted  # type: ignore[attr-defined]
        asked = Asked(
            input_tokens=cost.tokens_of(prompt.prefix) + cost.tokens_of(prompt.suffix),
            output_tokens=EXPECTED_TOKENS * (len(wanted) + 1),
        )
        self.gate.tell(asked)
        asked.ready.wait()
        assert asked.grant is not None
        if asked.grant.answer is not Answer.GRANTED:
            raise RunStopError if self.gate.stopping.is_set() else BudgetError
        return asked.grant

    def _record(self, prompt: Prompt, grant: Grant, came: Reply | ProviderError) -> Called:
        gate, job = self.gate, self.job
        call = call_of(
            prompt,
            came,
            purpose=Call.Purpose.JUDGE,
            provider=gate.provider.name,
            model=gate.model,
            task_id=job.task,
            run_id=gate.run,
            judgment_id=job.judgment,
            attempt=self.attempts,
        )
        return Called(call, came, grant.reserved)


def judge(gate: Gate, job: Job) -> None:
    """Judge one response; everything that comes of it is told through the gate."""
    try:
        _judge(gate, job)
    except (RunStopError, BudgetError, ProviderRefusalError) as cause:
        gate.tell(Left(job, cause))
    except Exception as cause:
        log.exception("Judging response item %s broke", job.item)
        gate.tell(Left(job, cause))


def _judge(gate: Gate, job: Job) -> None:
    outcomes = dict(job.done)
    reasons: dict[str, str] = {}
    metered = Metered(gate, job)
    last: Found | None = None
    missing = tuple(name for name in job.material.ids if name not in outcomes)
    groups = [(name,) for name in missing] if gate.per_criterion else [missing]
    for round_number in range(gate.rounds):
        truncated = False
        for group in groups:
            if last is not None:  # the last one is told together with the end
                gate.tell(last)
                last = None
            found, reason = _ask(gate, job, metered, group, round_number)
            last = found
            outcomes.update({name: outcome for name, (outcome, _why) in found.verdicts.items()})
            for name in group:
                if name in outcomes:
                    reasons.pop(name, None)
                else:
                    reasons[name] = reason
            truncated = truncated or reason == Stop.TRUNCATED
        missing = tuple(name for name in missing if name not in outcomes)
        again = tuple(name for name in missing if reasons[name] in WORTH_ASKING_AGAIN)
        if not again:
            break
        if gate.per_criterion:
            groups = [(name,) for name in again]
        elif truncated and len(again) > 1:
            # The same question would be cut at the same place: ask it in halves.
            middle = (len(again) + 1) // 2
            groups = [again[:middle], again[middle:]]
        else:
            groups = [again]
    for name in missing:
        outcomes[name] = O.FAILED.value
    gate.tell(Ended(job, outcomes, {name: reasons[name] for name in missing}, last))


# What a model may do better when asked once more; the rest it would only repeat.
WORTH_ASKING_AGAIN = frozenset(
    {"unreadable", "missing", "conflicting", Stop.TRUNCATED.value, Stop.REFUSAL.value}
)


def _ask(
    gate: Gate, job: Job, metered: Metered, ids: tuple[str, ...], round_number: int
) -> tuple[Found, str]:
    """One question about some lines: the verdicts it brought, and why others are missing."""
    if ids == job.material.ids and round_number == 0 and not gate.per_criterion:
        prompt = job.prompt
    else:
        nonce = later_nonce(job.key, round_number, ids)
        prompt = job.material.prompt(job.text, only_ids=ids, nonce=nonce)
    metered.answered = None
    try:
        reply = call_with_retries(
            metered,
            prompt,
            model=gate.model,
            parameters=gate.parameters,
            timeout=gate.timeout,
            policy=gate.policy,
            sleep=gate.sleep,
            limiter=gate.limiter,
        )
    except ProviderError as error:
        if error.kind in FATAL:
            raise ProviderRefusalError(error) from error
        return Found(job, None, {}), error.kind.value
    return read(job, metered.answered, reply, ids)


def read(job: Job, called: Called | None, reply: Reply, ids: tuple[str, ...]) -> tuple[Found, str]:
    """What a reply says about the lines it was asked for: verdicts, and why others are missing."""
    if reply.stop in (Stop.REFUSAL, Stop.FILTERED):
        return Found(job, called, {}), (
            Stop.REFUSAL.value if reply.stop is Stop.REFUSAL else ErrorKind.CONTENT_FILTER.value
        )
    parsed = parsing.parse_verdicts(reply.text, ids)
    verdicts = {
        name: (O.ABSTAINED.value if met is None else O.MET.value if met else O.UNMET.value, why)
        for name, (met, why) in parsed.verdicts.items()
    }
    if reply.stop is Stop.TRUNCATED:
        reason = Stop.TRUNCATED.value
    elif parsed.problem:
        reason = "unreadable"
    elif parsed.missing and set(parsed.missing) <= set(parsed.conflicting):
        reason = "conflicting"
    else:
        reason = "missing"
    call = called.call if called else None
    if call is not None and parsed.problem:
        call.detail = parsed.problem
        call.error = call.error or "unreadable"
    elif call is not None and (parsed.unknown or parsed.conflicting or parsed.repaired):
        notes = {
            "unknown ids": parsed.unknown,
            "conflicting": parsed.conflicting,
            "repaired": parsed.repaired,
        }
        call.detail = "; ".join(
            f"{name}: {', '.join(values)}" for name, values in notes.items() if values
        )[:500]
    return Found(job, called, verdicts), reason
