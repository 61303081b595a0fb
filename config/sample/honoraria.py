"""Rates of the sample programme, and the first approved and paid work."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from curation.joining.notices.models import Notice
from curation.staff.honoraria.actions import approve, mark_as_paid, refuse
from curation.staff.honoraria.models import Honorarium, HonorariumRate, Work
from curation.staff.honoraria.payroll import make_payroll_file
from curation.staff.honoraria.rates import set_rate
from curation.staff.honoraria.sources import collect_finished_work

BEGAN = timedelta(days=730)  # before today: the first rates count for all work of the sample
BY_PIECE = {
    Work.TASK: "120.00",
    Work.VOTE: "15.00",
    Work.RUBRIC: "150.00",
    Work.ROUND: "60.00",
    Work.SPOT_CHECK: "45.00",
}
BY_HOUR = {Work.SHEET: ("40.00", 90), Work.ANCHOR: ("50.00", 60), Work.CHECK: ("50.00", 120)}
APPROVED, PAID = 14, 6  # of the oldest pieces with an amount


def load_honoraria(staff: Any) -> None:
    """Set rates, enter the work that the sample finished, and decide on some of it.

    Paid for are the members of the panel, not staff. No notice of it waits to be mailed.
    """
    since = timezone.localdate() - BEGAN
    for kind, amount in BY_PIECE.items():
        _set(staff, kind, amount, since=since)
    for kind, (amount, cap) in BY_HOUR.items():
        _set(staff, kind, amount, since=since, unit=HonorariumRate.Unit.HOUR, cap_minutes=cap)
    collect_finished_work()
    fixed = Honorarium.objects.filter(kind__in=BY_PIECE).exclude(person=staff)
    oldest = list(fixed.order_by("finished_at", "pk")[: APPROVED + 1])
    for entry in oldest[:APPROVED]:
        approve(actor=staff, entry=entry)
    first = oldest[:PAID]
    if first:
        make_payroll_file(actor=staff, last_day=first[-1].finished_at.date())
    for entry in first:
        mark_as_paid(actor=staff, entry=entry)
    for entry in oldest[APPROVED:]:
        refuse(actor=staff, entry=entry, reason="It is paid by the firm that lent the expert.")
    now = timezone.now()
    Notice.objects.filter(mailed_at__isnull=True).update(mailed_at=now)


def _set(
    staff: Any,
    kind: Work,
    amount: str,
    *,
    since: Any,
    unit: str = HonorariumRate.Unit.PIECE,
    cap_minutes: int | None = None,
) -> None:
    set_rate(
        actor=staff,
        kind=kind,
        domain=None,
        unit=unit,
        amount=Decimal(amount),
        currency="EUR",
        cap_minutes=cap_minutes,
        since=since,
    )
