"""Opening a graded sheet: who may grade a response, the seat and the due date."""

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from curation.base.process.roles import Role
from curation.base.web.refusals import Conflict, Denied
from curation.tasks.task.access import kept_off
from curation.tasks.task.seats import take_seat
from judge.asking.candidates.models import Response
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.scorers.readiness import check_ready
from judge.scoring.sheets.models import Sheet
from judge.scoring.sheets.opening import (
    check_collected_none,
    check_flagged_none,
    check_not_practised,
    check_qualified,
    due,
    rater_of,
)
from rubrics.versions.queries import version_that_counts


@transaction.atomic
def open_graded_sheet(
    response: Response, scorer: Any, due_at: datetime | None = None, flagged_item: Any = None
) -> GradedSheet:
    """Take a scorer's seat and open their graded sheet on a candidate's response.

    A person either grades a response or scores its lines: the second judgement would repeat the
    first. Who scored a task's anchor grades no candidate on it, as in
    `judge.scoring.sheets.opening`.

    Args:
        due_at: when the sheet is due; None for seven days from now.
        flagged_item: the item of a set that asks for it because of a flag.

    Raises:
        Denied: `not_eligible`, the person is not qualified or has a tie to the author.
        Conflict: `baseline`, `earlier_text`, `scored_the_anchor`, `collected_answers`,
            `already_open`, `seat_taken`, `practised`, `flagged`, `practice_first`,
            `scorer_paused`.
    """
    response = Response.objects.select_related("task__domain", "task__author").get(pk=response.pk)
    task = response.task
    if response.baseline:
        raise Conflict(
            _("This response is the judge's example, so it is not among those compared."),
            code="baseline",
        )
    if response.text_version < task.prompt_since:
        raise Conflict(
            _("This response answers an earlier text of the task, so it is not scored any more."),
            code="earlier_text",
        )
    if scorer.pk in kept_off(task):
        raise Denied(
            _(
                "A response can only be scored by somebody who has no conflict of interest with "
                "the task's author."
            ),
            code="not_eligible",
        )
    check_qualified(scorer, task)
    check_ready(scorer, task.domain_id)
    check_not_practised(task, scorer)
    check_flagged_none(response, scorer)
    version = version_that_counts(task)
    theirs = Sheet.objects.filter(user=scorer, response__task=task)
    if theirs.filter(purpose=Sheet.Purpose.ANCHOR).exists():
        raise Conflict(
            _("Somebody who scored a task's anchor cannot score candidates on the same task."),
            code="scored_the_anchor",
        )
    check_collected_none(task, scorer)
    before = response.graded_sheets.filter(user=scorer)
    if theirs.filter(response=response).exists() or (flagged_item and before.exists()):
        raise already_open()
    take_seat(task=task, user=scorer, role=Role.SCORER)
    try:
        with transaction.atomic():
            return GradedSheet.objects.create(
                response=response,
                version=version,
                answer_version=task.version,
                rater=rater_of(scorer),
                user=scorer,
                due_at=due_at or due(),
                flagged_item=flagged_item,
            )
    except IntegrityError:
        raise already_open() from None


def already_open() -> Conflict:
    """Return the refusal of a second sheet on one response."""
    return Conflict(_("This person already has a sheet for this response."), code="already_open")
