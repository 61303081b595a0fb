"""Ask for somebody else to finish a rubric, and hand it over."""

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.roles import Role
from curation.base.process.states import move
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict, Denied
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Task
from rubrics.handover.models import (
    GIVEN_AT,
    HANDED_OVER_AT,
    HelpRequest,
    RubricHandover,
    eligible_takers,
)

State = HelpRequest.State


def refuse_unless_open(task: Task) -> None:
    """Refuse a task whose rubric nobody has to write any more, or not yet.

    Raises:
        Conflict: `wrong_stage`.
    """
    if task.external or not (
        task.stage in HANDED_OVER_AT or task.collected and task.stage in GIVEN_AT
    ):
        raise Conflict(
            _("A rubric is handed over while it is refined, reviewed or decided on. This is not."),
            code="wrong_stage",
        )


@action("rubric.refine", about="task")
@transaction.atomic
def ask_for_help(*, actor: Any, task: Task, reason: str) -> HelpRequest:
    """Ask staff to give the rubric to another expert. Until then it stays with its author.

    Raises:
        BadInput: no reason.
        Conflict: `wrong_stage`; `asked_already`.
    """
    reason = required_reason(reason, _("Say in a sentence why; only staff read it."))
    refuse_unless_open(task)
    try:
        with transaction.atomic():
            request = HelpRequest.objects.create(task=task, person=actor, reason=reason)
    except IntegrityError:
        raise Conflict(
            _("You have asked already. Staff will look for another expert."), code="asked_already"
        ) from None
    task.note("rubric_help_asked", actor=actor, reason=reason)
    return request


@action("rubric.refine", about="task")
@transaction.atomic
def withdraw_request(*, actor: Any, task: Task) -> None:
    """Withdraw the request for help.

    Raises:
        Conflict: `wrong_stage`, there is none, or staff were faster.
    """
    if not _close(task, State.WITHDRAWN):
        raise Conflict(_("There is no open request to withdraw."), code="wrong_stage")


@action("rubric.hand_over", about="task")
@transaction.atomic
def hand_over_rubric(*, actor: Any, task: Task, taker: Any, reason: str) -> Task:
    """Give a rubric to another expert of the domain, or back to the task's author.

    From here on the taker edits the rubric, answers the review and is told of both. The former
    one reads on, keeps the seat, and so judges nothing of the task. An open request for help is
    answered by it. The rubric of a collected task, which has no author, is given like this too.

    Raises:
        BadInput: no reason.
        Denied: `own_task`; `not_eligible`, the taker is not qualified, holds another seat, or is in
            conflict with somebody who writes or judges the rubric.
        Conflict: `wrong_stage`, or the taker has it already.
    """
    reason = required_reason(reason, _("Say why; only staff read it."))
    task.refresh_from_db(from_queryset=Task.objects.select_for_update())
    refuse_unless_open(task)
    if taker.pk == task.rubric_author_pk:
        raise Conflict(_("This person has the rubric already."), code="changed_meanwhile")
    if not eligible_takers(task).filter(pk=taker.pk).exists():
        raise Denied(
            _(
                "A rubric goes to a qualified expert of the domain who holds no other role on the "
                "task and has no conflict of interest with those who write or judge it."
            ),
            code="not_eligible",
        )
    giver = task.rubric_author or task.author
    if taker.pk == task.author_id:
        task.rubric_author = None
    else:
        take_seat(task=task, user=taker, role=Role.RUBRIC_AUTHOR)
        task.rubric_author = taker
    Task.objects.filter(pk=task.pk).update(rubric_author=task.rubric_author)
    RubricHandover.objects.create(task=task, giver=giver, taker=taker, by=actor, reason=reason)
    _close(task, State.ANSWERED)
    former: dict[str, Any] = (
        {"giver": giver.pk} if giver is not None else {}
    )  # nobody had a collected one before
    task.note("rubric_handed_over", actor=actor, taker=taker.pk, **former)
    return task


def _close(task: Task, to: str) -> int:
    return move(HelpRequest.objects.filter(task=task), to, closed_at=timezone.now())
