"""Set a rate, take one back, and say how payroll knows a person."""

import re
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.staff.honoraria.models import RATED, REFERENCE_LIMIT, HonorariumRate, Payee
from curation.staff.honoraria.prices import currency_problem

MOST_RATE = Decimal("99999.99")
MOST_CAP = 60 * 24
_ACCOUNT = re.compile(r"[A-Za-z]{2}\d{2}[A-Za-z0-9]{10,30}|\d{12,}")


@action("staff.administration")
@transaction.atomic
def set_rate(
    *,
    actor: Any,
    kind: str,
    domain: Domain | None,
    unit: str,
    amount: Decimal | None,
    currency: str,
    cap_minutes: int | None,
    since: date | None,
) -> HonorariumRate:
    """Set what a kind of work is paid from a day on. What was approved keeps its amount.

    Args:
        domain: None for every domain without a rate of its own.
        amount: None if nothing is paid from that day on.
        cap_minutes: the minutes of one piece that count at most, by the hour.

    Raises:
        BadInput: `fields` says what is wrong.
        Conflict: `same_day`, a rate of the kind and domain begins on that day already.
    """
    pays = amount is not None
    fields: dict[str, list[str]] = {}
    if kind not in RATED:
        fields["kind"] = [_("Choose which kind of work it is for.")]
    if unit not in HonorariumRate.Unit.values:
        fields["unit"] = [_("Choose what the amount is for.")]
    if since is None:
        fields["since"] = [_("Say from which day on it counts.")]
    if amount is not None and not 0 < amount <= MOST_RATE:
        fields["amount"] = [_("Give an amount above zero, or leave it empty to pay nothing.")]
    elif amount is not None and amount != round(amount, 2):
        fields["amount"] = [_("Give an amount with at most two digits after the point.")]
    if pays and (problem := currency_problem(currency)):
        fields["currency"] = [problem]
    hourly = pays and unit == HonorariumRate.Unit.HOUR
    if hourly and (cap_minutes is None or not 1 <= cap_minutes <= MOST_CAP):
        fields["cap_minutes"] = [
            _("Say how many minutes of a piece count at most, from 1 to %(most)s.")
            % {"most": MOST_CAP}
        ]
    elif not hourly and cap_minutes is not None:
        fields["cap_minutes"] = [_("Leave this empty: it is for rates by the hour.")]
    if fields or since is None:
        raise BadInput(fields=fields)
    try:
        with transaction.atomic():
            return HonorariumRate.objects.create(
                kind=kind,
                domain=domain,
                unit=unit if pays else HonorariumRate.Unit.PIECE,
                amount=amount,
                currency=currency if pays else "",
                cap_minutes=cap_minutes,
                since=since,
                entered_by=actor,
            )
    except IntegrityError:
        raise Conflict(
            _("A rate of this work begins on that day already. Take it back first."),
            code="same_day",
        ) from None


@action("staff.administration")
@transaction.atomic
def take_back_rate(*, actor: Any, rate: HonorariumRate) -> None:
    """Take back a rate that was entered by mistake. What was approved by it keeps its amount.

    Raises:
        Conflict: `taken_back`, it was taken back already.
    """
    in_force = HonorariumRate.objects.filter(pk=rate.pk, taken_back_at__isnull=True)
    if not in_force.update(taken_back_at=timezone.now(), taken_back_by=actor):
        raise Conflict(_("This rate was taken back already."), code="taken_back")


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
