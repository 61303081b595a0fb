"""What the pages of checklists show: one with its skills and lines, what is new, the list."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from curation.tasks.skills.activation import activated_by, approved_skills
from curation.tasks.skills.models import LabelOnTask, SkillLabel
from curation.tasks.skills.queries import tasks_to_label
from curation.tasks.task.models import Task
from judge.methods.query_checklists.compose import (
    Aim,
    Composed,
    Composition,
    compose,
    line_key,
    standing_overrules,
)
from judge.methods.query_checklists.models import ChecklistOverrule, QueryChecklist
from rubrics.policy.checkpoints import checkpoint_weight

State = QueryChecklist.State
Kind = ChecklistOverrule.Kind


@dataclass(frozen=True)
class LineRow:
    """A line on the page of a checklist.

    Attributes:
        number: its place on the checklist; None if it is not on it.
        criterion: the id of the skill's line.
        overrule: what leaves it out; None if nothing does.
        same_as: the skill whose line says the same and stays instead; "" if there is none.
    """

    key: str
    text: str
    weight: int
    number: int | None
    criterion: int
    overrule: ChecklistOverrule | None = None
    same_as: str = ""


@dataclass(frozen=True)
class SkillRow:
    """A skill on the page of a checklist, with its lines.

    Attributes:
        overrule: what adds the skill or leaves it out; None if its label activates it.
    """

    label: SkillLabel
    overrule: ChecklistOverrule | None
    lines: tuple[LineRow, ...]

    @property
    def left_out(self) -> bool:
        return self.overrule is not None and self.overrule.kind == Kind.LEFT_OUT


@dataclass(frozen=True)
class Changed:
    """A line that another composition has, has not, or has otherwise.

    Attributes:
        before, now: text and weight; None where the line is missing.
    """

    skill: str
    before: tuple[str, int] | None
    now: tuple[str, int] | None


@dataclass(frozen=True)
class ChecklistPage:
    """The page of a task's checklists.

    Attributes:
        shown: the checklist whose lines it shows; None if there is none yet.
        in_use: the one in use.
        skills: of the one shown.
        sha256: of the lines shown.
        active, of: how many skills are active now, of how many approved ones.
        changes: what is new against the one in use.
        amended: whether the prompt was amended since the one shown was put in use.
        addable: approved skills that can be added to the proposal shown.
        history: all checklists of the task, the newest first.
    """

    task: Task
    shown: QueryChecklist | None
    in_use: QueryChecklist | None
    skills: tuple[SkillRow, ...]
    sha256: str
    active: int
    of: int
    changes: tuple[Changed, ...]
    amended: bool
    addable: tuple[SkillLabel, ...]
    history: tuple[QueryChecklist, ...]

    @property
    def proposal(self) -> bool:
        return self.shown is not None and self.shown.state == State.PROPOSED

    @property
    def lines(self) -> int:
        return sum(line.number is not None for row in self.skills for line in row.lines)

    @property
    def skills_in(self) -> int:
        """How many skills have a line on it."""
        return sum(any(line.number for line in row.lines) for row in self.skills)

    @property
    def points(self) -> int:
        """What an answer can earn: the positive weights."""
        weights = (line.weight for row in self.skills for line in row.lines if line.number)
        return sum(weight for weight in weights if weight > 0)


def page_of(task: Task, number: int | None = None) -> ChecklistPage | None:
    """Return the page of a task's checklists. At most 20 queries, whatever their size.

    Args:
        number: of the checklist to show, one that was in use; None for the proposal, else the one
            in use.

    Returns:
        None if the checklist of this number was never in use.
    """
    history = tuple(
        QueryChecklist.objects.filter(task=task).select_related(
            "task", "proposed_by", "used_by", "ended_by"
        )
    )
    in_use = next((one for one in history if one.state == State.IN_USE), None)
    if number is not None:
        shown = next((one for one in history if one.number == number and one.sha256), None)
        if shown is None:
            return None
    else:
        shown = next((one for one in history if one.state == State.PROPOSED), in_use)
    overrules = standing_overrules(shown)
    now = compose(task, overrules)
    if shown is None or shown.state == State.PROPOSED:
        skills, sha256 = (_composed_rows(now) if shown else ()), now.sha256
    else:
        skills, sha256 = _frozen_rows(shown, overrules), shown.sha256
    news = shown is not None and shown.state in (State.PROPOSED, State.IN_USE)
    proposal = shown is not None and shown.state == State.PROPOSED
    active = activated_by([task])[task.pk]
    return ChecklistPage(
        task=task,
        shown=shown,
        in_use=in_use,
        skills=skills,
        sha256=sha256,
        active=len(active.labels),
        of=active.of,
        changes=_changes(in_use, now) if in_use is not None and news else (),
        amended=bool(shown and shown.on_text is not None and shown.on_text < task.prompt_since),
        addable=_not_on(task, now) if proposal else (),
        history=history,
    )


def _not_on(task: Task, now: Composition) -> tuple[SkillLabel, ...]:
    """Return the approved skills that a composition does not have. One query."""
    there = {part.label.pk for part in now.skills}
    rows = approved_skills([task.domain_id])
    return tuple(label for label in rows if label.pk not in there)


def addable_to(checklist: QueryChecklist) -> tuple[SkillLabel, ...]:
    """Return the approved skills that can be added to a proposal. Seven queries at most."""
    now = compose(checklist.task, standing_overrules(checklist))
    return _not_on(checklist.task, now)


def _composed_rows(now: Composition) -> tuple[SkillRow, ...]:
    numbers = {line.key: place for place, line in enumerate(now.lines, start=1)}
    of_key = {line.key: line for part in now.skills for line in part.lines}
    return tuple(
        SkillRow(
            part.label,
            part.overrule,
            tuple(_composed_row(line, numbers, of_key) for line in part.lines),
        )
        for part in now.skills
    )


def _composed_row(
    line: Composed, numbers: Mapping[str, int], of_key: Mapping[str, Composed]
) -> LineRow:
    return LineRow(
        key=line.key,
        text=line.point.text,
        weight=line.point.weight,
        number=numbers.get(line.key),
        criterion=line.point.line,
        overrule=line.left_out,
        same_as=str(of_key[line.same_as].label) if line.same_as else "",
    )


def _frozen_rows(
    checklist: QueryChecklist, overrules: Mapping[Aim, ChecklistOverrule]
) -> tuple[SkillRow, ...]:
    """Return the skills of a checklist that was put in use, with what was left out of it."""
    labels: dict[int, SkillLabel] = {}
    lines: dict[int, list[LineRow]] = {}
    for row in checklist.lines.select_related("label", "criterion"):
        labels[row.label_id] = row.label
        lines.setdefault(row.label_id, []).append(
            LineRow(
                key=line_key(row.label.key, row.criterion.key),
                text=row.criterion.text,
                weight=row.weight,
                number=row.position,
                criterion=row.criterion_id,
            )
        )
    for made in overrules.values():
        labels.setdefault(made.label_id, made.label)
        if made.criterion is not None:
            line = made.criterion
            out = LineRow(
                key=line_key(made.label.key, line.key),
                text=line.text,
                weight=checkpoint_weight(line.importance, line.dimension),
                number=None,
                criterion=line.pk,
                overrule=made,
            )
            lines.setdefault(made.label_id, []).append(out)
    ordered = sorted(labels.values(), key=lambda one: (one.level, one.position, one.key))
    return tuple(
        SkillRow(label, overrules.get((label.pk, "")), tuple(lines.get(label.pk, ())))
        for label in ordered
    )


def _changes(in_use: QueryChecklist, shown: Composition) -> tuple[Changed, ...]:
    """Return what a composition has otherwise than the checklist in use. One query."""
    before: dict[str, tuple[str, str, int]] = {
        line_key(row.label.key, row.criterion.key): (
            str(row.label),
            row.criterion.text,
            row.weight,
        )
        for row in in_use.lines.select_related("label", "criterion")
    }
    now = {line.key: (str(line.label), line.point.text, line.point.weight) for line in shown.lines}
    found = []
    for key in [*now, *(key for key in before if key not in now)]:
        was, is_now = before.get(key), now.get(key)
        if was is None or is_now is None or was[1:] != is_now[1:]:
            skill = (is_now or was or ("",))[0]
            found.append(Changed(skill, was and was[1:], is_now and is_now[1:]))
    return tuple(found)


# --- the list -----------------------------------------------------------------------------------
SHOWN = ("all", "waiting", "without")


def checklist_tasks(user: Any, show: str = "all") -> "QuerySet[Task]":
    """Select the tasks with labels or checklists that a person may label, the newest first.

    Each has `proposed_number` and `used_number`, None where it has no such checklist.

    Args:
        show: all; waiting, those with a proposal; without, those with none in use or proposed.
    """

    def number(state: str) -> Subquery:
        rows = QueryChecklist.objects.filter(task=OuterRef("pk"), state=state)
        return Subquery(rows.values("number")[:1])

    labelled = LabelOnTask.objects.filter(task=OuterRef("pk"), removed_at__isnull=True)
    some = QueryChecklist.objects.filter(task=OuterRef("pk"))
    rows = tasks_to_label(user).filter(Q(Exists(labelled)) | Q(Exists(some)))
    rows = rows.annotate(proposed_number=number(State.PROPOSED), used_number=number(State.IN_USE))
    if show == "waiting":
        rows = rows.filter(proposed_number__isnull=False)
    elif show == "without":
        rows = rows.filter(proposed_number__isnull=True, used_number__isnull=True)
    return rows


@dataclass(frozen=True)
class TaskRow:
    """A task in the list of checklists."""

    task: Task
    active: int
    used: int | None
    proposed: int | None


def task_rows(user: Any, pks: list[int]) -> list[TaskRow]:
    """Return rows of the list, the newest first. Three queries."""
    tasks = list(checklist_tasks(user).filter(pk__in=pks))
    active = activated_by(tasks)
    return [
        TaskRow(
            task,
            len(active[task.pk].labels),
            task.used_number,  # type: ignore[attr-defined]
            task.proposed_number,  # type: ignore[attr-defined]
        )
        for task in tasks
    ]


def proposal_of(pk: int) -> QueryChecklist | None:
    """Return a checklist with its task by its id. One query."""
    rows = QueryChecklist.objects.select_related("task__domain")
    return rows.filter(pk=pk).first()
