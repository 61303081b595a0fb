"""Limits of calls and money: hard ones checked at every attempt, and monthly ones by purpose."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from django.db.models import Max, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from judge.asking.calls.cost import MILLION, Rates
from judge.asking.calls.models import Call, MonthlyBudget
from judge.asking.calls.record import UNBILLED
from judge.asking.providers.base import MAX_OUTPUT_TOKENS, ErrorKind

# Only the coordinating thread uses it, so nothing here locks. The cost of a call is unknown
# before it ends: an upper bound is set aside and later replaced by the cost.


MOST_CALLS = 10_000_000  # the highest limit of calls; fits the database's columns


class Answer(Enum):
    """The answer to a request for one more attempt."""

    GRANTED = "granted"
    LATER = "later"  # wait: calls under way may leave enough money
    REFUSED = "refused"


@dataclass
class Grant:
    """Leave to make one attempt; `max_tokens` is set if only a shorter reply is affordable."""

    answer: Answer
    reserved: int = 0
    max_tokens: int | None = None


@dataclass
class Budget:
    """What a run or an order may still spend.

    Args:
        rates: the model's price, None if unknown (then there is no `micro`).
        micro: money in millionths of a dollar; None for no limit.
        calls: number of attempts; None for no limit.
        started: attempts let through so far, in earlier sessions too.
        spent: micro-dollars of the calls stored so far.
        dearest: the dearest call so far.
        several: whether several models are asked, so that the dearest call of one says nothing of
            what another's may cost.
    """

    rates: Rates | None
    micro: int | None = None
    calls: int | None = None
    started: int = 0
    spent: int = 0
    dearest: int = 0
    under_way: int = 0
    reserved: int = field(default=0)
    several: bool = False
    outdated: int = 0  # attempts under way whose money was set aside at an earlier price

    @property
    def limited(self) -> bool:
        """Whether money or calls are limited."""
        return self.micro is not None or self.calls is not None

    def ask(
        self,
        input_tokens: int,
        output_tokens: int,
        max_tokens: int | None = None,
        *,
        rates: Rates | None = None,
    ) -> Grant:
        """Ask for one attempt.

        Args:
            input_tokens: a generous count of the prompt.
            output_tokens: what the reply is expected to hold.
            max_tokens: what the run's parameters allow the reply to hold; None for the default.
            rates: the price of another model than the budget's own.
        """
        if self.calls is not None and self.started >= self.calls:
            return Grant(Answer.REFUSED)
        ceiling = max_tokens or MAX_OUTPUT_TOKENS
        grant = self._afford(input_tokens, output_tokens, ceiling, rates or self.rates)
        if grant.answer is Answer.GRANTED:
            self.started += 1
            self.under_way += 1
            self.reserved += grant.reserved
        return grant

    def _afford(
        self, input_tokens: int, output_tokens: int, ceiling: int, rates: Rates | None
    ) -> Grant:
        if self.micro is None or rates is None:
            return Grant(Answer.GRANTED)
        left = self.micro - self.spent - self.reserved
        # An earlier price may have set aside too little: wait until open calls are charged.
        if self.outdated:
            return Grant(Answer.LATER)
        # The first call goes alone: its real cost corrects the bounds of all others.
        if self.dearest == 0 and self.under_way and rates.output:
            return Grant(Answer.LATER)
        whole = max(rates.bound(input_tokens, ceiling), self.dearest)
        if whole <= left:
            return Grant(Answer.GRANTED, whole)
        # Not enough for the longest reply: ask for a shorter one, which the vendor enforces.
        room = left - rates.bound(input_tokens, 0)
        affordable = room * 1_000_000 // rates.output if rates.output else 0
        enough = min(ceiling, output_tokens * (4 if self.under_way else 2))
        if room > 0 and affordable >= enough and left >= self.dearest:
            tokens = min(ceiling, max(enough, affordable // 4 if self.under_way else affordable))
            price = max(rates.bound(input_tokens, tokens), self.dearest)
            if price <= left:
                return Grant(Answer.GRANTED, price, tokens)
        return Grant(Answer.LATER if self.under_way else Answer.REFUSED)

    def set_aside(self, input_tokens: int, max_tokens: int) -> Grant:
        """Ask leave for one question of a batch, at its price, with `max_tokens` for the reply."""
        if self.calls is not None and self.started >= self.calls:
            return Grant(Answer.REFUSED)
        reserved = 0
        if self.micro is not None and self.rates is not None:
            reserved = self.rates.bound(input_tokens, max_tokens, batch=True)
            if reserved > self.micro - self.spent - self.reserved:
                return Grant(Answer.REFUSED)
        self.started += 1
        self.under_way += 1
        self.reserved += reserved
        return Grant(Answer.GRANTED, reserved, max_tokens)

    def settle(self, reserved: int, cost: int | None, *, error: ErrorKind | None = None) -> int:
        """Replace what was set aside for an ended attempt by its cost; return the cost.

        A call that ended without a token count may have been billed, as a timeout after the model
        wrote: charge the dearest call so far, or all that was set aside if there was none, or if
        several models are asked.
        """
        self.under_way -= 1
        self.reserved -= reserved
        self.outdated -= bool(self.outdated)
        if cost is None:
            known = 0 if self.several else self.dearest
            cost = 0 if error in UNBILLED else (known or reserved)
        self.spent += cost
        if error is None:
            self.dearest = max(self.dearest, cost)
        return cost

    def reprice(self, rates: Rates, *, spent: int, dearest: int) -> None:
        """Count everything at a new price from now on.

        Args:
            spent: what the calls so far cost at the new price; what they were charged stays where
                that is more, so that a lower price frees nothing.
            dearest: the dearest call so far, at the new price.
        """
        self.rates = rates
        self.spent = max(self.spent, spent)
        self.dearest = dearest
        self.outdated = self.under_way


_P = Call.Purpose
PURPOSES = (_P.DRAFT, _P.PROBE, _P.LINT, _P.LABELS, _P.BASELINE)


def why_no_call(purpose: str, rates: Rates | None, model: str) -> str:
    """Return why a purpose may not spend more this month; "" if it may.

    Calls under way are not counted before they end, so a budget may be exceeded by their cost.

    Args:
        rates: the price of the model to ask; None if unknown.
        model: its name with its provider, as in "openai:gpt-x".
    """
    limit = limits().get(purpose)
    if limit is None:
        return ""
    if rates is None:
        return _(
            "no price is known for the model %(model)s, so the monthly budget for “%(purpose)s” "
            "cannot be kept; staff enter the price under Runs → Prices, or remove the budget"
        ) % {"model": model, "purpose": Call.Purpose(purpose).label}
    if spent_in_month(purpose) >= limit:
        return _("the monthly budget of $%(dollars)s is used up") % {
            "dollars": f"{limit / MILLION:,.2f}"
        }
    return ""


def limits() -> dict[str, int | None]:
    """Return the limits in force in micro-dollars by purpose; None for no limit."""
    current = MonthlyBudget.objects.first() or MonthlyBudget()
    return {purpose.value: getattr(current, purpose.value) for purpose in PURPOSES}


def charged_in_month(purpose: str, provider: str, model: str, bound: int) -> int | None:
    """Return what an attempt without a token count is charged; None where nothing limits it.

    It may have been billed, as a timeout after the model wrote. As in a run, it is charged the
    dearest call so far, here of this month, or `bound` where there is none.

    Args:
        bound: the most it can have cost, in micro-dollars.
    """
    if limits().get(purpose) is None:
        return None
    rows = Call.objects.filter(
        purpose=purpose, provider=provider, model=model, error="", at__gte=start_of_month()
    )
    return rows.aggregate(most=Max("cost_micro"))["most"] or bound


def spent_in_month(purpose: str) -> int:
    """Return what the calls of a purpose cost this month, in micro-dollars as charged."""
    rows = Call.objects.filter(purpose=purpose, at__gte=start_of_month())
    return int(rows.aggregate(spent=Sum("cost_micro"))["spent"] or 0)


def start_of_month() -> datetime:
    """Return the first moment of this month, in the programme's time zone."""
    today = timezone.localtime(timezone=timezone.get_default_timezone())
    return today.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
