"""Actions of spot checks, and staff's reopening and discarding of approved tasks."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.fields import answers_exactly
from curation.tasks.task.models import Task
from review.rounds.assignment_models import Comment
from review.senior_seats.actions import lock, release, take_as_senior
from review.senior_seats.models import SpotCheck, SpotCheckMark, seniors_with_the_seat
from rubrics.versions.actions import open_version
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.queries import version_that_counts

NEXT = {
    SpotCheck.Verdict.ACCEPT: Stage.APPROVED,
    SpotCheck.Verdict.SEND_BACK: Stage.REFINING,
    SpotCheck.Verdict.DISCARD: Stage.DISCARDED,
}


@action("signed_in")
def take_spot_check(*, actor: Any, task: Task) -> Task:
    """Take the spot-checker's seat on a drawn task. Raises as `take_as_senior`."""
    return take_as_senior(actor=actor, task=task, stage=Stage.SPOT_CHECK)


@action("review.administer", about="task")
def release_spot_check(*, actor: Any, task: Task, senior: Any, reason: str) -> None:
    """Release a spot check from the senior who holds it, by staff. Raises as `release`."""
    release(actor=actor, task=task, senior=senior, reason=reason)


@action("spot_check.decide", about="task")
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
    marks: Mapping[int, tuple[str, str]] | None = None,
) -> SpotCheck:
    """Store a spot check and advance the task.

    Args:
        marks: line id -> (which of the three tests it fails, remark). If the rubric is sent back,
            they become open requests to the author.

    Raises:
        BadInput: no remarks, unknown verdict, or "accept" with a failed test or a marked line; a
            mark without its test or remark, under `mark-<line id>`.
        Conflict: decided already, the task is at another stage, or the actor no longer holds the
            check.
    """
    problems: dict[str, list[str]] = {}
    problem = storable.problem_with(remarks, limit=5000)
    if problem or storable.is_blank(remarks):
        problems["remarks"] = [problem or _("Give your reasons; author and reviewer read them.")]
    if verdict not in SpotCheck.Verdict.values:
        problems["verdict"] = [_("Choose: accept, return or discard.")]
    elif verdict == SpotCheck.Verdict.ACCEPT and not (consistent and aligned and evaluable):
        problems["verdict"] = [
            _("A rubric can be accepted only if it passes all three tests. This one does not.")
        ]
    for pk, (test, remark) in (marks or {}).items():
        problem = storable.problem_with(remark, limit=5000)
        if test not in SpotCheckMark.Test.values:
            problem = _("Choose which of the three tests the line fails.")
        elif not problem and storable.is_blank(remark):
            problem = _("Say what is wrong with the line; the author reads it.")
        if problem:
            problems[f"mark-{pk}"] = [problem]
    if marks and verdict == SpotCheck.Verdict.ACCEPT and not problems:
        problems["verdict"] = [
            _("A rubric with a marked line cannot be accepted. Remove the marks, or send it back.")
        ]
    if problems:
        raise BadInput(fields=problems)
    lock(task)
    if task.stage != Stage.SPOT_CHECK:
        raise Conflict(_("This task is not waiting for a spot check."), code="wrong_stage")
    if actor.pk not in seniors_with_the_seat(task):
        raise Conflict(_("This spot check is no longer yours."), code="not_held")
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
                remarks=storable.clean(remarks),
            )
    except IntegrityError:
        raise Conflict(
            _("This version has already been spot-checked."), code="wrong_stage"
        ) from None
    _write_marks(check, marks or {})
    if verdict == SpotCheck.Verdict.SEND_BACK:
        open_version(task=task, actor=None, based_on=version)
    task.advance(
        NEXT[SpotCheck.Verdict(verdict)],
        actor=actor,
        reason=check.remarks,
        version=version.number,
        marked=len(marks or {}),
    )
    return check


def _write_marks(check: SpotCheck, marks: Mapping[int, tuple[str, str]]) -> None:
    """Store the marks, and each remark in the thread of its line too."""
    lines: dict[int, Criterion] = check.version.criteria.in_bulk(list(marks))
    for pk, (test, remark) in marks.items():
        line = lines.get(pk)
        if line is None:
            raise Conflict(_("This line is not part of the checked version."), code="wrong_version")
        said = storable.clean(remark)
        SpotCheckMark.objects.create(spot_check=check, criterion=line, test=test, remark=said)
        Comment.objects.create(
            task=check.task,
            line_key=line.key,
            criterion=line,
            side=Comment.Side.SENIOR,
            person=check.senior,
            text=said,
            at=check.at,
        )


def reviewed_version(task: Task) -> RubricVersion:
    """Return the version that counts.

    Raises:
        Conflict: `wrong_stage`, there is none.
    """
    version = version_that_counts(task)
    if version is None:
        raise Conflict(_("This task has no reviewed rubric."), code="wrong_stage")
    return version


def check_reopenable(task: Task) -> None:
    """Refuse a task that staff cannot reopen, before they write a reason.

    Raises:
        Conflict: `wrong_stage`.
    """
    if task.external:
        raise Conflict(
            _("This task came from another benchmark. It has no author here to go back to."),
            code="wrong_stage",
        )
    if task.stage != Stage.APPROVED:
        raise Conflict(_("Only an approved task can be reopened."), code="wrong_stage")
    if answers_exactly(task):
        raise Conflict(
            _(
                "The rubric of this task is one line made from its answer, so there is nothing to "
                "refine. Propose an amendment of the question or the answer instead."
            ),
            code="wrong_form",
        )


@action("review.administer", about="task")
@transaction.atomic
def reopen(*, actor: Any, task: Task, reason: str) -> Task:
    """Return an approved task to its author with a reason, by staff.

    Raises:
        BadInput: no reason.
        Denied: `own_task`, the member of staff wrote the task.
        Conflict: the task is not approved, or came from another benchmark.
    """
    reason = required_reason(reason, _("Say why the task is reopened."))
    lock(task)
    check_reopenable(task)
    version = reviewed_version(task)
    open_version(task=task, actor=None, based_on=version)
    task.advance(Stage.REFINING, actor=actor, reason=reason, version=version.number)
    return task


def check_discardable(task: Task) -> None:
    """Refuse a task that staff cannot discard.

    Raises:
        Conflict: `wrong_stage`.
    """
    if task.stage != Stage.APPROVED:
        raise Conflict(_("Only an approved task can be discarded by staff."), code="wrong_stage")


@action("review.administer", about="task")
@transaction.atomic
def discard(*, actor: Any, task: Task, reason: str) -> Task:
    """Remove an approved task from the benchmark with a reason, by staff. Raises as `reopen`."""
    reason = required_reason(reason, _("Say why the task is discarded."))
    lock(task)
    check_discardable(task)
    task.advance(Stage.DISCARDED, actor=actor, reason=reason)
    return task
