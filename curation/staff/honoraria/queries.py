"""What the pages of honoraria show: a person's statement, the budget, rates and payroll files."""

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from curation.joining.people import User
from curation.staff.honoraria.models import (
    Honorarium,
    HonorariumRate,
    HonorariumStep,
    PayrollFile,
    Work,
)
from curation.staff.honoraria.prices import Price, Prices, day_of, money, sums_in_words

PER_PAGE = 50
_KINDS = list(Work.values)
_MINUTES = re.compile(r"minutes-([1-9][0-9]{0,17})")
State = Honorarium.State


@dataclass(frozen=True, slots=True)
class Piece:
    """An entry with its amount, or why there is none."""

    entry: Honorarium
    price: Price

    @property
    def pk(self) -> int:
        return int(self.entry.pk)

    @property
    def amount(self) -> str:
        """The amount in words; "" where it is unknown or nothing is paid."""
        return "" if self.price.amount is None else money(self.price.amount, self.price.currency)

    @property
    def refused(self) -> bool:
        return self.entry.state == State.REFUSED

    @property
    def open(self) -> bool:
        """Whether its person may still say how long it took."""
        return self.entry.state == State.WAITING

    @property
    def suggested_minutes(self) -> int | None:
        """What the form shows as the time: as stated, else as the product measured it."""
        return self.entry.minutes or self.entry.measured_minutes

    @property
    def only_measured(self) -> bool:
        return self.entry.minutes is None and self.entry.measured_minutes is not None


@dataclass(frozen=True)
class Statement:
    """A page of a person's pieces, and sums of all of them by currency, in words."""

    page: "Page[Any]"
    pieces: list[Piece]
    waiting: str
    approved: str
    paid: str
    unknown: int

    @property
    def editable(self) -> bool:
        return any(piece.open for piece in self.pieces)


def with_prices(entries: Iterable[Honorarium], prices: Prices | None = None) -> list[Piece]:
    """Return entries with their amounts. One query for the rates."""
    known = prices or Prices()
    return [Piece(entry, known.of(entry)) for entry in entries]


def pieces_of(keys: Collection[int]) -> Mapping[int, Piece]:
    """Return pieces by key, with people, tasks and domains. Two queries."""
    rows = Honorarium.objects.filter(pk__in=keys).select_related(
        "person", "task", "domain", "payroll"
    )
    return {piece.pk: piece for piece in with_prices(rows)}


def readable_by(rows: "QuerySet[Honorarium]", reader: Any) -> "QuerySet[Honorarium]":
    """Return the entries without the work of others on tasks that the reader wrote.

    Who voted on a task, reviewed or scored it stays hidden from its author, staff or not.
    """
    wrote_it = Q(task__author=reader) | Q(task__rubric_author=reader)
    return rows.exclude(wrote_it & ~Q(person=reader))


def pieces_sent(person: User, names: Iterable[str]) -> list[Piece]:
    """Return the person's pieces among fields named `minutes-<entry>`, decided ones too.

    Two queries.
    """
    keys = [int(found[1]) for name in names if (found := _MINUTES.fullmatch(name))]
    mine = Honorarium.objects.filter(person=person, pk__in=keys)
    return with_prices(mine.select_related("task", "domain", "payroll"))


def statement_of(person: User, number: int | None, *, reader: Any) -> Statement:
    """Return a page of a person's statement, the newest work first. Six queries."""
    mine = readable_by(Honorarium.objects.filter(person=person), reader)
    prices = Prices()
    page = Paginator(mine.select_related("task", "domain", "payroll"), PER_PAGE).get_page(number)
    waiting, unknown = expected_sums(mine, prices)
    decided = _decided_sums(mine)
    return Statement(
        page=page,
        pieces=with_prices(page.object_list, prices),
        waiting=sums_in_words(waiting.items()),
        approved=sums_in_words(decided[State.APPROVED].items()),
        paid=sums_in_words(decided[State.PAID].items()),
        unknown=unknown,
    )


def expected_sums(rows: "QuerySet[Honorarium]", prices: Prices) -> tuple[dict[str, Decimal], int]:
    """Return what the waiting ones of these entries would be paid, and how many are unknown."""
    sums: dict[str, Decimal] = defaultdict(Decimal)
    unknown = 0
    for _kind, _month, price in _expected(rows, prices):
        if price.amount is not None:
            sums[price.currency] += price.amount
        elif price.why != "unpaid":
            unknown += 1
    return dict(sums), unknown


def _expected(rows: "QuerySet[Honorarium]", prices: Prices) -> Iterable[tuple[str, str, Price]]:
    columns = ("kind", "domain", "finished_at", "minutes", "fixed_amount", "fixed_currency")
    waiting = rows.filter(state=State.WAITING).order_by().values_list(*columns)
    for kind, domain, finished_at, minutes, amount, currency in waiting.iterator():
        price = prices.expected(
            kind=kind,
            domain=domain,
            finished_at=finished_at,
            minutes=minutes,
            fixed=(amount, currency),
        )
        yield kind, f"{day_of(finished_at):%Y-%m}", price


def _decided_sums(rows: "QuerySet[Honorarium]") -> Mapping[str, dict[str, Decimal]]:
    sums: dict[str, dict[str, Decimal]] = defaultdict(dict)
    found = rows.filter(amount__isnull=False).order_by()
    for state, currency, amount in found.values_list("state", "currency").annotate(Sum("amount")):
        sums[state][currency] = amount
    return sums


# --- the budget -----------------------------------------------------------------------------------
@dataclass
class BudgetRow:
    """One kind of work in one month; sums by currency.

    Attributes:
        pieces: without those that were refused.
        unknown: how many have an unknown amount.
        unpaid: how many get nothing, as a rate says.
    """

    month: str
    kind: str
    pieces: int = 0
    unknown: int = 0
    unpaid: int = 0
    sums: dict[str, dict[str, Decimal]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, state: str, currency: str, amount: Decimal) -> None:
        """Add an amount to the sum of a state in its currency."""
        before = self.sums[state].get(currency, Decimal(0))
        self.sums[state][currency] = before + amount

    @property
    def label(self) -> str:
        return str(Work(self.kind).label) if self.kind else ""

    @property
    def unknown_words(self) -> str:
        """How many are unknown; "" for none."""
        return str(self.unknown or "")

    @property
    def expected(self) -> str:
        return sums_in_words(self.sums[State.WAITING].items())

    @property
    def approved(self) -> str:
        return sums_in_words(self.sums[State.APPROVED].items())

    @property
    def paid(self) -> str:
        return sums_in_words(self.sums[State.PAID].items())


@dataclass(frozen=True)
class Month:
    """The kinds of work of one month, with their sum."""

    month: str
    rows: list[BudgetRow]

    @property
    def first_day(self) -> date:
        return date.fromisoformat(f"{self.month}-01")


@dataclass(frozen=True)
class Budget:
    """What is expected, approved and paid, by month and kind; the newest month first."""

    months: list[Month]
    total: BudgetRow


def budget() -> Budget:
    """Return what work costs, by month and kind of work, and in all. Three queries."""
    rows: dict[tuple[str, str], BudgetRow] = {}
    total = BudgetRow("", "")

    def both(month: str, kind: str) -> tuple[BudgetRow, BudgetRow]:
        return rows.setdefault((month, kind), BudgetRow(month, kind)), total

    for work, of_month, price in _expected(Honorarium.objects.all(), Prices()):
        for row in both(of_month, work):
            row.pieces += 1
            if price.amount is not None:
                row.add(State.WAITING, price.currency, price.amount)
            elif price.why == "unpaid":
                row.unpaid += 1
            else:
                row.unknown += 1
    decided = Honorarium.objects.filter(amount__isnull=False).order_by()
    columns = decided.values_list("kind", "finished_at", "state", "currency", "amount")
    for kind, finished_at, state, currency, amount in columns.iterator():
        for row in both(f"{day_of(finished_at):%Y-%m}", kind):
            row.pieces += 1
            row.add(state, currency, amount)
    months: dict[str, list[BudgetRow]] = defaultdict(list)
    for (month, _work), row in sorted(rows.items(), key=lambda item: _KINDS.index(item[0][1])):
        months[month].append(row)
    return Budget(
        [Month(month, months[month]) for month in sorted(months, reverse=True)],
        total,
    )


# --- rates and payroll files ----------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class RateRow:
    """A rate as a page shows it.

    Attributes:
        now: whether it is the one that counts today.
        others: whether, of all domains, it counts only in those of the reader without their own.
    """

    rate: HonorariumRate
    now: bool
    used: int = 0
    others: bool = False

    @property
    def amount(self) -> str:
        return "" if self.rate.amount is None else money(self.rate.amount, self.rate.currency)


def rate_rows() -> list[RateRow]:
    """Return all rates, in the order of the kinds, the newest first. Two queries."""
    rates = list(
        HonorariumRate.objects.select_related("domain", "entered_by", "taken_back_by").annotate(
            used=Count("entries")
        )
    )
    known = Prices(rate for rate in rates if rate.in_force)
    today = day_of(timezone.now())
    rates.sort(
        key=lambda rate: (
            _KINDS.index(rate.kind),
            rate.domain.position if rate.domain else -1,
            -rate.since.toordinal(),
            -rate.pk,
        )
    )
    return [
        RateRow(
            rate=rate,
            now=rate.in_force and known.rate_on(today, rate.kind, rate.domain_id) == rate,
            used=rate.used,
        )
        for rate in rates
    ]


def rates_for(person: User) -> list[RateRow]:
    """Return the rates that count today for a person, one query: their domains', then that of all.

    What one of their domains does not pay is told; a rate of all domains that pays nothing is not.
    """
    mine = person.qualified_domain_ids()
    today = day_of(timezone.now())
    rates = HonorariumRate.objects.filter(taken_back_at__isnull=True).select_related("domain")
    known = Prices(rates)
    now = [one for one in rates if known.rate_on(today, one.kind, one.domain_id) == one]
    own = {(one.kind, one.domain_id) for one in now if one.domain_id in mine}
    rows = [RateRow(one, now=True) for one in now if one.domain_id in mine]
    for one in now:
        without = [domain for domain in mine if (one.kind, domain) not in own]
        if one.domain_id is None and one.amount is not None and (without or not mine):
            rows.append(RateRow(one, now=True, others=len(without) < len(mine)))

    def place(row: RateRow) -> tuple[int, float]:
        domain = row.rate.domain
        return _KINDS.index(row.rate.kind), domain.position if domain else math.inf

    return sorted(rows, key=place)


def payroll_files() -> list[PayrollFile]:
    """Return the payroll files, the newest first, without their bytes. One query."""
    return list(PayrollFile.objects.select_related("made_by").defer("csv", "xlsx"))


def left_for_payroll() -> int:
    """Return how many approved entries are in no file yet. One query."""
    return Honorarium.objects.filter(state=State.APPROVED, payroll__isnull=True).count()


def steps_on(entries: Collection[int]) -> Mapping[int, list[HonorariumStep]]:
    """Return entry -> what staff did with it, the oldest first. One query."""
    found: dict[int, list[HonorariumStep]] = defaultdict(list)
    for step in HonorariumStep.objects.filter(entry__in=entries).select_related("actor"):
        found[step.entry_id].append(step)
    return found
