"""What work is paid: rates, entries of finished work, payees and payroll files."""

from decimal import Decimal
from typing import Any

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.process.history import AppendOnly
from curation.base.process.states import Stateful
from curation.base.web.fields import LineField
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task

REFERENCE_LIMIT = 60
ENDINGS = ("approved", "paid")


class Work(models.TextChoices):
    """A kind of paid work. What the product does not record is entered by hand: `BY_HAND`."""

    TASK = "task", _("Task that passed screening")
    VOTE = "vote", _("Screening vote")
    CHECK = "check", _("Check of a reference answer")
    SOLVE = "solve", _("Solved without the answer")
    VERIFY = "verify", _("Answer verified again")
    RUBRIC = "rubric", _("Approved rubric")
    ROUND = "round", _("Review round")
    DECISION = "decision", _("Open lines decided")
    SPOT_CHECK = "spot_check", _("Spot check")
    TRIAL = "trial", _("Trial task decided")
    SHEET = "sheet", _("Scored sheet")
    GRADE = "grade", _("Graded sheet")
    ANCHOR = "anchor", _("Check of an anchor")
    MARKING = "marking", _("Exam answer graded")
    INTERVIEW = "interview", _("Interview")
    OTHER = "other", _("Other work")
    CORRECTION = "correction", _("Correction")


BY_HAND = (Work.INTERVIEW, Work.OTHER, Work.CORRECTION)
# The kinds that a rate may be set for: a correction names its own amount.
RATED = tuple(kind for kind in Work if kind != Work.CORRECTION)


def money(amount: Decimal, currency: str) -> str:
    """Format an amount: “1,250.00 EUR”."""
    return f"{amount:,.2f} {currency}".replace("-", "−")  # noqa: RUF001 - a minus sign


def amount_field(**options: Any) -> "models.DecimalField[Any, Any]":
    """Return a column of an amount of money with two digits after the point."""
    return models.DecimalField(max_digits=10, decimal_places=2, **options)


class HonorariumRate(models.Model):
    """What one kind of work is paid from a day on, in a domain or in all that have no own rate.

    It counts until the next rate of the same kind and domain begins, so rates never overlap. A rate
    without an amount ends the payment. A row is never changed; one that was entered by mistake is
    taken back, and no longer counts.
    """

    class Unit(models.TextChoices):
        PIECE = "piece", _("for each piece")
        HOUR = "hour", _("for each hour")

    kind = models.CharField(max_length=12, choices=Work.choices)
    domain = models.ForeignKey(
        Domain, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    unit = models.CharField(max_length=5, choices=Unit.choices, default=Unit.PIECE)
    amount = amount_field(null=True, blank=True)  # None: nothing is paid from this day on
    currency = models.CharField(max_length=3, blank=True)  # ISO 4217
    cap_minutes = models.PositiveIntegerField(null=True, blank=True)  # of a piece, by the hour
    since = models.DateField()
    entered_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    entered_at = models.DateTimeField(default=timezone.now)
    taken_back_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    taken_back_at = models.DateTimeField(null=True, blank=True)
    now: bool  # both are set by `rates.py`
    others: bool

    class Meta:
        ordering = ("kind", "-since", "pk")
        constraints = [
            models.UniqueConstraint(
                "kind",
                Coalesce("domain", 0),
                "since",
                condition=Q(taken_back_at__isnull=True),
                name="one_rate_per_kind_domain_and_day",
            ),
            models.CheckConstraint(
                condition=Q(amount__isnull=True, currency="", cap_minutes__isnull=True)
                | Q(amount__gt=0) & ~Q(currency=""),
                name="a_rate_has_an_amount_in_a_currency",
            ),
            models.CheckConstraint(
                condition=Q(unit="piece", cap_minutes__isnull=True)
                | Q(unit="hour", cap_minutes__gt=0),
                name="a_rate_by_the_hour_has_a_cap",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=[kind.value for kind in RATED]),
                name="a_rate_is_of_a_kind_with_rates",
            ),
            models.CheckConstraint(
                condition=Q(taken_back_at__isnull=True, taken_back_by__isnull=True)
                | Q(taken_back_at__isnull=False),
                name="a_rate_taken_back_has_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} · {self.since:%Y-%m-%d}"

    @property
    def in_force(self) -> bool:
        return self.taken_back_at is None

    @property
    def amount_in_words(self) -> str:
        return "" if self.amount is None else money(self.amount, self.currency)


class PayrollFile(AppendOnly):
    """The approved work of a period as it was given to payroll, byte for byte."""

    number = models.PositiveIntegerField()
    first_day = models.DateField(null=True, blank=True)  # None: everything not in a file before
    last_day = models.DateField()
    pieces = models.PositiveIntegerField()
    csv = models.BinaryField()
    csv_sha256 = models.CharField(max_length=64)
    # Also an Excel file until 29 November 2026; empty since.
    xlsx = models.BinaryField()
    xlsx_sha256 = models.CharField(max_length=64)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-number",)
        constraints = [
            models.UniqueConstraint(fields=["number"], name="payroll_file_number_is_unique"),
            models.CheckConstraint(
                condition=Q(number__gte=1, pieces__gte=1), name="a_payroll_file_has_entries"
            ),
            models.CheckConstraint(
                condition=Q(first_day__isnull=True) | Q(first_day__lte=F("last_day")),
                name="a_payroll_file_has_a_period",
            ),
        ]

    def __str__(self) -> str:
        return str(_("Payroll file %(n)s") % {"n": self.number})


class Honorarium(Stateful):
    """One finished piece of work of one person, and what is paid for it.

    An entry by hand has no `source`, but a description. The amount is stored when staff approve
    it, so that a later rate changes nothing; until then `rates.Prices.of` computes it.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting for approval")
        APPROVED = "approved", pgettext_lazy("an honorarium", "Approved")
        PAID = "paid", _("Paid")
        REFUSED = "refused", pgettext_lazy("an honorarium", "Refused")

    moves = {
        State.WAITING: (State.APPROVED, State.REFUSED),
        State.APPROVED: (State.PAID, State.REFUSED),
        State.REFUSED: (State.WAITING,),
    }

    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="honoraria")
    kind = models.CharField(max_length=12, choices=Work.choices)
    source = models.PositiveBigIntegerField(null=True, blank=True)  # the key of the finished row
    task = models.ForeignKey(
        Task, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    domain = models.ForeignKey(
        Domain, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    finished_at = models.DateTimeField()
    measured_minutes = models.PositiveIntegerField(null=True, blank=True)  # by the product
    minutes = models.PositiveIntegerField(null=True, blank=True)  # as the person says
    description = LineField(max_length=200, blank=True)
    fixed_amount = amount_field(null=True, blank=True)  # by hand, instead of a rate
    fixed_currency = models.CharField(max_length=3, blank=True)
    corrects = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="corrections"
    )
    entered_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    entered_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    rate = models.ForeignKey(
        HonorariumRate, null=True, blank=True, on_delete=models.PROTECT, related_name="entries"
    )
    counted_minutes = models.PositiveIntegerField(null=True, blank=True)
    amount = amount_field(null=True, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    reason = models.TextField(blank=True)  # why it was refused
    decided_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    paid_at = models.DateTimeField(null=True, blank=True)
    payroll = models.ForeignKey(
        PayrollFile, null=True, blank=True, on_delete=models.PROTECT, related_name="entries"
    )
    price: Any  # set by `rates.with_prices`

    class Meta:
        ordering = ("-finished_at", "-pk")
        verbose_name_plural = "entries"
        indexes = [
            models.Index(fields=["person", "-finished_at"], name="honoraria_of_a_person"),
            models.Index(fields=["state", "finished_at"], name="honoraria_by_state"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["kind", "source"], name="a_piece_is_entered_once"),
            models.CheckConstraint(
                condition=Q(source__isnull=False, description="", entered_by__isnull=True)
                & ~Q(kind__in=["interview", "other", "correction"])
                | Q(source__isnull=True, kind__in=["interview", "other", "correction"])
                & ~Q(description=""),
                name="an_entry_by_hand_says_what_was_done",
            ),
            models.CheckConstraint(
                condition=Q(fixed_amount__isnull=True, fixed_currency="")
                | Q(source__isnull=True)
                & ~Q(fixed_currency="")
                & (Q(fixed_amount__gt=0) | Q(fixed_amount__lt=0)),
                name="an_amount_by_hand_has_a_currency",
            ),
            models.CheckConstraint(
                condition=Q(kind="correction", fixed_amount__isnull=False, corrects__isnull=False)
                | ~Q(kind="correction")
                & (Q(fixed_amount__isnull=True) | Q(fixed_amount__gt=0))
                & Q(corrects__isnull=True),
                name="only_a_correction_takes_money_back",
            ),
            models.CheckConstraint(
                condition=Q(minutes__isnull=True) | Q(minutes__gt=0),
                name="a_stated_time_is_above_zero",
            ),
            models.CheckConstraint(
                condition=Q(state__in=ENDINGS, amount__isnull=False, decided_at__isnull=False)
                & ~Q(currency="")
                | Q(state__in=["waiting", "refused"], amount__isnull=True, currency="")
                & Q(rate__isnull=True, counted_minutes__isnull=True),
                name="what_is_approved_has_an_amount",
            ),
            models.CheckConstraint(
                condition=Q(state="refused") & ~Q(reason="") | ~Q(state="refused") & Q(reason=""),
                name="only_a_refused_entry_has_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(state="paid", paid_at__isnull=False)
                | ~Q(state="paid") & Q(paid_at__isnull=True),
                name="a_paid_entry_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(payroll__isnull=True) | Q(state__in=ENDINGS),
                name="payroll_takes_what_is_approved",
            ),
            models.CheckConstraint(
                condition=Q(decided_by__isnull=True) | ~Q(decided_by=F("person")),
                name="nobody_decides_on_their_own_honorarium",
            ),
        ]

    def __str__(self) -> str:
        return str(self.get_kind_display())

    @property
    def shape(self) -> str:
        """Which shape the pill of its state has."""
        shapes = {"waiting": "ring", "approved": "half", "paid": "full", "refused": "cross"}
        return shapes[self.state]

    @property
    def title(self) -> str:
        """What was done as entered by hand, or the task's title, as its person read it."""
        return self.description or (str(self.task) if self.task_id else "")


class HonorariumStep(AppendOnly):
    """A step of staff on an entry: approved, refused, opened again, paid."""

    entry = models.ForeignKey(Honorarium, on_delete=models.PROTECT, related_name="steps")
    state = models.CharField(max_length=8, choices=Honorarium.State.choices)  # which it led to
    actor = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    amount = amount_field(null=True, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    reason = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("pk",)


class Payee(models.Model):
    """How payroll knows a person: a number or a word, never an account at a bank."""

    user = models.OneToOneField(User, on_delete=models.PROTECT, related_name="payee")
    reference = LineField(max_length=REFERENCE_LIMIT)
    set_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(reference=""), name="a_payee_has_a_reference")
        ]
