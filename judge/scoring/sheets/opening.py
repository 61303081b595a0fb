"""Opening a sheet: its seat, its version and its due date."""

from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.process.roles import Role
from curation.base.web.refusals import Conflict, Denied
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.scoring.scorers.readiness import check_ready
from judge.scoring.sheets.models import Sheet
from rubrics.versions.queries import version_that_counts

SCORING_DAYS = 7


def rater_of(user: Any, kind: str = Sheet.Kind.EXPERT) -> str:
    """Return the rater's name of an expert of this programme; another one for uncounted sheets."""
    return f"{kind}-{user.pk}"


def due() -> datetime:
    """Return the due date of a sheet opened now."""
    return timezone.now() + timedelta(days=SCORING_DAYS)


def check_qualified(user: Any, task: Task) -> None:
    """Check that a person is qualified in the task's domain.

    Any expert may score an imported task, because nobody can qualify in its domain.

    Raises:
        Denied: `not_eligible`.
    """
    domains = user.qualified_domain_ids() if user.is_active else frozenset()
    if task.domain_id not in domains and not (task.domain.external and domains):
        raise Denied(
            _("A response is scored by an expert who is qualified in the task's domain."),
            code="not_eligible",
        )


@transaction.atomic
def open_sheet(
    *,
    response: Response,
    scorer: Any,
    purpose: str,
    due_at: datetime | None = None,
    slot: int = 1,
    kind: str = Sheet.Kind.EXPERT,
    flagged_item: Any = None,
) -> Sheet:
    """Take a scorer's seat and open a sheet over the version that counts.

    The anchor and the candidates of one task are scored by different people: the judge imitates
    the anchor's scorer, so measuring it against the same person would be biased.

    Args:
        due_at: when the sheet is due; None for seven days from now.
        slot: 1 or 2, the scorer of an anchor that two people score.
        kind: EXPERT, PRACTICE or KNOWN.
        flagged_item: the item of a set that asks for it because of a flag.

    Raises:
        Denied: `not_eligible`.
        Conflict: `seat_taken` (the person holds another seat, or a colleague has the anchor),
            `already_open` (the person has a sheet on this response and version),
            `scored_the_anchor`, `scored_a_candidate`, `collected_answers`, `no_rubric`,
            `practised`, `flagged`, and, but for practice, `practice_first` and `scorer_paused`.
    """
    task = response.task
    check_qualified(scorer, task)
    if kind != Sheet.Kind.PRACTICE:
        # An anchor is taken by its scorer; every other sheet is assigned.
        check_ready(scorer, task.domain_id, own=purpose == Sheet.Purpose.ANCHOR)
    version = version_that_counts(task)
    if version is None:
        raise Conflict(_("This task has no rubric to score by yet."), code="no_rubric")
    check_not_practised(task, scorer)
    if purpose == Sheet.Purpose.ALIGNMENT:
        check_flagged_none(response, scorer)
    _check_not_both(task, scorer, purpose)
    # A flag asks others than the scorers, those by earlier rubrics included.
    _check_no_other(response, scorer, None if flagged_item else version.pk)
    take_seat(task=task, user=scorer, role=Role.SCORER)
    try:
        with transaction.atomic():
            return Sheet.objects.create(
                response=response,
                version=version,
                kind=kind,
                purpose=purpose,
                rater=rater_of(scorer, kind),
                user=scorer,
                due_at=due_at or due(),
                slot=slot,
                flagged_item=flagged_item,
            )
    except IntegrityError:
        _check_no_other(response, scorer, version.pk)
        raise Conflict(
            _("A colleague took this response a moment ago. Choose another one."),
            code="seat_taken",
        ) from None


def _check_no_other(response: Response, scorer: Any, version: int | None) -> None:
    """Check that a person has no sheet of any kind on a response by a version; None for any."""
    theirs = Sheet.objects.filter(response=response, user=scorer)
    if (theirs if version is None else theirs.filter(version=version)).exists():
        raise Conflict(
            _("This person already has a sheet for this response."), code="already_open"
        ) from None


def check_not_practised(task: Task, scorer: Any) -> None:
    """Check that a person did not practise on a task. Raises Conflict if they did."""
    if task.responses.filter(practice_sheet__attempts__user=scorer).exists():
        raise Conflict(
            _("Somebody who practised on a task has read its verdicts, and scores nothing on it."),
            code="practised",
        )


def check_flagged_none(response: Response, scorer: Any) -> None:
    """Check that a person never flagged a verdict on a response. Raises Conflict if they did."""
    if (
        response.judgments.filter(verdicts__flags__by=scorer).exists()
        or response.sheets.filter(lines__flags__by=scorer).exists()
    ):
        raise Conflict(
            _("Somebody who flagged a verdict on a response knows what the judge says of it."),
            code="flagged",
        )


def check_collected_none(task: Task, scorer: Any) -> None:
    """Check that a person did not collect answers to a task. Raises Conflict if they did."""
    if task.collection_cells.filter(operator=scorer).exists():
        raise Conflict(
            _("Somebody who collected answers to a task knows who gave them, and cannot score."),
            code="collected_answers",
        )


def _check_not_both(task: Task, scorer: Any, purpose: str) -> None:
    theirs = Sheet.objects.filter(user=scorer, response__task=task)
    anchor = purpose == Sheet.Purpose.ANCHOR
    if theirs.filter(purpose=Sheet.Purpose.ANCHOR).exists() and not anchor:
        raise Conflict(
            _("Somebody who scored a task's anchor cannot score candidates on the same task."),
            code="scored_the_anchor",
        )
    if not anchor:
        check_collected_none(task, scorer)
    if anchor and theirs.exclude(purpose=Sheet.Purpose.ANCHOR).exists():
        raise Conflict(
            _("Somebody who scored candidates on a task cannot score its anchor."),
            code="scored_a_candidate",
        )
