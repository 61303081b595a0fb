"""Freeze the approved work of a period as a CSV for payroll, and say how payroll knows a person."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web import csv_export
from curation.base.web.fields import DayField
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.people import User
from curation.staff.honoraria.models import REFERENCE_LIMIT, Honorarium, Payee, PayrollFile
from curation.staff.honoraria.rates import start_of

_ACCOUNT = re.compile(r"[A-Za-z]{2}\d{2}[A-Za-z0-9]{10,30}|\d{12,}")


class PayrollForm(forms.Form):
    """The period of a payroll file, by the days on which work was finished."""

    first_day = DayField(
        label=gettext_lazy("Work finished from"),
        help_text=gettext_lazy("Empty: all that is in no file yet."),
    )
    last_day = DayField(label=gettext_lazy("Up to and including"))


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
        as_csv = "".join(csv_export.lines(_head(), _rows(number, locked))).encode()
    try:
        with transaction.atomic():
            made = PayrollFile.objects.create(
                number=number,
                first_day=first_day,
                last_day=last_day,
                pieces=len(locked),
                csv=as_csv,
                csv_sha256=hashlib.sha256(as_csv).hexdigest(),
                made_by=actor,
            )
    except IntegrityError:
        raise Conflict(
            _("Somebody made a payroll file at the same moment. Look at it first."),
            code="changed_meanwhile",
        ) from None
    Honorarium.objects.filter(pk__in=[entry.pk for entry in locked]).update(payroll=made)
    return made


def _head() -> list[str]:
    return [
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


def _rows(number: int, entries: Iterable[Honorarium]) -> Iterator[list[Any]]:
    """Yield a row for each person and currency; sums never mix currencies."""
    groups: dict[tuple[int, str], list[Honorarium]] = defaultdict(list)
    for entry in entries:
        groups[entry.person_id, entry.currency].append(entry)
    people = User.objects.select_related("payee").in_bulk({who for who, _currency in groups})
    for (who, currency), pieces in sorted(groups.items()):
        person = people[who]
        times = [n for one in pieces if (n := one.counted_minutes or one.minutes) is not None]
        yield [
            number,
            person.payee.reference if hasattr(person, "payee") else "",
            person.pseudonym,
            person.name_for_staff,
            len(pieces),
            sum(times) if times else None,
            len(pieces) - len(times),
            sum(one.amount for one in pieces if one.amount is not None),
            currency,
        ]


class PayeeForm(forms.Form):
    """How payroll knows a person."""

    reference = forms.CharField(
        required=False,
        max_length=REFERENCE_LIMIT,
        label=gettext_lazy("Payee reference"),
        help_text=gettext_lazy(
            "The name or number under which payroll knows the person, such as a supplier number. "
            "Never bank details: they are not stored here."
        ),
    )


@action("payee.set", about="person")
@transaction.atomic
def set_payee_reference(*, actor: Any, person: User, reference: str) -> None:
    """Say how payroll knows a person; "" removes the reference.

    Raises:
        BadInput: too long, or it looks like an account at a bank.
    """
    words = " ".join(storable.one_line(storable.clean(reference)).split())
    problem = storable.problem_with(words, limit=REFERENCE_LIMIT)
    if not problem and _ACCOUNT.search(re.sub(r"[\s.\-/]", "", words)):
        problem = _(
            "This looks like the number of an account. The product stores no bank data: give the "
            "reference by which payroll knows the person."
        )
    if problem:
        raise BadInput(fields={"reference": [problem]})
    if storable.is_blank(words):
        remove_payee(person)
        return
    Payee.objects.update_or_create(
        user=person, defaults={"reference": words, "set_by": actor, "at": timezone.now()}
    )


def remove_payee(person: User) -> None:
    """Delete a person's reference, also when their name is removed."""
    Payee.objects.filter(user=person).delete()
