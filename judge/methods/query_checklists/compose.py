"""The lines of a checklist, from a task's labels, the skills and what people overruled.

No model takes part: the same labels, versions of skills and overrules always give the same lines
in the same order, and so the same SHA-256. Skills come in the order of level, place and key of
their labels, lines in that of the skill.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from curation.base.text.comparisons import key_of
from curation.tasks.skills.activation import Activation, activated_by, approved_skills
from curation.tasks.skills.models import SkillLabel
from curation.tasks.task.models import Task
from judge.methods.query_checklists.models import ChecklistOverrule, QueryChecklist
from rubrics.versions.checkpoints import Checkpoint, checkpoints_of

Kind = ChecklistOverrule.Kind
Aim = tuple[int, str]  # label id, key of the line; "" for the whole skill


@dataclass(frozen=True)
class Composed:
    """A checkpoint of an active skill, and what becomes of it.

    Attributes:
        key: of the line on the checklist: key of the label, a colon, key of the checkpoint.
        left_out: the overrule that leaves it out by itself; None if none does.
        same_as: the key of a line of the checklist that says the same and stays instead.
    """

    key: str
    label: SkillLabel
    point: Checkpoint
    left_out: ChecklistOverrule | None = None
    same_as: str = ""

    @property
    def on_it(self) -> bool:
        """Whether it is a line of the checklist."""
        return self.left_out is None and not self.same_as


@dataclass(frozen=True)
class SkillPart:
    """A skill of a checklist with its lines.

    Attributes:
        overrule: the overrule that adds it or leaves it out; None if its label activates it.
        lines: empty where it is left out.
    """

    label: SkillLabel
    overrule: ChecklistOverrule | None
    lines: tuple[Composed, ...]

    @property
    def left_out(self) -> bool:
        return self.overrule is not None and self.overrule.kind == Kind.LEFT_OUT


@dataclass(frozen=True)
class Composition:
    """What a checklist of a task is now.

    Attributes:
        of: how many approved skills the domain has.
        sha256: of the lines.
    """

    skills: tuple[SkillPart, ...]
    of: int
    sha256: str

    @property
    def lines(self) -> tuple[Composed, ...]:
        """The lines of the checklist, in order."""
        return tuple(line for part in self.skills for line in part.lines if line.on_it)

    @property
    def overruled(self) -> tuple[ChecklistOverrule, ...]:
        """The overrules that have an effect here, such as on a skill that is active."""
        whole = [part.overrule for part in self.skills]
        single = [line.left_out for part in self.skills for line in part.lines]
        return tuple(row for row in [*whole, *single] if row is not None)


def lines_sha256(lines: Iterable[tuple[str, str, int]]) -> str:
    """Return the SHA-256 of lines given as (key, text, weight), in order."""
    content = json.dumps([list(line) for line in lines], ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()


def line_key(label: str, checkpoint: str) -> str:
    """Return the key of a line on a checklist; neither part ever changes."""
    return f"{label}:{checkpoint}"


def standing_overrules(checklist: QueryChecklist | None) -> dict[Aim, ChecklistOverrule]:
    """Return what is overruled on a checklist now: the latest row for each aim. One query."""
    if checklist is None:
        return {}
    found: dict[Aim, ChecklistOverrule] = {}
    for row in checklist.overrules.select_related("label", "criterion", "by"):
        found[row.label_id, row.criterion.key if row.criterion else ""] = row
    return {aim: row for aim, row in found.items() if row.kind != Kind.TAKEN_BACK}


def compose(task: Task, overrules: Mapping[Aim, ChecklistOverrule] | None = None) -> Composition:
    """Return the checklist of a task, as it would be now. Five queries at most."""
    return compose_all([task], {task.pk: overrules or {}})[task.pk]


def compose_all(
    tasks: Collection[Task], overrules: Mapping[int, Mapping[Aim, ChecklistOverrule]]
) -> dict[int, Composition]:
    """Return task id -> its checklist, as it would be now. Five queries at most.

    Args:
        overrules: task id -> what is overruled.
    """
    active = activated_by(tasks)
    approved: dict[int, SkillLabel] = {}
    if any(row.kind == Kind.ADDED for rows in overrules.values() for row in rows.values()):
        rows = approved_skills({task.domain_id for task in tasks})
        approved = {label.pk: label for label in rows}
    by_label = {task.pk: {label.pk for label in active[task.pk].labels} for task in tasks}
    wanted = {
        task.pk: _skills_of(active[task.pk], overrules.get(task.pk, {}), approved) for task in tasks
    }
    points: dict[int, list[Checkpoint]] = {}
    skills = {label.skill_id for labels in wanted.values() for label in labels}
    for point in checkpoints_of(sorted(pk for pk in skills if pk is not None)):
        points.setdefault(point.skill, []).append(point)
    return {
        task.pk: Composition(parts, active[task.pk].of, _sha256_of(parts))
        for task in tasks
        for parts in [
            _parts(wanted[task.pk], by_label[task.pk], points, overrules.get(task.pk, {}))
        ]
    }


def _skills_of(
    active: Activation,
    overrules: Mapping[Aim, ChecklistOverrule],
    approved: Mapping[int, SkillLabel],
) -> list[SkillLabel]:
    """Return the labels of the skills that are active or added, those left out included."""
    there = {label.pk: label for label in active.labels}
    for (label, _line), row in overrules.items():
        if row.kind == Kind.ADDED and label in approved:
            there[label] = approved[label]
    return sorted(there.values(), key=lambda label: (label.level, label.position, label.key))


def _parts(
    labels: Iterable[SkillLabel],
    active: Collection[int],
    points: Mapping[int, list[Checkpoint]],
    overrules: Mapping[Aim, ChecklistOverrule],
) -> tuple[SkillPart, ...]:
    """Return the skills with their lines.

    Args:
        active: ids of the labels that stand on the task; adding their skills changes nothing.
    """
    parts = []
    for label in labels:
        whole = overrules.get((label.pk, ""))
        if whole is not None and whole.kind == Kind.ADDED and label.pk in active:
            whole = None
        out = whole is not None and whole.kind == Kind.LEFT_OUT
        lines = tuple(
            Composed(
                key=line_key(label.key, point.key),
                label=label,
                point=point,
                left_out=overrules.get((label.pk, point.key)),
            )
            for point in ([] if out else points.get(label.skill_id or 0, []))
        )
        parts.append(SkillPart(label, whole, lines))
    return tuple(_united(parts))


def _sha256_of(parts: Iterable[SkillPart]) -> str:
    kept = [line for part in parts for line in part.lines if line.on_it]
    return lines_sha256((line.key, line.point.text, line.point.weight) for line in kept)


def _united(parts: list[SkillPart]) -> list[SkillPart]:
    """Return the parts as a union (Eq. 2): what two skills say counts once, with more weight."""
    kept: dict[tuple[str, bool], Composed] = {}
    for line in (line for part in parts for line in part.lines if line.left_out is None):
        says = key_of(line.point.text), line.point.flaw
        if says not in kept or line.point.weight > kept[says].point.weight:
            kept[says] = line

    def with_twin(line: Composed) -> Composed:
        twin = kept.get((key_of(line.point.text), line.point.flaw))
        if line.left_out is not None or twin is None or twin.key == line.key:
            return line
        return Composed(line.key, line.label, line.point, same_as=twin.key)

    return [
        SkillPart(part.label, part.overrule, tuple(with_twin(line) for line in part.lines))
        for part in parts
    ]
