"""A senior settles what two readers of a line judged differently."""

from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.applications.conflicts import people_in_conflict_with
from curation.process.roles import Role
from curation.tasks.models import Task
from curation.tasks.seats import take_seat
from curation.text import storable
from curation.web.refusals import BadInput, Conflict, Denied, NotFound
from judge.agreement.models import Adjudication
from judge.agreement.units import Kind, Unit, rulings, units_of

REASON_LIMIT = 5000  # characters
RULINGS = {
    Kind.REVIEW: (Adjudication.Ruling.APPROVE, Adjudication.Ruling.CHANGE),
    Kind.SHEET: (Adjudication.Ruling.MET, Adjudication.Ruling.UNMET),
}


@action("signed_in")
@transaction.atomic
def take_adjudication(*, actor: Any, task: Task) -> None:
    """Take an adjudicator's seat: the disputed lines open, and no other seat can follow.

    Raises:
        Denied: no senior of the domain, the author, or tied to the author.
        Conflict: `seat_taken`, another seat is held; `nothing_disputed`.
    """
    check_eligible(actor, task)
    Task.objects.select_for_update().only("pk").get(pk=task.pk)  # other presses wait here
    if task.seats.filter(user=actor, role=Role.ADJUDICATOR).exists():
        return  # a doubled click
    if not disputes_on(task):
        raise Conflict(
            _("Nobody disagrees on a line of this task, so there is nothing to settle."),
            code="nothing_disputed",
        )
    take_seat(task=task, user=actor, role=Role.ADJUDICATOR)
    task.note("adjudication_taken", actor=actor)


def check_eligible(actor: Any, task: Task) -> None:
    """Refuse who may not settle disagreements on a task.

    A task of another benchmark has no seniors of its own: a senior of any domain may.
    """
    seniors = actor.senior_domain_ids()
    if (
        not (task.domain_id in seniors or (task.domain.external and seniors))
        or actor.pk == task.author_id
        or actor.pk in people_in_conflict_with(task.author)
    ):
        raise Denied(
            _("A senior of the domain who has no tie to the author settles disagreements."),
            code="not_eligible",
        )


def disputes_on(task: Task) -> list[Unit]:
    """Every disputed line of a task, of reviews and of scores. Two queries."""
    one = Task.objects.filter(pk=task.pk)
    return [unit for kind in RULINGS for unit in units_of(kind, one) if unit.disputed]


@action("signed_in")
@transaction.atomic
def settle(
    *,
    actor: Any,
    task: Task,
    kind: str,
    criterion: int,
    response: int | None,
    ruling: str,
    reason: str,
    seen: int,
) -> Adjudication:
    """Record a senior's ruling on one disputed line. What the readers wrote stays as it is.

    Args:
        criterion, response: the disputed line, and the response where it was scored.
        seen: the number of the last ruling the page showed; 0 for none. A ruling can be
            corrected by another; both stay on record.

    Raises:
        NotFound: there is no such dispute on this task.
        BadInput: no ruling or no reason.
        Conflict: `ruled_meanwhile`, a colleague ruled since the page was read; `seat_missing`.
        Denied: no longer a senior of the domain.
    """
    check_eligible(actor, task)
    if not task.seats.filter(user=actor, role=Role.ADJUDICATOR).exists():
        raise Conflict(_("Take the adjudication of this task first."), code="seat_missing")
    unit = next(
        (
            unit
            for unit in disputes_on(task)
            if (unit.kind, unit.criterion, unit.response) == (kind, criterion, response)
        ),
        None,
    )
    if unit is None:
        raise NotFound()
    problems: dict[str, list[str]] = {}
    if ruling not in RULINGS[Kind(kind)]:
        problems["ruling"] = [_("Choose one of the two.")]
    problem = storable.problem_with(reason, limit=REASON_LIMIT)
    if problem or storable.is_blank(reason):
        problems["reason"] = [problem or _("Give your reason; it stays on record.")]
    if problems:
        raise BadInput(fields=problems)
    # One at a time: who comes second sees that a ruling came between.
    Task.objects.select_for_update().filter(pk=task.pk).first()
    last = rulings(kind, Task.objects.filter(pk=task.pk)).get(unit.place)
    if (last.number if last else 0) != seen:
        raise _ruled_meanwhile()
    try:
        with transaction.atomic():
            return Adjudication.objects.create(
                kind=kind,
                task=task,
                response_id=response,
                criterion_id=criterion,
                number=seen + 1,
                ruling=ruling,
                reason=storable.clean(reason),
                senior=actor,
            )
    except IntegrityError:
        raise _ruled_meanwhile() from None


def _ruled_meanwhile() -> Conflict:
    return Conflict(
        _("A colleague ruled on this line since you opened the page. Load it again and read why."),
        code="ruled_meanwhile",
    )
