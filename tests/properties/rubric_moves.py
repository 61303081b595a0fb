"""What the author of a rubric can do with it."""

from collections.abc import Callable
from typing import Any

from rubrics.marks.queries import rubric_marks
from rubrics.versions.models import Criterion, LineChange
from tests.properties.asking import MOVES, WORDS, Ask, Move, line_of, move, pick, task_of
from tests.properties.world import World


def _rubric(route: str, form: Callable[[int, Criterion], dict[str, Any]]) -> Move:
    def do(world: World, a: int, b: int) -> Ask | None:
        task = task_of(world, a)
        line = line_of(task, b) if task.rubric_versions.exists() else None
        if line is None:
            return None
        return Ask(route, (task.pk, line.pk), form(b, line), world.name_of(task.author_id))

    return do


MOVES["edit"] = _rubric(
    "rubric-line", lambda b, line: {"text": f"{WORDS[b % 4]} {b}", "weight": str(1 + b % 12)}
)
MOVES["confirm"] = _rubric("rubric-line", lambda b, line: {"then": "next"})
MOVES["shift"] = _rubric("rubric-line-move", lambda b, line: {"by": str(b % 5 - 2)})
MOVES["split"] = _rubric("rubric-line-split", lambda b, line: {"at": str(b % 30)})
MOVES["merge"] = _rubric("rubric-line-merge", lambda b, line: {})
MOVES["remove"] = _rubric("rubric-line-remove", lambda b, line: {})


@move
def add(world: World, a: int, b: int) -> Ask | None:
    task = task_of(world, a)
    form = {"text": f"{WORDS[b % 4]} {a}.{b}" if b % 4 < 3 else " "}
    return Ask("rubric-line-add", (task.pk,), form, world.name_of(task.author_id))


@move
def undo(world: World, a: int, b: int) -> Ask | None:
    task = task_of(world, a)
    steps = list(LineChange.objects.filter(version__task=task).order_by("-pk"))
    step = pick(steps, b)
    if step is None:
        return None
    return Ask("rubric-line-restore", (task.pk, step.pk), {}, world.name_of(task.author_id))


@move
def bring_back(world: World, a: int, b: int) -> Ask | None:
    task = task_of(world, a)
    drafted = pick(list(Criterion.objects.filter(version__task=task, version__origin="draft")), b)
    form = {"bring_back": drafted.pk if drafted else 0}
    return Ask("rubric-draft", (task.pk,), form, world.name_of(task.author_id))


@move
def send(world: World, a: int, b: int) -> Ask | None:
    task = task_of(world, a)
    form = {"as_drafted": "1"} if b % 3 else {}
    return Ask("rubric-send", (task.pk,), form, world.name_of(task.author_id))


@move
def set_aside(world: World, a: int, b: int) -> Ask | None:
    """Give a reason for a mark of the linter, take one back, or name a mark that is gone."""
    task = task_of(world, a)
    version = task.rubric_versions.filter(frozen_at__isnull=True).first()
    lines = list(version.criteria.order_by("position", "id")) if version else []
    marked = rubric_marks(task, lines)
    found = [
        (line, mark) for line, marks in zip(lines, marked.lines, strict=True) for mark in marks
    ]
    chosen = pick(found, b)
    line = chosen[0] if chosen else pick(lines, b)
    if line is None:
        return None
    token = chosen[1].token if chosen else "0" * 64
    reason = "The memo calls it so." if b % 4 else " "
    form = {"unmark": token} if b % 5 == 4 else {"mark": token, f"because-{token}": reason}
    args = (task.pk, line.pk)
    return Ask("rubric-line-mark", args, form, world.name_of(task.author_id))


@move
def mark_reference(world: World, a: int, b: int) -> Ask | None:
    task = task_of(world, a)
    line = line_of(task, b) if task.rubric_versions.exists() else None
    if line is None:
        return None
    form = {"met": ("1", "0", "")[b % 3], "why": "It names no table." if b % 2 else ""}
    args = (task.pk, line.pk)
    return Ask("rubric-line-reference", args, form, world.name_of(task.author_id))


@move
def reply(world: World, a: int, b: int) -> Ask | None:
    task = task_of(world, a)
    line = line_of(task, b) if task.rubric_versions.exists() else None
    words = f"As the memo says, {a}.{b}."
    form = {"key": line.key if line else "c1", "comment": words}
    who = world.name_of(task.author_id)
    return Ask("rubric-comment", (task.pk,), form, who, says=words)


@move
def withdraw(world: World, a: int, b: int) -> Ask | None:
    task = task_of(world, a)
    form = {"reason": "The figures are confidential."} if b % 4 == 0 else {}
    return Ask("task-withdraw", (task.pk,), form, world.name_of(task.author_id))
