"""Actions of a senior on the lines that the set number of rounds left open."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.text import storable
from curation.base.text.comparisons import key_of
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.models import Task
from review.decisions.models import LineDecision
from review.policy.actions import terms_of
from review.rounds.assignment_models import Comment, Review, Suggestion
from review.rounds.closing import approve_or_spot_check, open_lines
from review.senior_seats.actions import lock, take_as_senior
from review.senior_seats.models import seniors_with_the_seat
from review.spot_checks.actions import reviewed_version
from rubrics.lines import history
from rubrics.lines.actions import line_problems
from rubrics.versions.actions import freeze, open_version
from rubrics.versions.diff import CONTENT
from rubrics.versions.models import Criterion, LineChange, RubricVersion

Outcome = LineDecision.Outcome


@action("signed_in")
def take_decision(*, actor: Any, task: Task) -> Task:
    """Take the deciding senior's seat. Raises as `take_as_senior`."""
    return take_as_senior(actor=actor, task=task, stage=Stage.DECIDING)


def lines_to_decide(task: Task) -> list[Criterion]:
    """Return the lines the rounds left open, in order."""
    return list(open_lines(task, reviewed_version(task), terms_of(task).quorum))


@action("decision.decide", about="task")
@transaction.atomic
def decide_line(
    *,
    actor: Any,
    task: Task,
    criterion: Criterion,
    outcome: str,
    reason: str,
    suggestion: int | None = None,
    wording: Mapping[str, Any] | None = None,
) -> LineDecision:
    """Decide one open line. A line can be decided again until the decisions are closed.

    Args:
        outcome: keep the author's line, take a reviewer's suggestion, or use the senior's wording.
        suggestion: id of the suggestion to take.
        wording: the senior's line: any of text, importance, weight and dimension.

    Raises:
        BadInput: unknown outcome, no reason, no such suggestion on this line, or a wording that
            cannot be stored as a line.
        Conflict: `wrong_stage`, `not_held`; `settled`, the line is not open.
    """
    _lock_and_check_seat(actor, task)
    if criterion.pk not in {line.pk for line in lines_to_decide(task)}:
        raise Conflict(_("This line is settled, so there is nothing to decide."), code="settled")
    problems: dict[str, list[Any]] = {}
    try:
        required_reason(reason, _("Give your reason; author and reviewers read it."))
    except BadInput as refused:
        problems |= refused.fields
    content = {name: getattr(criterion, name) for name in CONTENT}
    taken = None
    if outcome == Outcome.SUGGESTION:
        taken = suggestions_for(task, criterion).filter(pk=suggestion).first()
        if taken is None:
            problems["outcome"] = [_("Choose which suggestion you take.")]
        else:
            content = {name: getattr(taken, name) for name in CONTENT}
    elif outcome == Outcome.OWN:
        content |= {name: value for name, value in (wording or {}).items() if name in CONTENT}
        content["text"] = storable.clean(content["text"])
        problems |= line_problems(content, skill=task.is_skill)
        if not problems and all(getattr(criterion, name) == content[name] for name in CONTENT):
            problems["text"] = [_("This is the author's line. Keep it, or word it differently.")]
    elif outcome != Outcome.KEEP:
        problems["outcome"] = [_("Keep the line, take a suggestion, or word it yourself.")]
    if problems:
        raise BadInput(fields=problems)
    decided, _created = LineDecision.objects.update_or_create(
        criterion=criterion,
        defaults={
            "task": task,
            "senior": actor,
            "outcome": outcome,
            "suggestion": taken,
            "reason": storable.clean(reason),
            "at": timezone.now(),
            **content,
        },
    )
    return decided


def suggestions_for(task: Task, criterion: Criterion) -> Any:
    """Return the suggestions a senior may take on a line: those of finished rounds over it."""
    return Suggestion.objects.filter(
        line__criterion=criterion,
        line__round__review__task=task,
        line__round__review__state=Review.State.ASSIGNED,
        line__round__finished_at__isnull=False,
    ).order_by("pk")


@action("decision.decide", about="task")
@transaction.atomic
def close_decisions(*, actor: Any, task: Task) -> None:
    """Apply the decisions to the rubric and advance the task.

    If a line changes, a new frozen version is written, each change as a recorded step of the
    senior. The reasons go into the threads, the outcomes into the task's history.

    Raises:
        BadInput: `lines_open`, with the undecided lines in `data["lines"]`; `duplicate_lines`,
            two lines would have the same text.
        Conflict: `wrong_stage`, `not_held`.
    """
    _lock_and_check_seat(actor, task)
    waiting = lines_to_decide(task)
    version = reviewed_version(task)
    decided = {row.criterion_id: row for row in LineDecision.objects.filter(criterion__in=waiting)}
    missing = [line for line in waiting if line.pk not in decided]
    if missing:
        raise BadInput(
            ngettext(
                "%(n)s line is not decided yet.", "%(n)s lines are not decided yet.", len(missing)
            )
            % {"n": len(missing)},
            code="lines_open",
            data={"lines": [line.pk for line in missing]},
        )
    rows = [(line, decided[line.pk]) for line in waiting]
    _check_duplicates(version, {line.key: row.text for line, row in rows})
    changed = [(line, row) for line, row in rows if row.outcome != Outcome.KEEP]
    if changed:
        version = _rewrite(task, version, actor, changed)
    now = timezone.now()
    for line, row in rows:
        Comment.objects.create(
            task=task,
            line_key=line.key,
            criterion=line,
            side=Comment.Side.SENIOR,
            person=actor,
            text=row.reason,
            at=now,
        )
    LineDecision.objects.filter(pk__in=[row.pk for row in decided.values()]).update(closed_at=now)
    approve_or_spot_check(
        task,
        version,
        actor=actor,
        decided={row.criterion.key: row.outcome for _line, row in rows},
    )


def _rewrite(
    task: Task, version: RubricVersion, actor: Any, changed: list[tuple[Criterion, LineDecision]]
) -> RubricVersion:
    written = open_version(task=task, actor=actor, based_on=version)
    lines = {line.key: line for line in written.criteria.all()}
    for old, row in changed:
        line = lines[old.key]
        before = history.snapshot(line)
        for name in CONTENT:
            setattr(line, name, getattr(row, name))
        if line.source_id:
            line.provenance = Criterion.Provenance.EDITED
        line.save(update_fields=[*CONTENT, "provenance"])
        history.record(
            written,
            actor=actor,
            kind=LineChange.Kind.DECIDED,
            key=line.key,
            before=[before],
            after=[history.snapshot(line)],
        )
    freeze(written)
    return written


def _check_duplicates(version: RubricVersion, decided: Mapping[str, str]) -> None:
    seen: dict[str, int] = {}
    rows = version.criteria.order_by("position", "id").values_list("key", "text")
    for n, (key, body) in enumerate(rows, start=1):
        folded = key_of(decided.get(key, body))
        if folded in seen:
            raise BadInput(
                _("Lines %(one)s and %(other)s would say the same. Word one of them differently.")
                % {"one": seen[folded], "other": n},
                code="duplicate_lines",
            )
        seen[folded] = n


def check_deciding(task: Task) -> None:
    """Refuse a task that does not wait for a senior's decision.

    Raises:
        Conflict: `wrong_stage`.
    """
    if task.stage != Stage.DECIDING:
        raise Conflict(_("This task is not waiting for a senior's decision."), code="wrong_stage")


@action("review.administer", about="task")
@transaction.atomic
def one_more_round(*, actor: Any, task: Task, reason: str) -> Task:
    """Return the task to its author for one more round instead of a decision, by staff.

    Raises:
        BadInput: no reason.
        Denied: `own_task`, the member of staff wrote the task.
        Conflict: the task does not wait for a senior's decision.
    """
    reason = required_reason(reason, _("Say why they get one more round."))
    lock(task)
    check_deciding(task)
    version = reviewed_version(task)
    LineDecision.objects.filter(task=task, closed_at__isnull=True).delete()
    open_version(task=task, actor=None, based_on=version)
    task.advance(Stage.REFINING, actor=actor, reason=reason, version=version.number)
    return task


def _lock_and_check_seat(actor: Any, task: Task) -> None:
    lock(task)
    check_deciding(task)
    if actor.pk not in seniors_with_the_seat(task):
        raise Conflict(_("This decision is no longer yours."), code="not_held")
