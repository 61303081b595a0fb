"""State the time of work, approve, refuse and pay it, and enter work by hand."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict, NotFound
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.staff.honoraria.access import readable_by
from curation.staff.honoraria.models import BY_HAND, Honorarium, HonorariumStep, Work
from curation.staff.honoraria.notices import tell
from curation.staff.honoraria.rates import Prices, money_faults, start_of
from curation.staff.honoraria.sources import is_still_finished

MOST_MINUTES = 60 * 24 * 20  # of one piece: twenty whole days
MOST_AMOUNT = Decimal("9999999.99")
State = Honorarium.State


# --- the person who did the work ------------------------------------------------------------------
@action("signed_in")
@transaction.atomic
def state_minutes(*, actor: Any, minutes: Mapping[int, int | None]) -> int:
    """Say how long pieces of the actor's own work took, while they wait for approval.

    Args:
        minutes: entry -> minutes; None takes back what was said.

    Returns:
        for how many entries something changed.

    Raises:
        BadInput: minutes out of range, at the field `minutes-<entry>`.
        NotFound: an entry that is not the actor's.
        Conflict: `decided`, one was approved or refused meanwhile.
    """
    out_of_range = {f"minutes-{pk}": fault for pk in minutes if (fault := _fault(minutes[pk]))}
    if out_of_range:
        raise BadInput(fields=out_of_range)
    mine = Honorarium.objects.select_for_update().filter(person=actor, pk__in=minutes)
    found = {entry.pk: entry for entry in mine.order_by("pk")}
    if found.keys() != minutes.keys():
        raise NotFound
    changed = [pk for pk, said in minutes.items() if found[pk].minutes != said]
    if any(found[pk].state != State.WAITING for pk in changed):
        raise Conflict(
            _("Staff decided on this work meanwhile, so its time stays as it is."), code="decided"
        )
    for pk in changed:
        Honorarium.objects.filter(pk=pk).update(minutes=minutes[pk])
    return len(changed)


def _fault(minutes: int | None) -> list[str]:
    if minutes is None or 1 <= minutes <= MOST_MINUTES:
        return []
    return [_("Say from 1 to %(most)s minutes.") % {"most": MOST_MINUTES}]


# --- staff decide ---------------------------------------------------------------------------------
@action("honorarium.decide", about="entry")
@transaction.atomic
def approve(*, actor: Any, entry: Honorarium) -> Honorarium:
    """Approve an entry at what its rate pays now; a later rate does not change it.

    Raises:
        Conflict: `decided`, it does not wait; `not_finished`, its record is not finished any more;
            `not_approved`, what it corrects is not approved; `no_amount`, with the reason.
    """
    corrected = _lock_corrected(entry)  # before the correction, as payroll locks them
    locked = _locked(entry)
    if locked.state != State.WAITING:
        raise _decided(locked)
    if not is_still_finished(locked.kind, locked.source):
        raise _not_finished()
    if corrected is not None and corrected.state not in (State.APPROVED, State.PAID):
        raise Conflict(
            _("The work that it corrects is not approved any more. Refuse this correction."),
            code="not_approved",
        )
    price = Prices().of(locked)
    if price.amount is None:
        raise Conflict(
            _("Its amount is unknown: %(why)s.") % {"why": price.reason}, code="no_amount"
        )
    return _step(
        locked,
        actor,
        State.APPROVED,
        rate=price.rate,
        counted_minutes=price.minutes,
        amount=price.amount,
        currency=price.currency,
    )


@action("honorarium.decide", about="entry")
@transaction.atomic
def refuse(*, actor: Any, entry: Honorarium, reason: str) -> Honorarium:
    """Refuse an entry, with a reason that the person reads. An approved one before its payroll.

    Raises:
        BadInput: no reason.
        Conflict: `decided`, it was refused or paid; `in_payroll`, a payroll file holds it;
            `corrected`, a correction of it waits or is approved.
    """
    words = required_reason(reason, _("Say why; the person reads it."))
    locked = _locked(entry)
    if locked.payroll_id is not None:
        raise Conflict(
            _("It is in a payroll file. Enter a correction, which goes into the next one."),
            code="in_payroll",
        )
    if locked.state not in (State.WAITING, State.APPROVED):
        raise _decided(locked)
    if locked.corrections.exclude(state=State.REFUSED).exists():
        raise Conflict(
            _("A correction of it waits or is approved. Refuse the correction first."),
            code="corrected",
        )
    return _step(
        locked,
        actor,
        State.REFUSED,
        reason=words,
        **_NO_AMOUNT,
    )


@action("honorarium.decide", about="entry")
@transaction.atomic
def open_again(*, actor: Any, entry: Honorarium) -> Honorarium:
    """Let a refused entry wait for approval again.

    Raises:
        Conflict: `decided`, it is not refused.
    """
    locked = _locked(entry)
    if locked.state != State.REFUSED:
        raise _decided(locked)
    return _step(locked, actor, State.WAITING)


@action("honorarium.decide", about="entry")
@transaction.atomic
def mark_as_paid(*, actor: Any, entry: Honorarium) -> Honorarium:
    """Record that an approved entry was paid. It cannot be taken back; a correction can follow.

    Raises:
        Conflict: `decided`, it is not approved, or paid already.
    """
    locked = _locked(entry)
    if locked.state != State.APPROVED:
        raise _decided(locked)
    return _step(locked, actor, State.PAID, paid_at=timezone.now())


_NO_AMOUNT: dict[str, Any] = {
    "rate": None, "counted_minutes": None, "amount": None, "currency": ""
}  # fmt: skip


def _locked(entry: Honorarium) -> Honorarium:
    rows = Honorarium.objects.select_for_update(of=("self",)).select_related("person")
    found = rows.filter(pk=entry.pk).first()
    if found is None:  # the sweep took it out meanwhile
        raise _not_finished()
    return found


def _lock_corrected(entry: Honorarium) -> Honorarium | None:
    if entry.corrects_id is None:
        return None
    return Honorarium.objects.select_for_update().get(pk=entry.corrects_id)


def _not_finished() -> Conflict:
    return Conflict(
        _("This work is not finished any more: it was opened again or taken back."),
        code="not_finished",
    )


def _decided(entry: Honorarium) -> Conflict:
    return Conflict(
        _("Its state is “%(state)s”, so this step does not apply.")
        % {"state": entry.get_state_display()},
        code="decided",
    )


def _step(
    entry: Honorarium, actor: Any, state: str, *, reason: str = "", **values: Any
) -> Honorarium:
    """Move a locked entry, write the step down, and tell the person."""
    decided = {"decided_by": actor, "decided_at": timezone.now()} if state != State.PAID else {}
    move(Honorarium.objects.filter(pk=entry.pk), state, reason=reason, **decided, **values)
    entry.refresh_from_db()
    HonorariumStep.objects.create(
        entry=entry,
        state=state,
        actor=actor,
        amount=entry.amount,
        currency=entry.currency,
        reason=reason,
    )
    tell(entry)
    return entry


# --- by hand --------------------------------------------------------------------------------------
@action("staff.administration")
@transaction.atomic
def enter_by_hand(
    *,
    actor: Any,
    person: User,
    kind: str,
    description: str,
    day: date | None,
    domain: Domain | None = None,
    minutes: int | None = None,
    amount: Decimal | None = None,
    currency: str = "",
    corrects: int | None = None,
) -> Honorarium:
    """Enter work that the product does not record, or the correction of an approved entry.

    Without an amount the rate of the kind counts. The entry waits for approval as any other, by
    somebody who is not paid for it.

    Args:
        day: on which the work was done.
        amount: of a correction also below zero: money that comes back.
        corrects: the entry that a correction is about, one that the actor may read.

    Raises:
        BadInput: `fields` says what is wrong.
        Conflict: `name_removed`, the person's name was removed.
    """
    correction = kind == Work.CORRECTION
    faults = money_faults(amount, currency, MOST_AMOUNT, below_zero=correction)
    words = storable.one_line(storable.clean(description)).strip()
    problem = storable.problem_with(words, limit=200)
    if kind not in BY_HAND:
        faults["kind"] = [_("Choose which kind of work it was.")]
    if problem or storable.is_blank(words):
        faults["description"] = [problem or _("Say what was done.")]
    if day is None or day > timezone.localdate():
        faults["day"] = [_("Give the day of the work; it cannot lie in the future.")]
    if fault := _fault(minutes):
        faults["minutes"] = fault
    corrected = None
    if correction:
        if amount is None:
            faults["amount"] = [_("Say by how much the earlier amount is corrected.")]
        decided = Honorarium.objects.filter(
            pk=corrects or 0, person=person, state__in=[State.APPROVED, State.PAID]
        )
        corrected = readable_by(decided, actor).select_for_update(of=("self",)).first()
        if corrected is None:
            faults["corrects"] = [_("Choose the approved work that is corrected.")]
        elif not faults and corrected.currency != currency:
            faults["currency"] = [_("Correct it in its own currency.")]
    elif corrects is not None:
        faults["corrects"] = [_("Only a correction is about other work.")]
    if faults or day is None:
        raise BadInput(fields=faults)
    if person.name_was_removed:
        raise Conflict(
            _("The name of this person was removed, so nothing new is entered."),
            code="name_removed",
        )
    return Honorarium.objects.create(
        person=person,
        kind=kind,
        # A correction is about the task too: its author neither reads it nor decides on it.
        task_id=corrected.task_id if corrected else None,
        domain=corrected.domain if corrected else domain,
        finished_at=start_of(day),
        minutes=minutes,
        description=words,
        fixed_amount=amount,
        fixed_currency=currency,
        corrects=corrected,
        entered_by=actor,
    )
