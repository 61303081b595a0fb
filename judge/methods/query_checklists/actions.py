"""People propose a checklist of a task, overrule parts of it with a reason, and put it in use."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.states import move
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.skills.activation import approved_skills
from curation.tasks.skills.labelling import refuse_unlabelled
from curation.tasks.skills.models import SkillLabel
from curation.tasks.task.models import Task
from judge.methods.query_checklists.compose import Composition, compose, standing_overrules
from judge.methods.query_checklists.models import (
    ChecklistOverrule,
    QueryChecklist,
    QueryChecklistLine,
)
from judge.methods.query_checklists.queries import newest
from rubrics.versions.models import Criterion

State = QueryChecklist.State
Kind = ChecklistOverrule.Kind
REASON_LIMIT = 2000  # characters


def _lock(task: Task) -> Task:
    locked = Task.objects.select_for_update(of=("self",)).get(pk=task.pk)
    refuse_unlabelled(locked)
    return locked


@action("task.label", about="task")
@transaction.atomic
def propose_checklist(*, actor: Any, task: Task) -> QueryChecklist:
    """Propose the checklist that a task's labels give now, for a person to read.

    What people overruled on the one in use is overruled on the new one too.

    Raises:
        Conflict: `no_labels`, the task can have none; `nothing_active`; `proposed_already`.
    """
    task = _lock(task)
    if newest(task.pk, State.PROPOSED) is not None:
        raise Conflict(
            _("A checklist of this task waits already. Load the page again."),
            code="proposed_already",
        )
    now = compose(task, standing_overrules(newest(task.pk, State.IN_USE)))
    if not now.skills:
        raise Conflict(
            _("No skill is active: none of the task's labels has an approved skill."),
            code="nothing_active",
        )
    number = QueryChecklist.objects.filter(task=task).count() + 1
    made = QueryChecklist.objects.create(task=task, number=number, proposed_by=actor)
    ChecklistOverrule.objects.bulk_create(
        ChecklistOverrule(
            checklist=made,
            kind=row.kind,
            label=row.label,
            criterion=row.criterion,
            reason=row.reason,
            by=row.by,
            at=row.at,
        )
        for row in now.overruled
    )
    task.note("checklist_proposed", actor=actor, number=number)
    return made


def _proposed(checklist: QueryChecklist) -> QueryChecklist:
    """Lock the task and return the checklist as it is now. Raises Conflict `wrong_stage`."""
    _lock(checklist.task)
    held = QueryChecklist.objects.select_related("task").get(pk=checklist.pk)
    if held.state != State.PROPOSED:
        raise Conflict(
            _("This checklist is no longer a proposal, so it stays as it is."), code="wrong_stage"
        )
    return held


@action("task.label", about="checklist.task")
@transaction.atomic
def overrule(
    *,
    actor: Any,
    checklist: QueryChecklist,
    label: SkillLabel,
    criterion: Criterion | None = None,
    reason: str,
) -> ChecklistOverrule:
    """Leave a skill or one of its lines out of a proposed checklist, or add a skill to it.

    A skill that is on it is left out; another approved skill of the domain is added.

    Args:
        criterion: the line; None for the skill as a whole.

    Raises:
        BadInput: no reason, or neither the skill nor the line can be on the checklist.
        Conflict: `wrong_stage`, the checklist is no longer a proposal; `overruled_already`.
    """
    reason = required_reason(reason, _("Say why, in a sentence."), limit=REASON_LIMIT)
    held = _proposed(checklist)
    overrules = standing_overrules(held)
    if (label.pk, criterion.key if criterion else "") in overrules:
        raise Conflict(
            _("Somebody overruled this after you opened the page. Load it again."),
            code="overruled_already",
        )
    now = compose(held.task, overrules)
    kind = _kind_of(held.task, now, label, criterion)
    return ChecklistOverrule.objects.create(
        checklist=held, kind=kind, label=label, criterion=criterion, reason=reason, by=actor
    )


def _kind_of(
    task: Task, now: Composition, label: SkillLabel, criterion: Criterion | None
) -> ChecklistOverrule.Kind:
    part = next((part for part in now.skills if part.label.pk == label.pk), None)
    if criterion is not None:
        if part is None or all(line.point.line != criterion.pk for line in part.lines):
            raise BadInput(_("This line is not on the checklist. Load the page again."))
        return Kind.LEFT_OUT
    if part is not None:
        return Kind.LEFT_OUT
    if all(other.pk != label.pk for other in approved_skills([task.domain_id])):
        raise BadInput(fields={"label": [_("Choose an approved skill of the task's domain.")]})
    return Kind.ADDED


@action("task.label", about="checklist.task")
@transaction.atomic
def take_back_overrule(
    *, actor: Any, checklist: QueryChecklist, overruled: ChecklistOverrule
) -> None:
    """Take back what was overruled: the skill or line is again as the labels compose it.

    Raises:
        Conflict: `wrong_stage`, the checklist is no longer a proposal, or it was taken back.
    """
    held = _proposed(checklist)
    standing = standing_overrules(held)
    if all(row.pk != overruled.pk for row in standing.values()):
        raise Conflict(_("This was taken back already."), code="wrong_stage")
    ChecklistOverrule.objects.create(
        checklist=held,
        kind=Kind.TAKEN_BACK,
        label=overruled.label,
        criterion=overruled.criterion,
        by=actor,
    )


@action("task.label", about="checklist.task")
@transaction.atomic
def drop_checklist(*, actor: Any, checklist: QueryChecklist) -> None:
    """Drop a proposed checklist. The one in use stays in use.

    Raises:
        Conflict: `wrong_stage`, the checklist is no longer a proposal.
    """
    held = _proposed(checklist)
    mine = QueryChecklist.objects.filter(pk=held.pk)
    move(mine, State.DROPPED, ended_at=timezone.now(), ended_by=actor)
    held.task.note("checklist_dropped", actor=actor, number=held.number)


@action("checklist.use", about="checklist.task")
@transaction.atomic
def put_in_use(*, actor: Any, checklist: QueryChecklist, sha256: str) -> QueryChecklist:
    """Put a proposed checklist in use: its lines are written down and never change again.

    The one that was in use is replaced; what it judged keeps pointing at it.

    Args:
        sha256: of the lines that the person read.

    Raises:
        Conflict: `wrong_stage`, it is no longer a proposal; `changed_meanwhile`, labels, skills
            or overrules changed since it was read; `nothing_to_earn`, no line has a positive
            weight; `nothing_new`, the one in use has the same lines.
    """
    held = _proposed(checklist)
    task, overrules = held.task, standing_overrules(held)
    now = compose(task, overrules)
    if now.sha256 != sha256:
        raise Conflict(
            _(
                "The labels or the skills changed after you opened this page, and the lines with "
                "them. Read them again."
            ),
            code="changed_meanwhile",
        )
    if all(line.point.flaw for line in now.lines):
        raise Conflict(
            _("A checklist needs at least one line that an answer can earn points with."),
            code="nothing_to_earn",
        )
    before = newest(task.pk, State.IN_USE)
    if before is not None and before.sha256 == sha256:
        raise Conflict(
            _("The checklist in use has exactly these lines. Drop this proposal."),
            code="nothing_new",
        )
    moment = timezone.now()
    if before is not None:
        mine = QueryChecklist.objects.filter(pk=before.pk)
        move(mine, State.REPLACED, ended_at=moment, ended_by=actor)
    move(
        QueryChecklist.objects.filter(pk=held.pk),
        State.IN_USE,
        used_at=moment,
        used_by=actor,
        on_text=task.version,
        sha256=sha256,
    )
    without_effect = {row.pk for row in overrules.values()} - {row.pk for row in now.overruled}
    ChecklistOverrule.objects.bulk_create(
        ChecklistOverrule(
            checklist=held, kind=Kind.TAKEN_BACK, label=row.label, criterion=row.criterion, by=actor
        )
        for row in overrules.values()
        if row.pk in without_effect
    )
    QueryChecklistLine.objects.bulk_create(
        QueryChecklistLine(
            checklist=held,
            position=position,
            label=line.label,
            criterion_id=line.point.line,
            weight=line.point.weight,
        )
        for position, line in enumerate(now.lines, start=1)
    )
    task.note("checklist_in_use", actor=actor, number=held.number, lines=len(now.lines))
    held.refresh_from_db()
    return held
