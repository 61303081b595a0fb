"""Actions of a senior who settles lines that two people judged differently."""

from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.roles import Role
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict, Denied, NotFound
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Task
from curation.tasks.task.queries import kept_off
from judge.scoring.agreement.models import Adjudication
from judge.scoring.agreement.units import Kind, Unit, rulings, units_of

REASON_LIMIT = 5000  # characters
RULINGS = {
    Kind.REVIEW: (Adjudication.Ruling.APPROVE, Adjudication.Ruling.CHANGE),
    Kind.SHEET: (Adjudication.Ruling.MET, Adjudication.Ruling.UNMET),
}


@action("signed_in")
@transaction.atomic
def take_adjudication(*, actor: Any, task: Task) -> None:
    """Take an adjudicator's seat.

    The seat opens the disputed lines to the senior and rules out any other seat on the task.

    Raises:
        Denied: the person is no senior of the domain, is the author, or has a tie to the author.
        Conflict: `seat_taken`, the person holds another seat; `nothing_disputed`.
    """
    check_eligible(actor, task)
    # Lock the task, so that concurrent requests run one after the other.
    Task.objects.select_for_update().only("pk").get(pk=task.pk)
    if task.seats.filter(user=actor, role=Role.ADJUDICATOR).exists():
        return  # the button was clicked twice
    if not disputes_on(task):
        raise Conflict(
            _("There is no disagreement on any line of this task, so there is nothing to settle."),
            code="nothing_disputed",
        )
    take_seat(task=task, user=actor, role=Role.ADJUDICATOR)
    task.note("adjudication_taken", actor=actor)


def check_eligible(actor: Any, task: Task) -> None:
    """Check that a person may settle the disputes of a task.

    Any senior may settle those of an imported task, because its domain has no seniors.

    Raises:
        Denied: the person is no senior of the domain, is the author, or has a tie to the author.
    """
    seniors = actor.senior_domain_ids()
    if (
        not (task.domain_id in seniors or (task.domain.external and seniors))
        or actor.pk in (task.author_id, task.rubric_author_id)
        or actor.pk in kept_off(task)
    ):
        raise Denied(
            _(
                "Only a senior of the domain who has no conflict of interest with the author can "
                "settle disagreements."
            ),
            code="not_eligible",
        )


def disputes_on(task: Task) -> list[Unit]:
    """Return the disputed lines of a task, those of reviews first. Two queries."""
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
    """Record a senior's ruling on one disputed line; the disputed verdicts do not change.

    Args:
        criterion: the id of the disputed line.
        response: the id of the response the line was scored on; None for a review.
        seen: the number of the last ruling the page showed; 0 for none. A new ruling replaces
            an earlier one; both stay on record.

    Raises:
        NotFound: the task has no such dispute.
        BadInput: the ruling or its reason is missing.
        Conflict: `ruled_meanwhile`, a colleague ruled after the page was read; `seat_missing`.
        Denied: the person is no longer a senior of the domain.
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
    # Lock the task, so that the second of two concurrent rulings sees the first.
    Task.objects.select_for_update().filter(pk=task.pk).first()
    last = rulings(kind, Task.objects.filter(pk=task.pk)).get(unit.ruling_key)
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
        _(
            "A colleague has ruled on this line since you opened the page. Load the page again to "
            "read why."
        ),
        code="ruled_meanwhile",
    )
