"""A reviewer's round: verdicts, comments, the finish; and the author's answers."""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from curation import text
from curation.errors import BadInput, Conflict
from curation.lifecycle import Stage
from curation.models import Task
from review.actions.assignment import carried_over
from review.models import Comment, LineReview, Review, Round
from review.sampling import is_drawn
from rubrics.actions import open_version
from rubrics.models import Criterion, RubricVersion

COMMENT_LIMIT = 5000


@transaction.atomic
def set_verdict(
    *,
    actor: Any,
    round: Round,
    criterion: Criterion,
    verdict: str,
    aspect: str = "",
    comment: str = "",
) -> LineReview:
    """Set the current verdict on one line; setting it again replaces it.

    Args:
        aspect: for a change request: factual, clarity, atomicity or weight.
        comment: for a change request: what should change. Goes into the line's thread.

    Raises:
        BadInput: unknown verdict, or a change request without aspect or comment.
        Conflict: the round is finished, or the line is of another version.
    """
    check_open(round, criterion)
    problems: dict[str, list[str]] = {}
    comment = text.clean(comment)
    if verdict not in LineReview.Verdict.values:
        problems["verdict"] = [_("Approve the line or request a change.")]
    if verdict == LineReview.Verdict.CHANGE:
        if aspect not in LineReview.Aspect.values:
            problems["aspect"] = [_("Say what the change is about.")]
        if text.is_blank(comment) and not _said_something(round, criterion, actor):
            problems["comment"] = [_("Say what should change, so that the author can answer.")]
    problem = text.problem_with(comment, limit=COMMENT_LIMIT)
    if problem:
        problems["comment"] = [problem]
    if problems:
        raise BadInput(fields=problems)
    line, _created = LineReview.objects.update_or_create(
        round=round,
        criterion=criterion,
        defaults={
            "verdict": verdict,
            "aspect": aspect if verdict == LineReview.Verdict.CHANGE else "",
            "carried_over": False,
            "at": timezone.now(),
        },
    )
    if comment:
        _write_comment(actor, round.review.task, criterion, round, Comment.Side.REVIEWER, comment)
    return line


@transaction.atomic
def clear_verdict(*, actor: Any, round: Round, criterion: Criterion) -> None:
    """Take a verdict back while the round is open. The thread keeps what was said.

    An approval that was carried over from the round before stands again.
    """
    check_open(round, criterion)
    LineReview.objects.filter(round=round, criterion=criterion).delete()
    previous = round.review.rounds.filter(number=round.number - 1).first()
    LineReview.objects.bulk_create(
        [line for line in carried_over(round, previous) if line.criterion.pk == criterion.pk]
    )


def check_open(round: Round, criterion: Criterion | None = None) -> None:
    """Refuse if the round is finished or the line is not of its version."""
    still_open = Round.objects.select_for_update().filter(pk=round.pk, finished_at__isnull=True)
    if not list(still_open.values_list("pk")):  # locked: no verdict slips in behind the finish
        raise Conflict(
            _("This round is finished. What you wrote is still in the box; nothing was changed."),
            code="round_finished",
        )
    if criterion is not None and criterion.version_id != round.version_id:
        raise Conflict(
            _("This line belongs to another version. Load the page again."), code="wrong_version"
        )


def _said_something(round: Round, criterion: Criterion, actor: Any) -> bool:
    return Comment.objects.filter(round=round, line_key=criterion.key, person=actor).exists()


def _write_comment(
    actor: Any, task: Task, criterion: Criterion, round: Round | None, side: str, body: str
) -> Comment:
    return Comment.objects.create(
        task=task,
        line_key=criterion.key,
        criterion=criterion,
        round=round,
        side=side,
        person=actor,
        text=body,
    )


@transaction.atomic
def comment_on_line(
    *,
    actor: Any,
    task: Task,
    criterion: Criterion,
    side: str,
    body: str,
    round: Round | None = None,
) -> Comment:
    """Add a remark to a line's thread.

    A remark points at a closed version, whichever version's line is given: lines of the open one
    may still be removed.

    Raises:
        BadInput: nothing to say, or too long.
        Conflict: the line has no closed version yet, so nobody has a thread on it; the round
            is finished; or the author answers while the reviewers have the rubric.
    """
    body = text.clean(body)
    problem = text.problem_with(body, limit=COMMENT_LIMIT)
    if problem or text.is_blank(body):
        raise BadInput(fields={"comment": [problem or _("Write your remark first.")]})
    if round is not None:
        check_open(round)
    stage = Task.objects.filter(pk=task.pk).values_list("stage", flat=True).get()
    if side == Comment.Side.AUTHOR and stage != Stage.REFINING:
        raise Conflict(
            _("You can answer when the round is finished and the rubric is with you again."),
            code="wrong_stage",
        )
    return _write_comment(actor, task, _closed(task, criterion), round, side, body)


def _closed(task: Task, criterion: Criterion) -> Criterion:
    """The newest line of this key in a version that no longer changes."""
    found = (
        Criterion.objects.filter(
            version__task=task, version__frozen_at__isnull=False, key=criterion.key
        )
        .exclude(version__origin=RubricVersion.Origin.DRAFT)
        .order_by("-version__number")
        .first()
    )
    if found is None:
        raise Conflict(
            _("This line is new, so nobody has remarked on it yet. Change the line itself."),
            code="no_thread",
        )
    return found


def lines_without_verdict(round: Round) -> list[Criterion]:
    """The lines of the round's version that have no verdict yet, in order."""
    decided = round.lines.values_list("criterion_id", flat=True)
    return list(round.version.criteria.exclude(pk__in=decided).order_by("position", "id"))


@transaction.atomic
def finish_round(*, actor: Any, round: Round) -> Round:
    """Close a round in which every line has a verdict; the last reviewer moves the task on.

    Raises:
        BadInput: `lines_open`, naming how many lines have no verdict.
        Conflict: finished already, or the task has moved.
    """
    task = Task.objects.select_for_update().get(pk=round.review.task_id)
    if task.stage != Stage.IN_REVIEW:
        raise Conflict(_("This task is no longer in review."), code="wrong_stage")
    check_open(round)
    open_lines = lines_without_verdict(round)
    if open_lines:
        raise BadInput(
            ngettext(
                "%(n)s line has no verdict yet. A round closes when every line has one.",
                "%(n)s lines have no verdict yet. A round closes when every line has one.",
                len(open_lines),
            )
            % {"n": len(open_lines)},
            code="lines_open",
            data={"lines": [line.pk for line in open_lines]},
        )
    Round.objects.filter(pk=round.pk, finished_at__isnull=True).update(finished_at=timezone.now())
    round.refresh_from_db()
    requested = round.lines.filter(verdict=LineReview.Verdict.CHANGE).count()
    task.history.create(
        actor=actor,
        from_stage=task.stage,
        to_stage=task.stage,
        data={
            "event": "round_finished",
            "reviewer": round.review.number,
            "round": round.number,
            "approved": round.lines.count() - requested,
            "requested": requested,
        },
    )
    _move_on_when_all_finished(task, round)
    return round


def _recorded(requested: int) -> str:
    """Why the task moves on, in English: the history is told in each reader's language."""
    with override("en"):
        if not requested:
            return _("Every line is approved.")
        return ngettext(
            "The review asks for a change on %(n)s line.",
            "The review asks for changes on %(n)s lines.",
            requested,
        ) % {"n": requested}


def _move_on_when_all_finished(task: Task, last: Round) -> None:
    active = task.reviews.filter(state=Review.State.ASSIGNED)
    if active.filter(rounds__finished_at__isnull=True).exists():
        return
    if active.count() < settings.REVIEWERS_PER_TASK:
        return  # a place is still empty; the pool shows it
    verdicts = LineReview.objects.filter(
        round__review__in=active, round__version=last.version
    ).values_list("verdict", flat=True)
    requested = sum(v == LineReview.Verdict.CHANGE for v in verdicts)
    if requested:
        open_version(task=task, actor=None, based_on=last.version)
        task.advance(
            Stage.REFINING,
            actor=None,
            reason=_recorded(requested),
            requested=requested,
            round=last.number,
        )
        return
    drawn = is_drawn(settings.SPOT_CHECK_SALT, task.key, settings.SPOT_CHECK_RATE)
    task.advance(
        Stage.SPOT_CHECK if drawn else Stage.APPROVED,
        actor=None,
        reason=_recorded(0),
        spot_check_drawn=drawn,
        spot_check_rate=settings.SPOT_CHECK_RATE,
        version=last.version.number,
    )
