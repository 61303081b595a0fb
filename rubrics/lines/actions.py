"""Actions on one line: validation, editing, confirming, adding, giving a reason."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict, Stale
from curation.tasks.task.models import Task
from rubrics.lines import history
from rubrics.policy.checkpoints import stored_weight
from rubrics.policy.dimensions import (
    MAX_WEIGHT,
    MIN_WEIGHT,
    TASK_DIMENSIONS,
    Dimension,
    Importance,
)
from rubrics.versions.actions import open_working_version
from rubrics.versions.diff import CONTENT, same_content
from rubrics.versions.models import Criterion, LineChange, RubricVersion

LINE_LIMIT = 2000  # characters
REASON_LIMIT = 500
# Computed once: Django rebuilds the list on each access, and imported files are long.
_IMPORTANCES = tuple(Importance.values)
_DIMENSIONS = tuple(one.value for one in TASK_DIMENSIONS)


def line_problems(line: Mapping[str, Any], *, skill: bool = False) -> dict[str, list[str]]:
    """Return why a line cannot be stored: field -> sentences; empty if it can.

    Args:
        skill: whether it is a checkpoint of a skill.
    """
    values = {"text": "", **line}
    found = {name: value_problem(name, values.get(name), skill=skill) for name in CONTENT}
    return {name: [problem] for name, problem in found.items() if problem}


def value_problem(
    name: str, value: Any, *, external: bool = False, skill: bool = False
) -> str | None:
    """Return why a line cannot have this value in a field; None if it can.

    Args:
        external: of a line of another benchmark, for which only the lower weight limit and the
            general text limit hold.
        skill: of a checkpoint of a skill, which may be a critical flaw.
    """
    if name == "text":
        problem = storable.problem_with(value, limit=storable.MAX_TEXT if external else LINE_LIMIT)
        if problem or storable.is_blank(value):
            return problem or _("Write what the line checks.")
    elif name == "importance" and value not in _IMPORTANCES:
        return _("Choose essential, important or optional.")
    elif name == "weight" and (not isinstance(value, int) or isinstance(value, bool)):
        return _("The weight must be a whole number from 1 to 10.")
    elif name == "weight" and (value < MIN_WEIGHT or (value > MAX_WEIGHT and not external)):
        return _("Weights run from 1 to 10. Ten is the heaviest.")
    elif name == "dimension" and skill and value == Dimension.CRITICAL_FLAW:
        return None
    elif name == "dimension" and value not in _DIMENSIONS:
        return _("Choose one of the 16 dimensions.")
    return None


def check_line(line: Mapping[str, Any], *, skill: bool = False) -> None:
    """Refuse a line that cannot be stored.

    Args:
        skill: whether it is a checkpoint of a skill.

    Raises:
        BadInput: with every problem.
    """
    problems = line_problems(line, skill=skill)
    if problems:
        raise BadInput(fields=problems)


def with_its_weight(task: Task, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a line; the weight of a skill's checkpoint follows from the others."""
    found = dict(values)
    if task.is_skill:
        found["weight"] = stored_weight(found["importance"], found["dimension"])
    return found


def line_token(line: Criterion) -> str:
    """Return the state of a line for optimistic locking: `digest:importance:weight:dimension`.

    A page sends it back with a change; it shows which fields were changed on the page and whether
    the text was changed elsewhere in the meantime.
    """
    return f"{_digest(line.text)}:{line.importance}:{line.weight}:{line.dimension}"


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:16]


def locked_line(
    version: RubricVersion, criterion: Criterion, *, words: str | None = None
) -> Criterion:
    """Return the current line, locked until the transaction ends.

    Args:
        words: the text the step is meant for; None to accept any.

    Raises:
        Conflict: `line_gone` if it was removed or its version is closed; `changed_since` if its
            text differs from `words`.
    """
    line = (
        Criterion.objects.select_for_update(of=("self",))
        .select_related("source")
        .filter(pk=criterion.pk, version=version)
        .first()
    )
    if line is None:
        raise Conflict(
            _("This line is no longer part of the open version. Load the page again."),
            code="line_gone",
        )
    if words is not None and line.text != words:
        raise Conflict(
            _(
                "This line was changed after this page was loaded, so the step was not taken. "
                "Nothing is lost: look at the line as it is now."
            ),
            code="changed_since",
        )
    return line


def _values(**fields: Any) -> dict[str, Any]:
    unknown = fields.keys() - set(CONTENT)
    if unknown:
        raise BadInput(fields={name: [_("A line has no such field.")] for name in unknown})
    return fields


@action("rubric.refine", about="task")
@transaction.atomic
def edit_line(
    *,
    actor: Any,
    task: Task,
    criterion: Criterion,
    revision: int | None = None,
    text_before: str | None = None,
    seen: str | None = None,
    kind: str = LineChange.Kind.EDITED,
    **fields: Any,
) -> Criterion:
    """Change a line of the working version.

    A text that was changed elsewhere meanwhile is never overwritten unseen. What the page showed
    may be given in one of three ways; without any of them the change is made.

    Args:
        revision: the version's revision when the page was loaded.
        text_before: the line's text when the page was loaded.
        seen: its `line_token` when the page was loaded; fields equal to it stay as they are now.
        kind: the kind of the recorded step.
        fields: any of text, importance, weight, dimension.

    Raises:
        Stale: with both texts, if the line's text was changed elsewhere in the meantime.
        BadInput, Conflict.
    """
    version = open_working_version(task)
    line = locked_line(version, criterion)
    wanted = _values(**fields)
    values = {name: wanted.get(name, getattr(line, name)) for name in CONTENT}
    check_line(values, skill=task.is_skill)
    values["text"] = storable.clean(values["text"])
    _drop_untouched(version, line, values, wanted, revision, text_before, seen)
    values = with_its_weight(task, values)
    if all(getattr(line, name) == value for name, value in values.items()):
        return line
    before = history.snapshot(line)
    for name, value in values.items():
        setattr(line, name, value)
    line.provenance = provenance(line)
    line.save(update_fields=[*CONTENT, "provenance"])
    history.record(
        version,
        actor=actor,
        kind=kind,
        key=line.key,
        before=[before],
        after=[history.snapshot(line)],
    )
    return line


@action("rubric.refine", about="task")
@transaction.atomic
def confirm_line(*, actor: Any, task: Task, criterion: Criterion) -> None:
    """Record that the author read a drafted line and keeps it. Repeating it changes nothing."""
    version = open_working_version(task)
    line = locked_line(version, criterion)
    if history.unread(version, [line]):
        history.record(version, actor=actor, kind=LineChange.Kind.CONFIRMED, key=line.key)


def _drop_untouched(
    version: RubricVersion,
    line: Criterion,
    values: dict[str, Any],
    wanted: Mapping[str, Any],
    revision: int | None,
    text_before: str | None,
    seen: str | None,
) -> None:
    """Reset the `values` the page did not change; refuse a text that was changed elsewhere.

    Raises:
        Stale: the text was changed on the page and elsewhere.
    """
    typed, overtaken = "text" in wanted, False
    if seen is not None:
        digest, *others = seen.split(":")
        typed = typed and _digest(values["text"]) != digest
        overtaken = _digest(line.text) != digest
        for name, was in zip(CONTENT[1:], others, strict=False):
            if str(values[name]) == was:
                values[name] = getattr(line, name)
    elif text_before is not None:
        typed = typed and values["text"] != storable.clean(text_before)
        overtaken = storable.clean(text_before) != line.text
    elif revision is not None:
        overtaken = version.changes.filter(key=line.key, revision__gt=revision).exists()
    if not typed:
        values["text"] = line.text
    elif overtaken and values["text"] != line.text:
        raise Stale(
            data={
                "yours": {"text": values["text"]},
                "theirs": {"text": line.text},
                "version": line_token(line),
                "revision": version.revision,
                "at": version.saved_at.isoformat(),
            }
        )


def provenance(line: Criterion) -> str:
    """Return the provenance of a line: unchanged from its draft line, edited, or as stored."""
    if line.source is None:
        return line.provenance
    same = same_content(line, line.source)
    return Criterion.Provenance.DRAFT if same else Criterion.Provenance.EDITED


def new_lines(
    task: Task,
    version: RubricVersion,
    values: Sequence[Mapping[str, Any]],
    index: int | None,
) -> list[Criterion]:
    """Create lines written by the expert, starting at an index (from 0; None: at the end)."""
    keys = new_keys(task, len(values))
    return history.insert_lines(
        version,
        [
            {
                "provenance": Criterion.Provenance.ADDED,
                **each,
                "key": key,
                "place": None if index is None else index + n,
            }
            for n, (each, key) in enumerate(zip(values, keys, strict=True))
        ],
    )


def new_key(task: Task) -> str:
    """Return a key that no line of the task ever had, so that a new line has no old thread."""
    return new_keys(task, 1)[0]


def new_keys(task: Task, count: int, taken: Iterable[str] = ()) -> list[str]:
    """Return keys that no line of the task ever had, and that are not taken."""
    keys = set(Criterion.objects.filter(version__task=task).values_list("key", flat=True))
    keys.update(taken)
    kind = LineChange.Kind  # the kinds left out add and remove no line, so they know no other key
    steps = LineChange.objects.filter(version__task=task).exclude(
        kind__in=(kind.EDITED, kind.MOVED, kind.CONFIRMED, kind.REASON)
    )
    for key, before, after in steps.values_list("key", "before", "after"):
        keys.update([key, *(kept["key"] for kept in [*before, *after])])
    fresh: list[str] = []
    number = len(keys)
    while len(fresh) < count:
        number += 1
        if f"c{number}" not in keys:
            fresh.append(f"c{number}")
    return fresh


@action("rubric.refine", about="task")
@transaction.atomic
def give_reason(*, actor: Any, task: Task, key: str, reason: str) -> LineChange:
    """Store why a line differs from the draft, for the reviewers. The newest reason counts.

    Repeating the same reason changes nothing.

    Raises:
        BadInput: it cannot be stored.
    """
    version = open_working_version(task)
    problem = storable.problem_with(reason, limit=REASON_LIMIT)
    if problem:
        raise BadInput(fields={"reason": [problem]})
    said = storable.clean(reason)
    reasons = version.changes.filter(kind=LineChange.Kind.REASON, key=key)
    last = reasons.order_by("-id").first()
    if last is not None and last.reason == said:
        return last
    return history.record(version, actor=actor, kind=LineChange.Kind.REASON, key=key, reason=said)
