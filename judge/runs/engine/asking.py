"""Ask a model about one response, in a thread that never touches the database.

The thread reports to the coordinator by events, and asks it for leave. A failure is a state: lines
that cannot be read are asked for again, at most twice, and then fail with a reason.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from judge.asking.calls import cost
from judge.asking.calls.budgets import Answer, Grant
from judge.asking.calls.models import Call
from judge.asking.calls.pool import StoppedError
from judge.asking.calls.record import call_of, storable
from judge.asking.providers.base import ErrorKind, Prompt, ProviderError, Reply, Stop
from judge.asking.providers.retry import asked_for_more
from judge.methods.base import registry
from judge.methods.base.method import Method
from judge.methods.base.values import FAILED, JUDGE
from judge.runs.engine.events import Asked, Called, Ended, Found, Job, Left
from judge.runs.engine.lanes import Lane, Lanes
from judge.runs.engine.models import JudgeRun
from judge.runs.engine.planning.material import later_nonce

log = logging.getLogger(__name__)

WhyMissing = Callable[[str], str]  # part -> code of the reason

MAX_REASKS = 2

# Every other response would fail as well: the run pauses, and no response fails.
FATAL = frozenset({ErrorKind.AUTH, ErrorKind.UNKNOWN_MODEL})


class BudgetError(Exception):
    """The budget has no room for another attempt."""


class ProviderRefusalError(Exception):
    """The provider refuses our key, the model's name, or every question, cannot be reached, or asks
    to wait longer than a call does.

    `lane` is the way to the model that was asked; None for the judge's batches.
    """

    def __init__(self, error: ProviderError, lane: Lane | None = None) -> None:
        super().__init__(error.detail)
        self.error = error
        self.lane = lane


class SourceLostError(Exception):
    """The source of documents cannot be read, which all responses share; the message says why."""


class RunContext:
    """What all threads of a run share: its lanes, its settings, and the way to the coordinator.

    Args:
        tell: takes what happened (see `judge.runs.engine.events`).
        ask_leave: whether the run has a limit, and each attempt needs the coordinator's leave.
    """

    def __init__(
        self, run: JudgeRun, lanes: Lanes, *, tell: Callable[[Any], None], ask_leave: bool
    ) -> None:
        self.run = run.pk
        self.lanes = lanes
        self.one_by_one = asks_one_by_one(run)
        self.per_line = run.calls_mode == JudgeRun.Calls.PER_CRITERION
        # A question in a batch was the first round; what it left open is asked here.
        self.asked_before = 1 if run.batch else 0
        self.rounds = MAX_REASKS + 1 - self.asked_before
        self.tell = tell
        self.ask_leave = ask_leave

    def groups(self, method: Method, parts: Sequence[str]) -> list[tuple[str, ...]]:
        """Return how missing parts are asked for: those of one group by one question."""
        return [(part,) for part in parts] if self.per_line else list(method.groups(parts))


def asks_one_by_one(run: JudgeRun) -> bool:
    """Return whether each part of a judgment is a question of its own."""
    per_line = run.calls_mode == JudgeRun.Calls.PER_CRITERION
    return per_line or registry.get(run.method).one_call_per_part


class Metered:
    """A run's provider that reports each attempt, made under the leave it was given."""

    def __init__(self, context: RunContext, job: Job) -> None:
        self.context = context
        self.job = job
        self.role = JUDGE
        self.asked: Counter[tuple[str, str]] = Counter()  # how often, by role and part
        self.attempt = 0  # of the question that is asked now
        self.grant = Grant(Answer.GRANTED)  # of the next attempt
        self.answered: Called | None = None  # of the reply just returned; not reported yet
        self.cut: set[str] = set()  # roles in which a reply was cut: once more is enough
        self.too_long: set[str] = set()  # parts whose reply was cut and that cannot be split

    @property
    def lane(self) -> Lane:
        """The way to the model that is asked now."""
        return self.context.lanes.of(self.role)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """How the model is asked now: with more output tokens once a reply was cut."""
        lane = self.lane
        if self.role in self.cut and lane.more is not None:
            return asked_for_more(lane.parameters, lane.more)
        return lane.parameters

    def complete(
        self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any], timeout: float
    ) -> Reply:
        """Make one call. Raises ProviderError."""
        context, grant, lane = self.context, self.grant, self.lane
        if grant.max_tokens is not None:
            parameters = {**parameters, "max_tokens": grant.max_tokens}
        self.attempt = self._count(prompt)
        try:
            reply = lane.pool.provider.complete(
                prompt, model=model, parameters=parameters, timeout=timeout
            )
        except ProviderError as error:
            lane.reached = lane.reached or error.kind is not ErrorKind.CONNECTION
            if error.kind is ErrorKind.BAD_REQUEST and self.role in self.cut:
                lane.more = None  # it does not write as much
            context.tell(self._record(prompt, grant, error))
            raise
        except BaseException:
            # A bug of ours: release what was set aside for the call.
            broken = ProviderError(ErrorKind.BAD_REQUEST, "The call broke on our side.")
            context.tell(self._record(prompt, grant, broken))
            raise
        lane.reached = True
        self.answered = self._record(prompt, grant, reply)
        if reply.stop is Stop.TRUNCATED:
            # It may be asked for once more: what comes of that must not lose this one.
            context.tell(self.answered)
            self.answered = None
            self.cut.add(self.role)
        return reply

    def ask_leave(self, prompt: Prompt, parameters: Mapping[str, Any]) -> None:
        """Wait for the coordinator's leave for the next attempt.

        Raises BudgetError, or StoppedError where the run is being stopped.
        """
        wanted = prompt.inputs.wanted  # type: ignore[attr-defined]
        material = self.job.material
        asked = Asked(
            role=self.role,
            input_tokens=cost.prompt_tokens(prompt, parameters),
            output_tokens=material.method.reply_tokens(material, len(wanted)),
            max_tokens=parameters.get("max_tokens"),
        )
        self.context.tell(asked)
        asked.ready.wait()
        assert asked.grant is not None
        if asked.grant.answer is not Answer.GRANTED:
            raise StoppedError if self.context.lanes.stopping.is_set() else BudgetError
        self.grant = asked.grant

    def _count(self, prompt: Prompt) -> int:
        """Return which attempt at its parts a question is in this session, counted from 1.

        What a batch left open was asked for once.
        """
        keys = [(self.role, part) for part in prompt.inputs.wanted]  # type: ignore[attr-defined]
        self.asked.update(keys)
        return self.context.asked_before + max((self.asked[key] for key in keys), default=1)

    def _record(self, prompt: Prompt, grant: Grant, came: Reply | ProviderError) -> Called:
        context, job, lane = self.context, self.job, self.lane
        call = call_of(
            prompt,
            came,
            purpose=Call.Purpose.JUDGE,
            provider=lane.pool.provider.name,
            model=lane.model,
            role=self.role if job.material.method.further_roles else "",
            task_id=job.task,
            run_id=context.run,
            judgment_id=job.judgment,
            attempt=self.attempt,
        )
        return Called(call, came, grant.reserved)


def judge(context: RunContext, job: Job) -> None:
    """Judge one response and report everything to the coordinator."""
    try:
        _Asking(context, job).work()
    except (StoppedError, BudgetError) as cause:
        context.tell(Left(job, cause))
    except (ProviderRefusalError, SourceLostError) as cause:
        context.tell(Left(job, cause))
        context.lanes.stopping.set()  # at once: every other question would be refused as well
    except Exception as cause:
        log.exception("Judging response item %s broke", job.item)
        context.tell(Left(job, cause))


class _Asking:
    """The questions about one response: stage after stage, each in a few rounds.

    What was found last is told together with the end, so that both are stored at once.
    """

    def __init__(self, context: RunContext, job: Job) -> None:
        self.context = context
        self.job = job
        self.metered = Metered(context, job)
        self.outcomes, self.findings = dict(job.done), dict(job.kept)
        self.last: Found | None = None

    def work(self) -> None:
        """Ask until nothing more follows, or a part has failed."""
        while True:
            failed = self._stage()
            now = replace(self.job, done=self.outcomes, kept=self.findings).with_what_follows()
            if failed or now.material is self.job.material:
                break
            self.job = self.metered.job = replace(self.job, material=now.material)
        outcomes = {**self.outcomes, **dict.fromkeys(failed, FAILED)}
        self.context.tell(Ended(self.job, outcomes, failed, self.last, self.findings))

    def _stage(self) -> dict[str, str]:
        """Ask for the parts that are missing; return those that failed, with their reasons."""
        method, reasons = self.job.material.method, dict[str, str]()
        missing = tuple(name for name in self.job.material.parts if name not in self.outcomes)
        groups = self.context.groups(method, missing)
        for round_number in range(self.context.rounds):
            if round_number and any(map(method.is_looked_up, missing)):
                self.context.lanes.wait(round_number)
            truncated = False
            for group in groups:
                why = self._ask(group, round_number)
                for name in group:
                    if name in self.outcomes:
                        reasons.pop(name, None)
                    else:
                        reasons[name] = why(name)
                        truncated = truncated or reasons[name] == Stop.TRUNCATED
            missing = tuple(name for name in missing if name not in self.outcomes)
            again = tuple(
                name
                for name in missing
                if name not in self.metered.too_long and worth_asking_again(self.job, reasons[name])
            )
            if not again:
                break
            groups = self.context.groups(method, again)
            if truncated and len(groups) == 1 and len(again) > 1:
                # The same question would be cut at the same place: ask it in halves.
                middle = (len(again) + 1) // 2
                groups = [again[:middle], again[middle:]]
        return {name: reasons[name] for name in missing}

    def _ask(self, group: tuple[str, ...], round_number: int) -> WhyMissing:
        """Ask for one group of parts, keep what is found, and return why others are missing."""
        if self.last is not None:
            self.context.tell(self.last)
            self.last = None
        method = self.job.material.method
        if method.is_looked_up(group[0]):
            last = round_number == self.context.rounds - 1
            found, why = _look_up(self.context, self.job, group, last=last)
        else:
            self.metered.role = method.role_of(group[0])
            found, why = _ask(self.context, self.job, self.metered, group, round_number)
        self.last = found
        self.outcomes.update(found.outcomes)
        self.findings.update(found.findings)
        return why


# Faults that a second question may mend; others, as a refusal, would come again.
_MAY_BE_MENDED = frozenset({"unreadable", "missing", "conflicting", Stop.TRUNCATED.value})


def worth_asking_again(job: Job, reason: str) -> bool:
    """Return whether a second question may mend why a part is missing."""
    return reason in _MAY_BE_MENDED or reason in job.material.method.faults


def _look_up(
    context: RunContext, job: Job, group: tuple[str, ...], *, last: bool
) -> tuple[Found, WhyMissing]:
    """Look up one part.

    Raises StoppedError where the run is being stopped, SourceLostError where the last try fails
    because the source is off.
    """
    if context.lanes.stopping.is_set():
        raise StoppedError
    (part,) = group
    said = job.material.method.look_up(job.material, job.text, part)
    if last and said.reason in job.material.method.outages:
        raise SourceLostError(said.problem)
    return Found(job, None, said.lines, said.findings), said.why_missing


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
    lane = metered.lane
    try:
        reply = lane.pool.ask(
            metered,
            prompt,
            model=lane.model,
            parameters=metered.parameters,
            ask_leave=partial(metered.ask_leave, prompt) if context.ask_leave else None,
            more=None if metered.role in metered.cut else lane.more,
        )
    except ProviderError as error:
        first_refused = error.kind is ErrorKind.BAD_REQUEST and not lane.answered
        never_reached = error.kind is ErrorKind.CONNECTION and not lane.reached
        too_long = lane.pool.asks_too_much(error)
        if error.kind in FATAL or first_refused or never_reached or too_long:
            raise ProviderRefusalError(error, lane) from error
        return Found(job, None), _always(error.kind.value)
    lane.answered = True
    if reply.stop is Stop.TRUNCATED and (len(ids) == 1 or not reply.text.strip()):
        metered.too_long.update(ids)  # without a text, all its tokens went into thoughts
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
        call.detail = call.detail or storable(said.problem)
        call.error = call.error or "unreadable"
    elif call is not None and reply.stop is Stop.OTHER:
        call.error = ""  # it could be read to its end
    if call is not None and not said.problem and said.notes:
        detail = "; ".join(
            f"{name}: {', '.join(values)}" for name, values in said.notes.items() if values
        )
        call.detail = storable(detail)[:500]
    found = Found(job, called, said.lines, said.findings)
    return found, _always(Stop.TRUNCATED.value) if cut else said.why_missing


def _always(reason: str) -> WhyMissing:
    return lambda _part: reason
