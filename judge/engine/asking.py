"""Ask a model about one response, in a thread that never touches the database.

The thread reports to the coordinator by events, and asks it for leave. A failure is a state: lines
that cannot be read are asked for again, at most twice, and then fail with a reason.
"""

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from judge.calls.budget import Answer, Grant
from judge.calls.models import Call
from judge.calls.pool import CallPool, StoppedError
from judge.calls.record import call_of, storable
from judge.engine.events import Asked, Called, Ended, Found, Job, Left
from judge.engine.models import JudgeRun
from judge.engine.planning.material import later_nonce
from judge.methods import registry
from judge.methods.method import FAILED
from judge.prices import cost
from judge.providers.base import ErrorKind, Prompt, ProviderError, Reply, Stop

log = logging.getLogger(__name__)

WhyMissing = Callable[[str], str]  # part -> code of the reason

MAX_REASKS = 2

# Every other response would fail as well: the run pauses, and no response fails.
FATAL = frozenset({ErrorKind.AUTH, ErrorKind.UNKNOWN_MODEL})


class BudgetError(Exception):
    """The budget has no room for another attempt."""


class ProviderRefusalError(Exception):
    """The provider refuses our key, the model's name, or every question, or cannot be reached."""

    def __init__(self, error: ProviderError) -> None:
        super().__init__(error.detail)
        self.error = error


class RunContext:
    """What all threads of a run share: its pool, its settings, and the way to the coordinator.

    Args:
        tell: takes what happened (see `judge.engine.events`).
        ask_leave: whether the run has a limit, and each attempt needs the coordinator's leave.
        answered: whether the provider has answered a question of this run. Until it has, a refused
            request is taken for a fault of the configuration, which all responses share.

    Attributes:
        reached: whether the provider was reached since this session began. Until it was, a
            question without a connection in all its tries means that it is off.
    """

    def __init__(
        self,
        run: JudgeRun,
        pool: CallPool,
        *,
        tell: Callable[[Any], None],
        ask_leave: bool,
        answered: bool,
    ) -> None:
        self.run = run.pk
        self.pool = pool
        self.model = run.model
        self.parameters = dict(run.parameters)
        self.one_by_one = asks_one_by_one(run)
        # A question in a batch was the first round; what it left open is asked here.
        self.rounds = MAX_REASKS if run.batch else MAX_REASKS + 1
        self.tell = tell
        self.ask_leave = ask_leave
        self.answered = answered
        self.reached = False


def asks_one_by_one(run: JudgeRun) -> bool:
    """Return whether each part of a judgment is a question of its own."""
    per_line = run.calls_mode == JudgeRun.Calls.PER_CRITERION
    return per_line or registry.get(run.method).one_call_per_part


class Metered:
    """A run's provider that reports each attempt, made under the leave it was given."""

    def __init__(self, context: RunContext, job: Job) -> None:
        self.context = context
        self.job = job
        self.attempts = 0
        self.grant = Grant(Answer.GRANTED)  # of the next attempt
        self.answered: Called | None = None  # of the reply just returned; not reported yet

    def complete(
        self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any], timeout: float
    ) -> Reply:
        """Make one call. Raises ProviderError."""
        context, grant = self.context, self.grant
        if grant.max_tokens is not None:
            parameters = {**parameters, "max_tokens": grant.max_tokens}
        self.attempts += 1
        try:
            reply = context.pool.provider.complete(
                prompt, model=model, parameters=parameters, timeout=timeout
            )
        except ProviderError as error:
            context.reached = context.reached or error.kind is not ErrorKind.CONNECTION
            context.tell(self._record(prompt, grant, error))
            raise
        except BaseException:
            # A bug of ours: release what was set aside for the call.
            broken = ProviderError(ErrorKind.BAD_REQUEST, "The call broke on our side.")
            context.tell(self._record(prompt, grant, broken))
            raise
        context.reached = True
        self.answered = self._record(prompt, grant, reply)
        return reply

    def ask_leave(self, prompt: Prompt) -> None:
        """Wait for the coordinator's leave for the next attempt.

        Raises BudgetError, or StoppedError where the run is being stopped.
        """
        wanted = prompt.inputs.wanted  # type: ignore[attr-defined]
        material = self.job.material
        asked = Asked(
            input_tokens=cost.prompt_tokens(prompt, self.context.parameters),
            output_tokens=material.method.reply_tokens(material, len(wanted)),
        )
        self.context.tell(asked)
        asked.ready.wait()
        assert asked.grant is not None
        if asked.grant.answer is not Answer.GRANTED:
            raise StoppedError if self.context.pool.stopping.is_set() else BudgetError
        self.grant = asked.grant

    def _record(self, prompt: Prompt, grant: Grant, came: Reply | ProviderError) -> Called:
        context, job = self.context, self.job
        call = call_of(
            prompt,
            came,
            purpose=Call.Purpose.JUDGE,
            provider=context.pool.provider.name,
            model=context.model,
            task_id=job.task,
            run_id=context.run,
            judgment_id=job.judgment,
            attempt=self.attempts,
        )
        return Called(call, came, grant.reserved)


def judge(context: RunContext, job: Job) -> None:
    """Judge one response and report everything to the coordinator."""
    try:
        _judge(context, job)
    except (StoppedError, BudgetError, ProviderRefusalError) as cause:
        context.tell(Left(job, cause))
    except Exception as cause:
        log.exception("Judging response item %s broke", job.item)
        context.tell(Left(job, cause))


def _judge(context: RunContext, job: Job) -> None:
    outcomes, findings = dict(job.done), dict(job.kept)
    reasons: dict[str, str] = {}
    metered = Metered(context, job)
    last: Found | None = None
    missing = tuple(name for name in job.material.parts if name not in outcomes)
    groups = [(name,) for name in missing] if context.one_by_one else [missing]
    for round_number in range(context.rounds):
        truncated = False
        for group in groups:
            if last is not None:  # the last one is reported together with the end
                context.tell(last)
                last = None
            found, why = _ask(context, job, metered, group, round_number)
            last = found
            outcomes.update(found.outcomes)
            findings.update(found.findings)
            for name in group:
                if name in outcomes:
                    reasons.pop(name, None)
                else:
                    reasons[name] = why(name)
                    truncated = truncated or reasons[name] == Stop.TRUNCATED
        missing = tuple(name for name in missing if name not in outcomes)
        again = tuple(name for name in missing if worth_asking_again(job, reasons[name]))
        if not again:
            break
        if context.one_by_one:
            groups = [(name,) for name in again]
        elif truncated and len(again) > 1:
            # The same question would be cut at the same place: ask it in halves.
            middle = (len(again) + 1) // 2
            groups = [again[:middle], again[middle:]]
        else:
            groups = [again]
    for name in missing:
        outcomes[name] = FAILED
    failed = {name: reasons[name] for name in missing}
    context.tell(Ended(job, outcomes, failed, last, findings))


# Faults that a second question may mend; others would come again.
_MAY_BE_MENDED = frozenset(
    {"unreadable", "missing", "conflicting", Stop.TRUNCATED.value, Stop.REFUSAL.value}
)


def worth_asking_again(job: Job, reason: str) -> bool:
    """Return whether a second question may mend why a part is missing."""
    return reason in _MAY_BE_MENDED or reason in job.material.method.faults


def _ask(
    context: RunContext, job: Job, metered: Metered, ids: tuple[str, ...], round_number: int
) -> tuple[Found, WhyMissing]:
    """Ask one question about some parts. Return what it decides and why others are missing."""
    if ids == job.material.parts and round_number == 0 and not context.one_by_one:
        prompt = job.prompt
    else:
        nonce = later_nonce(job.key, round_number, ids)
        prompt = job.material.prompt(job.text, only_ids=ids, nonce=nonce)
    metered.answered = None
    try:
        reply = context.pool.ask(
            metered,
            prompt,
            model=context.model,
            parameters=context.parameters,
            ask_leave=partial(metered.ask_leave, prompt) if context.ask_leave else None,
        )
    except ProviderError as error:
        first_refused = error.kind is ErrorKind.BAD_REQUEST and not context.answered
        never_reached = error.kind is ErrorKind.CONNECTION and not context.reached
        if error.kind in FATAL or first_refused or never_reached:
            raise ProviderRefusalError(error) from error
        return Found(job, None), _always(error.kind.value)
    context.answered = True
    return read(job, metered.answered, reply, ids)


def read(
    job: Job, called: Called | None, reply: Reply, ids: tuple[str, ...]
) -> tuple[Found, WhyMissing]:
    """Return what a reply decides, and why some parts asked for are missing."""
    if reply.stop is Stop.REFUSAL:
        return Found(job, called), _always(Stop.REFUSAL.value)
    if reply.stop is Stop.FILTERED:
        return Found(job, called), _always(ErrorKind.CONTENT_FILTER.value)
    cut = reply.stop is Stop.TRUNCATED
    said = job.material.method.read(job.material, job.text, reply.text, ids, cut=cut)
    call = called.call if called else None
    if call is not None and said.problem:
        call.detail = storable(said.problem)
        call.error = call.error or "unreadable"
    elif call is not None and said.notes:
        detail = "; ".join(
            f"{name}: {', '.join(values)}" for name, values in said.notes.items() if values
        )
        call.detail = storable(detail)[:500]
    found = Found(job, called, said.lines, said.findings)
    return found, _always(Stop.TRUNCATED.value) if cut else said.why_missing


def _always(reason: str) -> WhyMissing:
    return lambda _part: reason
