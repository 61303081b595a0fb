"""A senior's audit of an approved rubric."""

from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from curation import text
from curation.actions.seats import take_seat
from curation.errors import BadInput, Conflict, Denied
from curation.lifecycle import Stage
from curation.models import Role, Task
from review.conflicts import people_in_conflict_with
from review.models import SpotCheck
from rubrics.actions import open_version
from rubrics.models import RubricVersion
from rubrics.queries import version_that_counts

NEXT = {
    SpotCheck.Verdict.ACCEPT: Stage.APPROVED,
    SpotCheck.Verdict.SEND_BACK: Stage.REFINING,
    SpotCheck.Verdict.DISCARD: Stage.DISCARDED,
}


@transaction.atomic
def take_spot_check(*, actor: Any, task: Task) -> Task:
    """Take the spot-checker's seat on a task that was drawn.

    Raises:
        Denied: no senior of the domain, or tied to the author.
        Conflict: another seat is held, a colleague took it, or it does not wait for a spot check.
    """
    if task.domain_id not in actor.senior_domain_ids() or actor.pk in people_in_conflict_with(
        task.author
    ):
        raise Denied(
            _("A spot check is done by a senior of the domain who has no tie to the author."),
            code="not_eligible",
        )
    locked = Task.objects.select_for_update().get(pk=task.pk)
    if locked.stage != Stage.SPOT_CHECK:
        raise Conflict(_("This task is not waiting for a spot check."), code="wrong_stage")
    if seniors_with_the_seat(task) - {actor.pk}:
        raise Conflict(_("A colleague took this spot check a moment ago."), code="seat_taken")
    take_seat(task=task, user=actor, role=Role.SPOT_CHECKER)
    return task


def seniors_with_the_seat(task: Task) -> set[int]:
    """Who spot-checks the task: those with the seat who are still seniors of its domain."""
    return set(
        task.seats.filter(
            role=Role.SPOT_CHECKER,
            user__is_active=True,
            user__qualifications__domain_id=task.domain_id,
            user__qualifications__active=True,
            user__qualifications__senior=True,
        ).values_list("user_id", flat=True)
    )


@transaction.atomic
def decide_spot_check(
    *,
    actor: Any,
    task: Task,
    consistent: bool,
    aligned: bool,
    evaluable: bool,
    verdict: str,
    remarks: str,
) -> SpotCheck:
    """Record the audit and move the task.

    Raises:
        BadInput: no remarks, unknown verdict, or "accept" with a failed test.
        Conflict: decided already, or the task has moved.
    """
    problems: dict[str, list[str]] = {}
    problem = text.problem_with(remarks, limit=5000)
    if problem or text.is_blank(remarks):
        problems["remarks"] = [problem or _("Give your reasons; author and reviewer read them.")]
    if verdict not in SpotCheck.Verdict.values:
        problems["verdict"] = [_("Choose: accept, send back or discard.")]
    elif verdict == SpotCheck.Verdict.ACCEPT and not (consistent and aligned and evaluable):
        problems["verdict"] = [
            _("A rubric is accepted when all three tests hold. One of them does not.")
        ]
    if problems:
        raise BadInput(fields=problems)
    _lock(task)
    if task.stage != Stage.SPOT_CHECK:
        raise Conflict(_("This task is not waiting for a spot check."), code="wrong_stage")
    version = reviewed_version(task)
    try:
        with transaction.atomic():
            check = SpotCheck.objects.create(
                task=task,
                version=version,
                senior=actor,
                consistent=consistent,
                aligned=aligned,
                evaluable=evaluable,
                verdict=verdict,
                remarks=text.clean(remarks),
            )
    except IntegrityError:
        raise Conflict(_("This version was spot-checked already."), code="wrong_stage") from None
    if verdict == SpotCheck.Verdict.SEND_BACK:
        open_version(task=task, actor=None, based_on=version)
    task.advance(
        NEXT[SpotCheck.Verdict(verdict)],
        actor=actor,
        reason=check.remarks,
        version=version.number,
    )
    return check


def reviewed_version(task: Task) -> RubricVersion:
    """The version that counts. Raises Conflict where there is none."""
    version = version_that_counts(task)
    if version is None:
        raise Conflict(_("This task has no reviewed rubric."), code="wrong_stage")
    return version


def _lock(task: Task) -> None:
    """Read the stage anew and keep it: whoever comes second waits, and is told so."""
    task.refresh_from_db(fields=["stage"], from_queryset=Task.objects.select_for_update())


def _check_reason(reason: str, missing: str) -> None:
    problem = text.problem_with(reason, limit=5000)
    if problem or text.is_blank(reason):
        raise BadInput(fields={"reason": [problem or missing]})


@transaction.atomic
def reopen(*, actor: Any, task: Task, reason: str) -> Task:
    """Staff put an approved task back to its author, with a reason.

    Raises:
        BadInput: without a reason.
        Conflict: the task is not approved.
    """
    _check_reason(reason, _("Say why the task is reopened."))
    if task.external:
        raise Conflict(
            _("This task came from another benchmark. It has no author here to go back to."),
            code="wrong_stage",
        )
    _lock(task)
    if task.stage != Stage.APPROVED:
        raise Conflict(_("Only an approved task can be reopened."), code="wrong_stage")
    open_version(task=task, actor=None, based_on=reviewed_version(task))
    task.advance(Stage.REFINING, actor=actor, reason=text.clean(reason))
    return task


@transaction.atomic
def discard(*, actor: Any, task: Task, reason: str) -> Task:
    """Staff take an approved task out of the benchmark, with a reason."""
    _check_reason(reason, _("Say why the task is discarded."))
    _lock(task)
    if task.stage != Stage.APPROVED:
        raise Conflict(_("Only an approved task can be discarded by staff."), code="wrong_stage")
    task.advance(Stage.DISCARDED, actor=actor, reason=text.clean(reason))
    return task
