"""Line by line: edit, add, split, merge, move, remove, bring back, undo."""

import hashlib
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation import text as texts
from curation.errors import BadInput, Conflict, Stale
from curation.models import Task
from rubrics import history, linter
from rubrics.actions.versions import open_working_version
from rubrics.diff import CONTENT, same_content
from rubrics.dimensions import MAX_WEIGHT, MIN_WEIGHT, Dimension, Importance
from rubrics.history import last_change
from rubrics.models import Criterion, LineChange, RubricVersion

LINE_LIMIT = 2000  # characters
REASON_LIMIT = 500
HEAVIEST_FIRST = (Importance.ESSENTIAL, Importance.IMPORTANT, Importance.OPTIONAL)


def line_problems(line: Mapping[str, Any], *, external: bool = False) -> dict[str, list[str]]:
    """Why a line cannot be stored: field -> sentences; empty if it can."""
    problems: dict[str, list[str]] = {}
    body = line.get("text", "")
    problem = texts.problem_with(body, limit=texts.MAX_TEXT if external else LINE_LIMIT)
    if problem or texts.is_blank(body):
        problems["text"] = [problem or _("Write what the line checks.")]
    if line.get("importance") not in Importance.values:
        problems["importance"] = [_("Choose essential, important or optional.")]
    weight = line.get("weight")
    if not isinstance(weight, int) or isinstance(weight, bool):
        problems["weight"] = [_("The weight is a whole number from 1 to 10.")]
    elif weight < MIN_WEIGHT or (weight > MAX_WEIGHT and not external):
        problems["weight"] = [_("Weights run from 1 to 10. Ten is the heaviest.")]
    if line.get("dimension") not in Dimension.values:
        problems["dimension"] = [_("Choose one of the 16 dimensions.")]
    return problems


def _check_line(line: Mapping[str, Any]) -> None:
    problems = line_problems(line)
    if problems:
        raise BadInput(fields=problems)


def line_token(line: Criterion) -> str:
    """What a page saw of a line when it was read: `digest:importance:weight:dimension`.

    Sent back with a change, it tells which fields were changed here, and whether the text was
    changed elsewhere in the meantime.
    """
    return f"{_digest(line.text)}:{line.importance}:{line.weight}:{line.dimension}"


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:16]


def _current(version: RubricVersion, criterion: Criterion) -> Criterion:
    """The line as it is now, locked.

    Raises:
        Conflict: `line_gone` if it was removed, or belongs to a version that is closed.
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
    return line


def _values(**fields: Any) -> dict[str, Any]:
    unknown = fields.keys() - set(CONTENT)
    if unknown:
        raise BadInput(fields={name: [_("A line has no such field.")] for name in unknown})
    return fields


@transaction.atomic
def edit_line(
    *,
    actor: Any,
    task: Task,
    criterion: Criterion,
    revision: int | None = None,
    text_before: str | None = None,
    seen: str | None = None,
    **fields: Any,
) -> Criterion:
    """Change a line of the working version.

    A text that somebody changed meanwhile is never overwritten unseen. What the page was read
    with may be given in one of three ways; without any of them the change is made.

    Args:
        revision: the version's revision then.
        text_before: the line's text then.
        seen: its `line_token` then; fields that were not changed against it stay as they are.
        fields: any of text, importance, weight, dimension.

    Raises:
        Stale: with both texts, if the line's text was changed elsewhere in the meantime.
        BadInput, Conflict.
    """
    version = open_working_version(task)
    line = _current(version, criterion)
    wanted = _values(**fields)
    values = {name: wanted.get(name, getattr(line, name)) for name in CONTENT}
    _check_line(values)
    values["text"] = texts.clean(values["text"])
    _keep_what_was_not_touched(version, line, values, wanted, revision, text_before, seen)
    if all(getattr(line, name) == value for name, value in values.items()):
        return line
    before = history.snapshot(line)
    for name, value in values.items():
        setattr(line, name, value)
    line.provenance = _provenance(line)
    line.save(update_fields=[*CONTENT, "provenance"])
    history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.EDITED,
        key=line.key,
        before=[before],
        after=[history.snapshot(line)],
    )
    return line


def _keep_what_was_not_touched(
    version: RubricVersion,
    line: Criterion,
    values: dict[str, Any],
    wanted: Mapping[str, Any],
    revision: int | None,
    text_before: str | None,
    seen: str | None,
) -> None:
    """Drop from `values` what the page only sent along; refuse a text that was overtaken."""
    typed, overtaken = "text" in wanted, False
    if seen is not None:
        digest, *others = seen.split(":")
        typed = typed and _digest(values["text"]) != digest
        overtaken = _digest(line.text) != digest
        for name, was in zip(CONTENT[1:], others, strict=False):
            if str(values[name]) == was:
                values[name] = getattr(line, name)
    elif text_before is not None:
        typed = typed and values["text"] != texts.clean(text_before)
        overtaken = texts.clean(text_before) != line.text
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


def _provenance(line: Criterion) -> str:
    if line.source is None:
        return line.provenance
    same = same_content(line, line.source)
    return Criterion.Provenance.DRAFT if same else Criterion.Provenance.EDITED


@transaction.atomic
def add_line(
    *,
    actor: Any,
    task: Task,
    after: Criterion | None = None,
    text: str,
    importance: str = Importance.IMPORTANT,
    weight: int = 5,
    dimension: str = Dimension.ACCURACY,
) -> Criterion:
    """Add a line of the expert's own, at the end or after another line."""
    version = open_working_version(task)
    values = {"text": text, "importance": importance, "weight": weight, "dimension": dimension}
    _check_line(values)
    values["text"] = texts.clean(text)
    place = None
    if after is not None:
        ids = [line.pk for line in history.in_order(version)]
        place = ids.index(after.pk) + 1 if after.pk in ids else None
    line = _new_line(task, version, values, place)
    history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.ADDED,
        key=line.key,
        after=[history.snapshot(line)],
    )
    return line


def _new_line(
    task: Task, version: RubricVersion, values: Mapping[str, Any], place: int | None
) -> Criterion:
    kept = {**values, "key": _new_key(task), "provenance": Criterion.Provenance.ADDED}
    return history.put(version, kept, place)


def _new_key(task: Task) -> str:
    """A key that no line of the task ever had, so that old threads never meet a new line."""
    keys = set(Criterion.objects.filter(version__task=task).values_list("key", flat=True))
    keys.update(
        LineChange.objects.filter(version__task=task).values_list("key", flat=True).distinct()
    )
    number = len(keys) + 1
    while f"c{number}" in keys:
        number += 1
    return f"c{number}"


@transaction.atomic
def split_line(
    *, actor: Any, task: Task, criterion: Criterion, at: int | None = None
) -> tuple[Criterion, Criterion]:
    """Make two lines of one. The first keeps key and thread; both keep weight and dimension.

    Args:
        at: character of the text where the second line begins; None: at the joining word the
            linter finds.

    Raises:
        BadInput: `no_split_point`, if there is nothing to split at.
    """
    version = open_working_version(task)
    line = _current(version, criterion)
    parts = linter.split_at(line.text, at)
    if parts is None:
        raise BadInput(
            _("Choose the word the second line begins with."),
            code="no_split_point",
            fields={"text": [_("Choose the word the second line begins with.")]},
        )
    place = [other.pk for other in history.in_order(version)].index(line.pk)
    before = history.snapshot(line, place)
    line.text = parts[0]
    line.provenance = _provenance(line)
    line.save(update_fields=["text", "provenance"])
    values = {name: getattr(line, name) for name in CONTENT} | {"text": parts[1]}
    second = _new_line(task, version, values, place + 1)
    history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.SPLIT,
        key=line.key,
        before=[before],
        after=[history.snapshot(line, place), history.snapshot(second, place + 1)],
    )
    return line, second


@transaction.atomic
def merge_lines(*, actor: Any, task: Task, criterion: Criterion) -> Criterion:
    """Join a line with the next one. It keeps its key and takes the heavier importance and weight.

    Raises:
        BadInput: `last_line`, or the joined text would be too long.
    """
    version = open_working_version(task)
    line = _current(version, criterion)
    lines = history.in_order(version)
    place = [other.pk for other in lines].index(line.pk)
    if place + 1 == len(lines):
        raise BadInput(_("The last line has no next one to merge with."), code="last_line")
    following = lines[place + 1]
    joined = linter.join(line.text, following.text)
    importance = min((line.importance, following.importance), key=HEAVIEST_FIRST.index)  # type: ignore[arg-type]
    weight = max(line.weight, following.weight)
    _check_line(
        {
            "text": joined,
            "importance": importance,
            "weight": weight,
            "dimension": line.dimension,
        }
    )
    before = [history.snapshot(line, place), history.snapshot(following, place + 1)]
    Criterion.objects.filter(pk=following.pk).delete()
    line.text, line.importance, line.weight = joined, importance, weight
    line.provenance = _provenance(line)
    line.save(update_fields=["text", "importance", "weight", "provenance"])
    history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.MERGED,
        key=line.key,
        before=before,
        after=[history.snapshot(line, place)],
    )
    return line


@transaction.atomic
def move_line(*, actor: Any, task: Task, criterion: Criterion, by: int) -> None:
    """Move a line up (negative) or down by some places; past the ends it stays at the end."""
    version = open_working_version(task)
    line = _current(version, criterion)
    lines = history.in_order(version)
    here = [other.pk for other in lines].index(line.pk)
    line = lines.pop(here)
    there = max(0, min(len(lines), here + by))
    lines.insert(there, line)
    if here == there:
        return
    history.renumber(lines)
    history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.MOVED,
        key=line.key,
        before=[history.snapshot(line, here)],
        after=[history.snapshot(line, there)],
    )


@transaction.atomic
def remove_line(*, actor: Any, task: Task, criterion: Criterion, reason: str = "") -> LineChange:
    """Remove a line from the working version. `undo` brings it back.

    Raises:
        Conflict: `line_gone` if it is no longer there.
    """
    version = open_working_version(task)
    line = _current(version, criterion)
    place = [other.pk for other in history.in_order(version)].index(line.pk)
    kept = history.snapshot(line, place)
    Criterion.objects.filter(pk=line.pk).delete()
    return history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.REMOVED,
        key=kept["key"],
        before=[kept],
        reason=texts.clean(reason),
    )


@transaction.atomic
def bring_back(*, actor: Any, task: Task, drafted: Criterion) -> Criterion:
    """Copy a removed line of the draft into the working version, near its old place.

    Doing it twice changes nothing.

    Raises:
        Conflict: the line is not of this task's draft.
    """
    version = open_working_version(task)
    origin = drafted.version
    if origin.task_id != task.pk or origin.origin != RubricVersion.Origin.DRAFT:
        raise Conflict(_("This line is not part of the draft."), code="line_gone")
    lines = history.in_order(version)
    there = next((line for line in lines if line.source_id == drafted.pk), None)
    if there is not None:
        return there
    earlier = set(
        origin.criteria.filter(position__lt=drafted.position).values_list("pk", flat=True)
    )
    place = max((n for n, line in enumerate(lines, 1) if line.source_id in earlier), default=0)
    kept = history.snapshot(drafted) | {"source_id": drafted.pk}
    if any(line.key == drafted.key for line in lines):  # never so by our own doing
        kept["key"] = _new_key(task)
    line = history.put(version, kept, place)
    history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.BROUGHT_BACK,
        key=line.key,
        after=[history.snapshot(line, place)],
    )
    return line


@transaction.atomic
def undo(*, actor: Any, task: Task, change: LineChange | None = None) -> LineChange:
    """Take a step back: the given one, or the last that was not undone.

    Raises:
        Conflict: there is none, it was undone already, or its lines changed since.
    """
    version = open_working_version(task)
    step = change or last_change(version)
    if step is None or step.version_id != version.pk:
        raise Conflict(_("There is no step to undo in this version."), code="nothing_to_undo")
    if LineChange.objects.filter(undoes=step).exists():
        raise Conflict(_("That step was undone already."), code="nothing_to_undo")
    if step.kind in (LineChange.Kind.UNDONE, LineChange.Kind.REASON):
        raise Conflict(_("That step cannot be undone."), code="nothing_to_undo")
    return history.take_back(version, step, actor)


@transaction.atomic
def give_reason(*, actor: Any, task: Task, key: str, reason: str) -> LineChange:
    """Say why a line differs from the draft. Reviewers read it. The newest one counts.

    Raises:
        BadInput: it cannot be stored.
    """
    version = open_working_version(task)
    problem = texts.problem_with(reason, limit=REASON_LIMIT)
    if problem:
        raise BadInput(fields={"reason": [problem]})
    return history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.REASON,
        key=key,
        reason=texts.clean(reason),
    )
