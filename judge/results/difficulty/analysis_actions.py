"""Decide on proposals of the analysis: keep what they are about, or ask the author to look."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.fields import answers_exactly
from curation.tasks.task.models import Task
from judge.results.difficulty.analyses import Analysis, Proposal, ProposalOutcome, TaskRow, row_of
from judge.results.difficulty.analysis_tables import evidence
from review.spot_checks.actions import reopen
from rubrics.versions.queries import versions_that_count

KEPT, ASKED = ProposalOutcome.Outcome.KEPT, ProposalOutcome.Outcome.ASKED


def why_not_ask(task: Task, row: TaskRow) -> str:
    """Return why the author cannot be asked to look at what was found; "" if that is possible."""
    if row.task.external:
        return _("The task came with another benchmark, so nobody can be asked to change it.")
    if task.stage != Stage.APPROVED:
        return _("The task is not approved at the moment, so its author cannot be asked now.")
    if answers_exactly(task):
        return _(
            "The rubric of this task is one line made from its answer. Ask for a second look on "
            "the page of the shares of models that are right."
        )
    counts = versions_that_count({task.pk}).get(task.pk)
    if counts is None or counts.pk != row.task.version:
        return _(
            "The rubric was changed since these responses were judged. Judge them by the new one "
            "before you ask its author."
        )
    return ""


@action("staff.editing")
@transaction.atomic
def keep(
    *, actor: Any, analysis: Analysis, task: Task, proposals: Sequence[str], reason: str
) -> list[ProposalOutcome]:
    """Keep a task, or lines of it, as they are, with the reason why.

    Args:
        proposals: values of `Proposal.value`.

    Raises:
        BadInput: no proposal was chosen, or no reason given.
        Conflict: `changed_meanwhile`, the analysis no longer makes one of the proposals.
    """
    reason = required_reason(reason, _("Say why it stays as it is."))
    return _record(actor, analysis, row_of(analysis, task.pk), proposals, KEPT, reason)


@action("staff.editing")
@transaction.atomic
def ask_author(
    *, actor: Any, analysis: Analysis, task: Task, proposals: Sequence[str], reason: str
) -> list[ProposalOutcome]:
    """Reopen the rubric of an approved task, so that its author looks at it.

    Until it is approved again the task is in no draw. No score changes.

    Args:
        proposals: values of `Proposal.value`.
        reason: what the author reads.

    Raises:
        BadInput, Conflict: as `keep`; Conflict also where `why_not_ask` gives a reason.
        Denied: `own_task`, the member of staff wrote the task.
    """
    reason = required_reason(reason, _("Write what the author is to look at."))
    row = row_of(analysis, task.pk)
    if problem := why_not_ask(task, row):
        raise Conflict(problem, code="cannot_ask")
    found = _record(actor, analysis, row, proposals, ASKED, reason)
    reopen(actor=actor, task=task, reason=reason)
    return found


def _record(
    actor: Any,
    analysis: Analysis,
    row: TaskRow,
    chosen: Sequence[str],
    outcome: str,
    reason: str,
) -> list[ProposalOutcome]:
    if not chosen:
        raise BadInput(fields={"proposals": [_("Choose what your decision is about.")]})
    there: dict[str, Proposal] = {proposal.value: proposal for proposal in row.all_proposals}
    if not set(chosen) <= there.keys():
        raise Conflict(
            _("The figures have changed since you opened the page. Load it again and decide then."),
            code="changed_meanwhile",
        )
    return [
        ProposalOutcome.objects.create(
            task_id=row.task.pk,
            criterion_id=proposal.line.pk if proposal.line else None,
            version_id=None if proposal.line else row.task.version,
            concern=proposal.concern.value,
            outcome=outcome,
            reason=reason,
            evidence=evidence(analysis, row, proposal),
            by=actor,
        )
        for value, proposal in there.items()
        if value in chosen
    ]
