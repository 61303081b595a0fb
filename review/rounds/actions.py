"""Actions of a review round: verdicts, comments, finishing; and the author's answers."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.joining.people import Qualification
from curation.tasks.task.models import Task
from review.rounds.assignment_actions import carried_over
from review.rounds.assignment_models import Comment, LineReview, Round, Suggestion
from review.rounds.closing import advance_if_finished
from rubrics.lines.actions import line_problems
from rubrics.versions.diff import CONTENT
from rubrics.versions.models import Criterion, RubricVersion

COMMENT_LIMIT = 5000


@action("review.work", about="round.review")
@transaction.atomic
def set_verdict(
    *,
    actor: Any,
    round: Round,
    criterion: Criterion,
    verdict: str,
    aspect: str = "",
    comment: str = "",
    suggestion: Mapping[str, Any] | None = None,
) -> LineReview:
    """Set the verdict on one line, replacing an earlier one. Repeating a verdict changes nothing.

    Args:
        aspect: for a change request, optional: factual, clarity, atomicity or weight.
        comment: for a change request: what should change; added to the line's thread.
        suggestion: for a change request: the line as the reviewer would write it, any of text,
            importance, weight and dimension.

    Raises:
        BadInput: unknown verdict or aspect, a change request with neither comment nor suggestion,
            or a suggestion that cannot be stored as a line.
        Conflict: the round is finished, or the line is of another version.
    """
    check_open(round, criterion)
    problems: dict[str, list[str]] = {}
    comment = storable.clean(comment)
    if verdict not in LineReview.Verdict.values:
        problems["verdict"] = [_("Approve the line or request a change.")]
    wanted = proposal_for(criterion, suggestion) if verdict == LineReview.Verdict.CHANGE else None
    if wanted is not None:
        found = line_problems(wanted, skill=round.review.task.is_skill)
        problems |= {f"suggest_{n}": said for n, said in found.items()}
    if verdict == LineReview.Verdict.CHANGE:
        if aspect and aspect not in LineReview.Aspect.values:
            problems["aspect"] = [_("Choose one of the four, or leave it open.")]
        silent = storable.is_blank(comment) and wanted is None
        if silent and not _has_comment(round, criterion, actor):
            problems["comment"] = [_("Say what should change, so that the author can answer.")]
    problem = storable.problem_with(comment, limit=COMMENT_LIMIT)
    if problem:
        problems["comment"] = [problem]
    if problems:
        raise BadInput(fields=problems)
    aspect = aspect if verdict == LineReview.Verdict.CHANGE else ""
    line = _record(round, criterion, verdict, aspect)
    Suggestion.objects.filter(line=line).delete()
    if wanted is not None:
        Suggestion.objects.create(line=line, **wanted)
    if comment:
        _add_comment(actor, round.review.task, criterion, round, Comment.Side.REVIEWER, comment)
    return line


def _record(round: Round, criterion: Criterion, verdict: str, aspect: str) -> LineReview:
    """Store a verdict; an equal one is not written again, because a form may arrive twice."""
    given = {"verdict": verdict, "aspect": aspect, "carried_over": False}
    line = LineReview.objects.filter(round=round, criterion=criterion).first()
    if line is None:
        return LineReview.objects.create(round=round, criterion=criterion, **given)
    if any(getattr(line, name) != value for name, value in given.items()):
        for name, value in given.items():
            setattr(line, name, value)
        line.at = timezone.now()
        line.save()
    return line


def proposal_for(
    criterion: Criterion, suggestion: Mapping[str, Any] | None
) -> dict[str, Any] | None:
    """Return the whole suggested line; None if it equals the line."""
    if not suggestion:
        return None
    kept = {name: getattr(criterion, name) for name in CONTENT}
    wanted = {name: suggestion.get(name, kept[name]) for name in CONTENT}
    wanted["text"] = storable.clean(wanted["text"])
    return None if wanted == kept else wanted


@action("review.work", about="round.review")
@transaction.atomic
def clear_verdict(*, actor: Any, round: Round, criterion: Criterion) -> None:
    """Remove a verdict while the round is open. The thread keeps its remarks.

    An approval carried over from the previous round is restored.

    Raises:
        Conflict: the round is finished, or the line is of another version.
    """
    check_open(round, criterion)
    LineReview.objects.filter(round=round, criterion=criterion).delete()
    previous = round.review.rounds.filter(number=round.number - 1).first()
    LineReview.objects.bulk_create(
        [line for line in carried_over(round, previous) if line.criterion.pk == criterion.pk]
    )


def check_open(round: Round, criterion: Criterion | None = None) -> None:
    """Lock the round, and refuse if it is finished or the line is not of its version.

    Raises:
        Conflict: `round_finished`, `wrong_version`.
    """
    still_open = Round.objects.select_for_update().filter(pk=round.pk, finished_at__isnull=True)
    if not list(still_open.values_list("pk")):  # locks: no verdict is stored after the finish
        raise Conflict(
            _("This round is finished. What you wrote is still in the box; nothing was changed."),
            code="round_finished",
        )
    if criterion is not None and criterion.version_id != round.version_id:
        raise Conflict(
            _("This line belongs to another version. Load the page again."), code="wrong_version"
        )


def _has_comment(round: Round, criterion: Criterion, actor: Any) -> bool:
    return Comment.objects.filter(round=round, line_key=criterion.key, person=actor).exists()


def _add_comment(
    actor: Any, task: Task, criterion: Criterion, round: Round | None, side: str, body: str
) -> Comment:
    """Add a comment to a thread, unless it repeats the last one.

    The line is locked, so that of two equal requests at once the second sees the first's comment.
    """
    Criterion.objects.select_for_update(no_key=True).filter(pk=criterion.pk).first()
    last = Comment.objects.filter(task=task, line_key=criterion.key).order_by("at", "id").last()
    said = (actor.pk, round.pk if round else None, criterion.pk, side, body)
    if last is not None and said == (
        last.person_id,
        last.round_id,
        last.criterion_id,
        last.side,
        last.text,
    ):
        return last
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

    The remark refers to the line in a closed version, whichever version's line is given, because
    lines of the open version can be removed.

    Raises:
        BadInput: the remark is blank, too long or cannot be stored.
        Conflict: `no_thread`, the line is in no closed version; `round_finished`; `wrong_stage`,
            the author answers while the rubric is in review.
    """
    body = storable.clean(body)
    problem = storable.problem_with(body, limit=COMMENT_LIMIT)
    if problem or storable.is_blank(body):
        raise BadInput(fields={"comment": [problem or _("Write your remark first.")]})
    if round is not None:
        check_open(round)
    stage = Task.objects.filter(pk=task.pk).values_list("stage", flat=True).get()
    if side == Comment.Side.AUTHOR and stage != Stage.REFINING:
        raise Conflict(
            _("You can answer when the round is finished and the rubric is with you again."),
            code="wrong_stage",
        )
    return _add_comment(actor, task, _closed_line(task, criterion), round, side, body)


@action("rubric.refine", about="task")
def answer_request(*, actor: Any, task: Task, line: Criterion, words: str) -> Comment:
    """Add the author's answer to the thread of a line. Raises as `comment_on_line`."""
    return comment_on_line(
        actor=actor, task=task, criterion=line, side=Comment.Side.AUTHOR, body=words
    )


def _closed_line(task: Task, criterion: Criterion) -> Criterion:
    """Return the line with this key in the newest closed version of the expert."""
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
    """Return the lines of the round's version without a verdict, in order."""
    decided = round.lines.values_list("criterion_id", flat=True)
    return list(round.version.criteria.exclude(pk__in=decided).order_by("position", "id"))


@action("review.work", about="round.review")
@transaction.atomic
def finish_round(*, actor: Any, round: Round) -> Round:
    """Finish a round in which every line has a verdict; the last one advances the task.

    Raises:
        BadInput: `lines_open`, with the ids of the lines without a verdict in `data["lines"]`.
        Conflict: the round is finished already, or the task is not in review.
        Denied: `not_qualified`.
    """
    task = Task.objects.select_for_update().get(pk=round.review.task_id)
    if task.stage != Stage.IN_REVIEW:
        raise Conflict(_("This task is no longer in review."), code="wrong_stage")
    check_open(round)
    _check_qualification(actor, task)
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
    task.note(
        "round_finished",
        actor=actor,
        reviewer=round.review.number,
        round=round.number,
        approved=round.lines.count() - requested,
        requested=requested,
    )
    advance_if_finished(task)
    return round


def _check_qualification(actor: Any, task: Task) -> None:
    """Refuse a reviewer whose qualification ended since the page was loaded.

    The caller has locked the task, so a suspension takes effect before this check or after the
    round is finished.
    """
    standing = Qualification.objects.filter(user=actor, domain=task.domain_id, active=True)
    if not standing.exists():
        raise Denied(
            _("Your qualification in this domain is not active, so the round cannot be finished."),
            code="not_qualified",
        )
