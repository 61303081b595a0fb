"""Ask experts whether a dynamic answer still holds, and take their answers."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.process.signals import qualifications_ended
from curation.base.process.states import move
from curation.base.web.fields import LAST
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.people import Qualification, held_under
from curation.tasks.business.reverification_models import Reverification
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import THROUGH_THE_PROCESS, Change, Task
from curation.tasks.task.queries import seat_role
from curation.tasks.task.text_basis import AMENDABLE
from curation.tasks.work_map.models import REVERIFY_DAYS, WorkMap


def connect() -> None:
    """Give the requests of experts whose qualification ends to their colleagues."""
    qualifications_ended.connect(
        _free_requests, sender=Qualification, dispatch_uid="curation.reverification"
    )


def _free_requests(sender: Any, ended: Sequence[Qualification], **_: Any) -> int:
    """Open the requests that these experts hold in their domains again; return how many."""
    State = Reverification.State  # noqa: N806  a class
    rows = Reverification.objects.filter(
        held_under(ended, person="expert", domain="task__domain"),
        state__in=(State.TAKEN, State.AMENDING),
    )
    return move(
        Reverification.objects.filter(pk__in=list(rows.values_list("pk", flat=True))),
        State.OPEN,
        expert=None,
        taken_at=None,
        valid_until=None,
        finding="",
    )


State = Reverification.State
Why = Reverification.Why
BATCH = 200  # requests per sweep


@action("task.administer", about="task")
@transaction.atomic
def ask_for_reverification(*, actor: Any, task: Task, reason: str) -> Reverification:
    """Ask the experts of the domain whether the answer of a task still holds.

    Raises:
        BadInput: no reason.
        Conflict: `wrong_stage`, the task is not dynamic or its text cannot be amended now;
            `asked_already`.
    """
    reason = required_reason(reason, _("Say why it has to be verified again; the expert reads it."))
    task.refresh_from_db(from_queryset=Task.objects.select_for_update())
    if task.external or task.change != Change.DYNAMIC or task.stage not in AMENDABLE:
        raise Conflict(
            _("Only a task after screening whose right answer changes is verified again."),
            code="wrong_stage",
        )
    try:
        with transaction.atomic():
            made = Reverification.objects.create(
                task=task,
                why=Why.ASKED,
                reason=reason,
                asked_by=actor,
                valid_until_before=task.valid_until,
            )
    except IntegrityError:
        raise Conflict(
            _("The experts have been asked already, and have not answered yet."),
            code="asked_already",
        ) from None
    task.note("reverification_asked", actor=actor, reason=reason, why=Why.ASKED)
    return made


def ask_for_due(today: date | None = None) -> int:
    """Ask for every approved dynamic answer whose last day comes near: a periodic job.

    The days before it are set with each domain's work map. Two processes may run at once.

    Returns:
        How many requests were made.
    """
    today = today or timezone.localdate()
    days = dict(WorkMap.objects.values_list("domain", "reverify_days"))
    longest = max([REVERIFY_DAYS, *days.values()])
    rows = (
        Task.objects.filter(
            origin__in=THROUGH_THE_PROCESS,
            stage=Stage.APPROVED,
            change=Change.DYNAMIC,
            valid_until__lte=today + timedelta(days=longest),
        )
        .exclude(reverifications__state__in=Reverification.OPEN_STATES)
        .order_by("valid_until", "pk")
    )
    made = 0
    for task in rows.only("pk", "stage", "domain", "valid_until")[:BATCH]:
        assert task.valid_until is not None  # by the filter
        if task.valid_until - timedelta(days=days.get(task.domain_id, REVERIFY_DAYS)) > today:
            continue
        try:
            with transaction.atomic():
                Reverification.objects.create(
                    task=task, why=Why.DUE, valid_until_before=task.valid_until
                )
                task.note("reverification_asked", actor=None, why=Why.DUE)
        except IntegrityError:  # another process asked a moment ago
            continue
        made += 1
    return made


def _lock(row: Reverification) -> Task:
    rows = Task.objects.select_for_update(of=("self",)).select_related("domain")
    return rows.get(pk=row.task_id)


def _move(row: Reverification, to: str, **values: Any) -> Reverification:
    """Move a request and return it again. Raises Conflict if it has moved on meanwhile."""
    if not move(Reverification.objects.filter(pk=row.pk), to, **values):
        raise Conflict(
            _("This request has moved on since you opened the page, so nothing was changed."),
            code="wrong_stage",
        )
    return Reverification.objects.select_related("task").get(pk=row.pk)


def _refuse_unless_amendable(task: Task) -> None:
    if task.stage not in AMENDABLE:
        raise Conflict(
            _("This task has left the benchmark, so its answer is not verified any more."),
            code="wrong_stage",
        )


@action("reverification.take", about="row")
@transaction.atomic
def take_reverification(*, actor: Any, row: Reverification) -> Reverification:
    """Take an open request. A person without a role on the task gets one, and so judges nothing.

    Raises:
        Conflict: `wrong_stage`, a colleague was faster, or the task left the benchmark.
    """
    task = _lock(row)
    _refuse_unless_amendable(task)
    row = _move(row, State.TAKEN, expert=actor, taken_at=timezone.now())
    if seat_role(actor, task) is None:
        take_seat(task=task, user=actor, role=Role.VERIFIER)
    task.note("reverification_taken", actor=actor)
    return row


@action("reverification.answer", about="row")
@transaction.atomic
def hand_back_reverification(*, actor: Any, row: Reverification) -> Reverification:
    """Hand a request back, so that a colleague can take it.

    Raises:
        Conflict: `wrong_stage`, it is answered already.
    """
    task = _lock(row)
    rows = {"expert": None, "taken_at": None, "valid_until": None, "finding": ""}
    row = _move(row, State.OPEN, **rows)
    task.note("reverification_handed_back", actor=actor)
    return row


def _answered(valid_until: date | None, finding: str) -> str:
    """Check what an expert found; return the finding as it is stored. Raises BadInput."""
    problems: dict[str, list[Any]] = {}
    if valid_until is None or not timezone.localdate() < valid_until <= LAST:
        problems["valid_until"] = [
            _("Give the last day on which the answer surely holds; it is after today.")
        ]
    try:
        finding = required_reason(
            finding, _("Say in a sentence what you looked at."), field="finding"
        )
    except BadInput as refusal:
        problems |= refusal.fields
    if problems:
        raise BadInput(fields=problems)
    return finding


@action("reverification.answer", about="row")
@transaction.atomic
def confirm_answer(
    *, actor: Any, row: Reverification, version: int, valid_until: date | None, finding: str
) -> Reverification:
    """Confirm that the answer still holds, and until when.

    Args:
        version: of the task's text, as the expert read it.
        finding: what the expert looked at.

    Raises:
        BadInput: no day after today, or no finding.
        Conflict: `wrong_stage`; `changed_meanwhile`, the text was amended since.
    """
    finding = _answered(valid_until, finding)
    task = _checked(row, version)
    row = _move(
        row,
        State.CONFIRMED,
        valid_until=valid_until,
        finding=finding,
        read_version=version,
        ended_at=timezone.now(),
    )
    _set_validity(task, valid_until)
    task.note("reverified", actor=actor, reason=finding, valid_until=f"{valid_until}")
    return row


@action("reverification.answer", about="row")
@transaction.atomic
def report_change(
    *, actor: Any, row: Reverification, version: int, valid_until: date | None, finding: str
) -> Reverification:
    """Say that the answer has changed. The expert proposes an amendment next.

    Args:
        valid_until: until when the amended answer will hold; it counts once a senior has agreed.
        finding: what has changed.

    Raises:
        BadInput: no day after today, or no finding.
        Conflict: `wrong_stage`; `changed_meanwhile`, the text was amended since.
    """
    finding = _answered(valid_until, finding)
    task = _checked(row, version)
    row = _move(row, State.AMENDING, valid_until=valid_until, finding=finding, read_version=version)
    task.note("answer_changed", actor=actor, reason=finding)
    return row


def _checked(row: Reverification, version: int) -> Task:
    task = _lock(row)
    _refuse_unless_amendable(task)
    if task.version != version:
        raise Conflict(
            _("The text was amended after you opened this page. Read it again, then answer."),
            code="changed_meanwhile",
        )
    return task


def _set_validity(task: Task, valid_until: date | None) -> None:
    Task.objects.filter(pk=task.pk).update(valid_until=valid_until)
    task.valid_until = valid_until


@action("reverification.administer", about="row")
@transaction.atomic
def cancel_reverification(*, actor: Any, row: Reverification, reason: str) -> Reverification:
    """Cancel a request that nobody needs any more.

    Raises:
        BadInput: no reason.
        Conflict: `wrong_stage`, it is answered already.
    """
    reason = required_reason(reason, _("Say why it is not needed any more."))
    task = _lock(row)
    row = _move(row, State.CANCELLED, ended_at=timezone.now())
    task.note("reverification_cancelled", actor=actor, reason=reason)
    return row


def amendment_decided(task: Task, proposer: Any, *, agreed: bool) -> None:
    """End a re-verification by the amendment its expert proposed, or give it back to the expert.

    Args:
        proposer: who proposed the amendment; only that of the expert counts.
        agreed: whether it came into force; else it was refused or withdrawn.
    """
    rows = Reverification.objects.filter(task=task, state=State.AMENDING, expert=proposer)
    row = rows.first()
    if row is None:
        return
    if not agreed:
        move(rows, State.TAKEN)
    elif move(rows, State.AMENDED, ended_at=timezone.now()):
        _set_validity(task, row.valid_until)
