"""Freeze the approved work of a period as a file for payroll."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import translation
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web import csv_export, workbooks
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.people import User
from curation.staff.honoraria.models import Honorarium, PayrollFile
from curation.staff.honoraria.prices import start_of


@dataclass
class Line:
    """What one person gets in one currency; `minutes` is None where no piece has a time."""

    person: User
    currency: str
    pieces: int = 0
    minutes: int | None = None
    without_time: int = 0
    amount: Decimal = Decimal(0)

    def add(self, entry: Honorarium) -> None:
        """Count a piece."""
        assert entry.amount is not None
        self.pieces += 1
        self.amount += entry.amount
        minutes = entry.counted_minutes or entry.minutes
        if minutes is None:
            self.without_time += 1
        else:
            self.minutes = (self.minutes or 0) + minutes


@action("staff.administration")
@transaction.atomic
def make_payroll_file(
    *, actor: Any, first_day: date | None = None, last_day: date | None
) -> PayrollFile:
    """Freeze what is approved and in no file yet, of work finished in a period.

    An entry is in one file at most. What is approved or corrected later goes into the next one.

    Args:
        first_day: None for everything before that is in no file.

    Raises:
        BadInput: a period that ends before it begins, or has no end.
        Conflict: `nothing`, nothing approved is left in the period; `changed_meanwhile`, somebody
            made another file at the same moment.
    """
    if last_day is None:
        raise BadInput(fields={"last_day": [_("Say up to which day.")]})
    if first_day is not None and first_day > last_day:
        raise BadInput(fields={"last_day": [_("The period ends before it begins.")]})
    wanted = Honorarium.objects.filter(
        state=Honorarium.State.APPROVED,
        payroll__isnull=True,
        finished_at__lt=start_of(last_day + timedelta(days=1)),
    )
    if first_day is not None:
        wanted = wanted.filter(finished_at__gte=start_of(first_day))
    # Two files at once: the second waits here, and then finds the entries in the first.
    locked = list(wanted.select_for_update().order_by("pk"))
    if not locked:
        raise Conflict(
            _("Nothing that is approved and in no file was finished in this period."),
            code="nothing",
        )
    number = (PayrollFile.objects.aggregate(most=Max("number"))["most"] or 0) + 1
    with translation.override(settings.LANGUAGE_CODE):  # payroll programs read every file alike
        head, rows = table(number, lines_of(locked))
    as_csv = "".join(csv_export.lines(head, rows)).encode()
    as_xlsx = workbooks.workbook(rows, head=head, name=f"payroll-{number}")
    try:
        with transaction.atomic():
            made = PayrollFile.objects.create(
                number=number,
                first_day=first_day,
                last_day=last_day,
                pieces=len(locked),
                csv=as_csv,
                csv_sha256=hashlib.sha256(as_csv).hexdigest(),
                xlsx=as_xlsx,
                xlsx_sha256=hashlib.sha256(as_xlsx).hexdigest(),
                made_by=actor,
            )
    except IntegrityError:
        raise Conflict(
            _("Somebody made a payroll file at the same moment. Look at it first."),
            code="changed_meanwhile",
        ) from None
    Honorarium.objects.filter(pk__in=[entry.pk for entry in locked]).update(payroll=made)
    return made


def lines_of(entries: Iterable[Honorarium]) -> list[Line]:
    """Return a line for each person and currency. Sums never mix currencies. Two queries."""
    found: dict[tuple[int, str], Line] = {}
    rows = list(entries)
    people = User.objects.select_related("payee").in_bulk({row.person_id for row in rows})
    for row in rows:
        key = row.person_id, row.currency
        found.setdefault(key, Line(people[row.person_id], row.currency)).add(row)
    return [found[key] for key in sorted(found)]


def table(number: int, lines: Iterable[Line]) -> tuple[list[str], list[list[Any]]]:
    """Return the head and the rows of a payroll file."""
    head = [
        _("Payroll file"),
        _("Payee reference"),
        _("Pseudonym"),
        _("Name"),
        _("Pieces"),
        _("Minutes"),
        _("Pieces without a time"),
        _("Amount"),
        _("Currency"),
    ]
    rows = [
        [
            number,
            line.person.payee.reference if hasattr(line.person, "payee") else "",
            line.person.pseudonym,
            line.person.name_for_staff,
            line.pieces,
            line.minutes,
            line.without_time,
            line.amount,
            line.currency,
        ]
        for line in lines
    ]
    return head, rows
