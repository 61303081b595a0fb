"""Write for an order of answers: grant attempts, and store replies.

An attempt is recorded before it is sent (counted, with the money set aside for it) and closed
together with its answer, by compare-and-swap on the wanted answer. So a second writer writes
nothing, and an attempt left open by a dead process is known and charged, as it may be billed.
"""

import logging
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from curation.base.process.states import move
from curation.base.text import storable
from curation.tasks.task.models import AnswerForm, Task
from judge.asking.calls.budgets import Answer, Budget, Grant
from judge.asking.calls.cost import Rates, prompt_tokens, rates_for
from judge.asking.calls.models import Call
from judge.asking.calls.record import call_of, code_of, cost_of, reason_of
from judge.asking.calls.record import storable as storable_words
from judge.asking.candidates import families
from judge.asking.candidates.generation_models import Generation, GenerationItem
from judge.asking.candidates.models import MOST_ANSWERS, Candidate, Response
from judge.asking.endpoints.file_rules import IN_ENGLISH, why_skipped
from judge.asking.prompts import builder
from judge.asking.prompts.task_text import task_text
from judge.asking.providers.base import ErrorKind, Prompt, ProviderError, Reply, Stop
from judge.asking.providers.inputs import TaskText
from judge.asking.providers.retry import end_of_wait

log = logging.getLogger(__name__)

State = GenerationItem.State
MOST_ATTEMPTS = 4  # of one answer
LONGEST_WAIT = 600  # seconds until a failed attempt is repeated, unless the provider asks for more
EXPECTED_OUTPUT = 2_000  # tokens of an answer; what a tight budget must at least leave room for
RECONNECT = (0.0, 0.2, 1.0)  # seconds before storing a reply is tried again: it is paid for

# Stored in English, shown in the reader's language.
OUT_OF_BUDGET = gettext_noop("Paused: the next answer could cost more than the budget has left.")
OUT_OF_CALLS = gettext_noop("Paused: the calls that were allowed are used up.")
WAITS = gettext_noop(
    "The provider takes no calls before %(until)s. The order goes on by itself then. %(problem)s"
)
REFUSED_US = gettext_noop("Paused: the provider refuses every call. %(problem)s")
NO_ANSWER = {
    Stop.TRUNCATED: gettext_noop("the answer needs more output tokens than it may have"),
    Stop.FILTERED: gettext_noop("the answer was filtered"),
    Stop.OTHER: gettext_noop(
        "the answer ended for a reason we do not know, so it may not be whole"
    ),
}
EMPTY = gettext_noop("the answer is empty")
FULL = gettext_noop(
    "the candidate's answers to this task are numbered up to 32,767, and all are taken"
)
INTERRUPTED = gettext_noop("the worker died while it was asking")
STOPPED = "stopped"  # by staff, so no reason is stored
INTERRUPTED_CODE = "interrupted"

_OURS = ("auth", "unknown_model")  # every further question would fail, too
MOST_REFUSED = 5  # questions refused in a row; after that the cause is not the question


class _OvertakenError(Exception):
    """Another worker has closed this attempt; write nothing."""


@dataclass(frozen=True)
class Asked:
    """One attempt at one answer, granted by the budget."""

    item: GenerationItem
    task: Task
    prompt: Prompt
    grant: Grant

    @property
    def attempt(self) -> int:
        return self.item.attempts


@dataclass(frozen=True)
class Next:
    """The next attempt, if any; `stop` says why nothing more is to be asked at all."""

    asked: Asked | None = None
    stop: str = ""


Came = Reply | ProviderError | Exception


class OrderLedger:
    """Writes for one order, in the one thread that holds the claim on it."""

    def __init__(self, generation: Generation) -> None:
        self.generation = generation
        self.problem = ""  # fills %(problem)s in the reason to stop
        self.refused = 0  # questions refused since the last answer
        self.answered = generation.items.filter(state=State.DONE).exists()
        self.budget = Budget(
            rates=self._rates(),
            micro=generation.budget_micro,
            calls=generation.max_calls,
            started=generation.calls,
            spent=generation.spent_micro,
            dearest=generation.dearest_micro,
        )
        self._close_abandoned_attempts()

    @transaction.atomic
    def _close_abandoned_attempts(self) -> None:
        """Charge attempts that a dead process left open: they may have been billed."""
        mine = Generation.objects.filter(pk=self.generation.pk)
        mine.select_for_update().get()
        open_ = GenerationItem.objects.filter(
            generation=self.generation, reserved_micro__isnull=False
        ).select_related("task")
        for item in open_.order_by("pk"):
            # Charge the dearest so far, but no more than was set aside, the most it can cost.
            known = [sum_ for sum_ in (self.budget.dearest, item.reserved_micro) if sum_]
            charged = min(known, default=0)
            self.budget.spent += charged
            mine.update(spent_micro=F("spent_micro") + charged)
            Call.objects.create(
                **self._names(item),
                prompt_sha256=builder.answer_prompt(task_text(item.task)).sha256,
                error=INTERRUPTED_CODE,
                detail=INTERRUPTED,
                cost_micro=None if self.budget.rates is None else charged,
            )
            row = GenerationItem.objects.filter(pk=item.pk)
            if item.attempts >= MOST_ATTEMPTS:
                move(row, State.FAILED, problem=INTERRUPTED)
            row.update(reserved_micro=None)

    def _names(self, item: GenerationItem) -> dict[str, Any]:
        return {
            "purpose": Call.Purpose.ANSWER,
            "provider": self.generation.provider,
            "model": self.generation.model,
            "task": item.task,
            "attempt": item.attempts,
        }

    # -- before a call ----------------------------------------------------------------------------

    def next(self, under_way: list[Asked]) -> Next:
        """Return the next question, recorded with leave to ask it, or why there is none."""
        while True:
            item = self._ready(under_way)
            if item is None:
                return Next()
            text = task_text(item.task)
            problem = self._why_not(item, text)
            if not problem:
                break
            _fail(item, problem)  # before anything is spent on it
        self._apply_price()
        prompt = builder.answer_prompt(text)
        parameters = self.generation.parameters
        tokens = prompt_tokens(prompt, parameters)
        grant = self.budget.ask(tokens, EXPECTED_OUTPUT, parameters.get("max_tokens"))
        if grant.answer is Answer.LATER:
            return Next()
        if grant.answer is Answer.REFUSED:
            spent = self.budget.calls is not None and self.budget.started >= self.budget.calls
            return Next(stop=OUT_OF_CALLS if spent else OUT_OF_BUDGET)
        if not self._begin(item, grant):
            return Next(stop=STOPPED)
        item.attempts += 1
        return Next(Asked(item, item.task, prompt, grant))

    def _ready(self, under_way: list[Asked]) -> GenerationItem | None:
        ready = GenerationItem.objects.filter(
            generation=self.generation, state=State.WAITING, not_before__lte=timezone.now()
        )
        # First the key, then the row with its task: sorting must not move long texts.
        pk = (
            ready.exclude(pk__in=[asked.item.pk for asked in under_way])
            .order_by("task_id", "number")
            .values_list("pk", flat=True)
            .first()
        )
        rows = GenerationItem.objects.select_related("task__domain")
        return None if pk is None else rows.get(pk=pk)

    def _apply_price(self) -> None:
        """Apply an edited price from here on; past charges stay."""
        rates, before = self._rates(), self.budget.rates
        if rates is not None and rates != before:
            dearest = self.budget.dearest
            dearest = dearest if before is None else rates.repriced_bound(dearest, before)
            self.budget.reprice(rates, spent=self.budget.spent, dearest=dearest)

    def _rates(self) -> Rates | None:
        return rates_for(self.generation.provider, self.generation.model)

    def _why_not(self, item: GenerationItem, text: TaskText) -> str:
        """Return why an answer is not asked for, in English; "" if it is."""
        if self._has_no_number(item):
            return FULL
        code = why_skipped(text, self.generation.provider, self.generation.model)
        return IN_ENGLISH.get(code, "")

    def _has_no_number(self, item: GenerationItem) -> bool:
        """Return whether all numbers of the candidate's answers are taken or asked for."""
        candidate = self.generation.candidate
        asked_for = GenerationItem.objects.filter(
            generation__candidate=candidate, task=item.task_id, reserved_micro__isnull=False
        )
        last = families.last_sample(candidate.name, item.task_id)
        return last + asked_for.count() >= MOST_ANSWERS

    @transaction.atomic
    def _begin(self, item: GenerationItem, grant: Grant) -> bool:
        """Count an attempt before it is sent; False if staff or another worker came first."""
        counted = (
            Generation.objects.filter(pk=self.generation.pk, state=Generation.State.WAITING)
            .filter(Q(max_calls__isnull=True) | Q(calls__lt=F("max_calls")))
            .update(calls=F("calls") + 1)
        )
        taken = counted and GenerationItem.objects.filter(
            pk=item.pk, state=State.WAITING, attempts=item.attempts, reserved_micro__isnull=True
        ).update(attempts=F("attempts") + 1, reserved_micro=grant.reserved)
        if not taken:
            transaction.set_rollback(True)
        return bool(taken)

    # -- after it ---------------------------------------------------------------------------------

    def take_back(self, asked: Asked) -> None:
        """Undo an attempt that was never sent."""
        self.budget.started -= 1
        self.budget.under_way -= 1
        self.budget.reserved -= asked.grant.reserved
        with transaction.atomic():
            Generation.objects.filter(pk=self.generation.pk).update(calls=F("calls") - 1)
            given_back = self._open(asked).update(attempts=F("attempts") - 1, reserved_micro=None)
            if not given_back:  # another worker has charged it: keep it counted
                transaction.set_rollback(True)

    def keep(self, asked: Asked, came: Came) -> str:
        """Store an attempt and its consequences. Return why to stop, or ""."""
        error = None if isinstance(came, Reply) else getattr(came, "kind", ErrorKind.SERVER)
        cost = cost_of(came, self.budget.rates)
        charged = self.budget.settle(asked.grant.reserved, cost, error=error)
        rests = list(RECONNECT)
        while True:
            try:
                return self._store(asked, came, charged, cost)
            except _OvertakenError:
                log.warning("Answer %s came to a worker that was overtaken", asked.item.pk)
                return STOPPED
            except (OperationalError, InterfaceError):
                if not rests or connection.in_atomic_block:
                    raise
                connection.close()
                time.sleep(rests.pop(0))
            except Exception as problem:
                # An answer that cannot be stored does not end the others; ask for it again.
                if not isinstance(came, Reply):
                    raise
                log.exception("Answer %s could not be stored", asked.item.pk)
                came = problem

    def _open(self, asked: Asked) -> Any:
        """Select the wanted answer while this attempt at it is under way."""
        return GenerationItem.objects.filter(
            pk=asked.item.pk,
            state=State.WAITING,
            attempts=asked.attempt,
            reserved_micro__isnull=False,
        )

    @transaction.atomic
    def _store(self, asked: Asked, came: Came, charged: int, cost: int | None) -> str:
        generation, item = self.generation, asked.item
        reply = came if isinstance(came, Reply) else None
        Generation.objects.filter(pk=generation.pk).update(
            spent_micro=F("spent_micro") + charged, dearest_micro=self.budget.dearest
        )
        if not self._open(asked).update(reserved_micro=None):
            raise _OvertakenError
        call_of(
            asked.prompt,
            came,
            **self._names(item),
            cost_micro=None if self.budget.rates is None else charged,
        ).save()
        if reply is not None:
            self.refused, self.answered = 0, True
            self._store_reply(item, reply, cost)
            return ""
        assert not isinstance(came, Reply)
        problem = reason_of(came)
        refused = code_of(came) == ErrorKind.BAD_REQUEST
        # A request refused before any answer came is put wrongly: every other would be, too.
        if code_of(came) in _OURS or (refused and not self.answered):
            self.problem = problem
            return REFUSED_US
        if refused:
            # A refused question does not hold up the others.
            _fail(item, problem)
            self.refused += 1
            if self.refused >= MOST_REFUSED:
                self.problem = problem
                return REFUSED_US
            return ""
        passing = not isinstance(came, ProviderError) or came.kind.retryable
        if isinstance(came, ProviderError) and passing and (came.retry_after or 0) > LONGEST_WAIT:
            self._wait(asked, end_of_wait(came, timezone.now()), problem)
            return ""
        if passing and asked.attempt < MOST_ATTEMPTS:
            rest = getattr(came, "retry_after", None) or 2.0**asked.attempt
            GenerationItem.objects.filter(pk=item.pk).update(
                not_before=timezone.now() + timedelta(seconds=min(rest, LONGEST_WAIT)),
                problem=problem,
            )
        else:
            _fail(item, problem)
        return ""

    def _wait(self, asked: Asked, until: datetime, problem: str) -> None:
        """Ask nothing more before the provider takes calls again; no answer fails meanwhile."""
        waiting = GenerationItem.objects.filter(generation=self.generation, state=State.WAITING)
        waiting.filter(pk=asked.item.pk).update(attempts=F("attempts") - 1, problem=problem)
        waiting.filter(reserved_micro__isnull=True).update(not_before=until)
        Generation.objects.filter(pk=self.generation.pk).update(
            reason=WAITS,
            facts={**self.generation.facts, "until": until.isoformat(), "problem": problem},
        )

    def _store_reply(self, item: GenerationItem, reply: Reply, cost: int | None) -> None:
        """Store a whole answer, or a refusal in words, as a response; fail a cut or empty one.

        To a question with an exact answer an empty or filtered reply is one too: a wrong one.
        """
        words = storable_words(reply.text).replace("\r\n", "\n").replace("\r", "\n")
        problem = NO_ANSWER.get(reply.stop) or (EMPTY if storable.is_blank(words) else "")
        given_none = problem in (EMPTY, NO_ANSWER[Stop.FILTERED])
        if given_none and item.task.answer_form == AnswerForm.EXACT:
            words, problem = "", ""
        if problem:
            _fail(item, problem)
            return
        candidate = self.generation.candidate_id
        # Locked, so that two orders of one candidate number their answers one after the other.
        Candidate.objects.select_for_update().get(pk=candidate)
        last = families.last_sample(self.generation.candidate.name, item.task_id)
        if last >= MOST_ANSWERS:  # an import took the last number in the meantime
            _fail(item, FULL)
            return
        response = Response.objects.create(
            # Keyed by the wanted answer, so that the database refuses a second one.
            key=f"{self.generation.pk}-{item.pk}-{item.task.key}"[:200],
            task_id=item.task_id,
            candidate_id=candidate,
            sample=last + 1,
            text=words,
            source=Response.Source.GENERATED,
            text_version=item.task.version,  # loaded with the text that was sent
            latency_ms=round(reply.seconds * 1000),
            cost_micro=cost,
            input_tokens=reply.usage.input_tokens,
            output_tokens=reply.usage.output_tokens,
        )
        mine = GenerationItem.objects.filter(pk=item.pk)
        move(mine, State.DONE, response=response, problem="")


def least_budget(generation: Generation, micro: int) -> int | None:
    """Return the budget the next answer needs, in micro-dollars; None if `micro` suffices."""
    rates = rates_for(generation.provider, generation.model)
    open_ = GenerationItem.objects.filter(
        generation=generation, state__in=(State.WAITING, State.FAILED)
    )
    item = open_.select_related("task__domain").order_by("task_id", "number").first()
    if rates is None or item is None:
        return None
    prompt = builder.answer_prompt(task_text(item.task))
    tokens = prompt_tokens(prompt, generation.parameters)
    spent, dearest = generation.spent_micro, generation.dearest_micro
    budget = Budget(rates=rates, micro=micro, spent=spent, dearest=dearest)
    ceiling = generation.parameters.get("max_tokens")
    if budget.ask(tokens, EXPECTED_OUTPUT, ceiling).answer is not Answer.REFUSED:
        return None
    return spent + max(rates.bound(tokens, 2 * EXPECTED_OUTPUT), dearest)


def _fail(item: GenerationItem, problem: str) -> None:
    move(GenerationItem.objects.filter(pk=item.pk), State.FAILED, problem=problem)
