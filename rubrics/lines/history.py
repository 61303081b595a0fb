"""Snapshots of lines, the recorded steps on them with their names, and undo."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import F, Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.web.refusals import Conflict
from rubrics.versions.diff import CONTENT
from rubrics.versions.models import Criterion, LineChange, RubricVersion

Kind = LineChange.Kind
OF_ONE_LINE = {
    Kind.ADDED: gettext_lazy("new line %(n)s"),
    Kind.REMOVED: gettext_lazy("removal of line %(n)s"),
    Kind.MOVED: gettext_lazy("move of line %(n)s"),
    Kind.SPLIT: gettext_lazy("split of line %(n)s"),
    Kind.MERGED: gettext_lazy("merge into line %(n)s"),
    Kind.BROUGHT_BACK: gettext_lazy("return of line %(n)s"),
    Kind.PASSAGE: gettext_lazy("passage of line %(n)s"),
    Kind.SUGGESTED: gettext_lazy("suggestion for line %(n)s"),
}
OF_ONE_FIELD = {
    "text": gettext_lazy("wording of line %(n)s"),
    "importance": gettext_lazy("importance of line %(n)s"),
    "weight": gettext_lazy("weight of line %(n)s"),
    "dimension": gettext_lazy("dimension of line %(n)s"),
}
SEVERAL_FIELDS = gettext_lazy("change of line %(n)s")


def step_name(change: LineChange, lines: Iterable[Criterion]) -> str:
    """Return a step's name with the current number of its line: "weight of line 3"."""
    words = OF_ONE_LINE.get(Kind(change.kind)) or _of_an_edit(change)
    number = _number(change, lines)
    several = len(change.keys) > 1 and change.kind not in (Kind.SPLIT, Kind.MERGED)
    if words is None or number is None or several:
        return change.description
    return str(words) % {"n": number}


def _of_an_edit(change: LineChange) -> object | None:
    if change.kind != Kind.EDITED or len(change.before) != 1 or len(change.after) != 1:
        return None
    before, after = change.before[0], change.after[0]
    changed = [name for name in CONTENT if before[name] != after[name]]
    return OF_ONE_FIELD[changed[0]] if len(changed) == 1 else SEVERAL_FIELDS


def _number(change: LineChange, lines: Iterable[Criterion]) -> int | None:
    """Return the line's number, from 1; the former one if the line was removed."""
    keys = [line.key for line in lines]
    key = change.key or next(iter(change.keys), "")
    if key in keys:
        return keys.index(key) + 1
    indexes = [kept.get("place") for kept in (*change.before, *change.after)]
    return next((index + 1 for index in indexes if index is not None), None)


Snapshot = dict[str, Any]
SNAPSHOT_FIELDS = (
    "key",
    *CONTENT,
    "quote",
    "provenance",
    "source_id",
    "copied_from_id",
    "external",
)
STEP = 10  # between the positions of two lines
# These kinds change no line, so there is nothing to undo.
NOT_UNDOABLE = (LineChange.Kind.UNDONE, LineChange.Kind.REASON, LineChange.Kind.CONFIRMED)


def snapshot(line: Criterion, index: int | None = None) -> Snapshot:
    """Return a line as a JSON value.

    The key `place` holds its index in the version, from 0; None if not known.
    """
    return {name: getattr(line, name) for name in SNAPSHOT_FIELDS} | {"place": index}


def record(
    version: RubricVersion,
    *,
    actor: Any,
    kind: str,
    key: str,
    before: Iterable[Snapshot] = (),
    after: Iterable[Snapshot] = (),
    reason: str = "",
    undoes: LineChange | None = None,
) -> LineChange:
    """Increase the version's revision and append a step to its history."""
    now = timezone.now()
    RubricVersion.objects.filter(pk=version.pk).update(revision=F("revision") + 1, saved_at=now)
    version.refresh_from_db(fields=["revision", "saved_at"])
    return LineChange.objects.create(
        version=version,
        revision=version.revision,
        key=key,
        kind=kind,
        before=list(before),
        after=list(after),
        reason=reason,
        undoes=undoes,
        actor=actor,
        at=now,
    )


def in_order(version: RubricVersion) -> list[Criterion]:
    """Return the version's lines, in order."""
    return list(version.criteria.order_by("position", "id"))


def index_of(line: Criterion) -> int:
    """Return a line's index in its version, from 0. One query."""
    before = Q(position__lt=line.position) | Q(position=line.position, pk__lt=line.pk)
    return Criterion.objects.filter(before, version_id=line.version_id).count()


def renumber(lines: list[Criterion]) -> None:
    """Store the order of the list as positions; unchanged rows are not written."""
    moved = []
    for n, line in enumerate(lines, start=1):
        if line.position != n * STEP:
            line.position = n * STEP
            moved.append(line)
    Criterion.objects.bulk_update(moved, ["position"])


def insert_line(version: RubricVersion, kept: Mapping[str, Any], index: int | None) -> Criterion:
    """Create a line from a snapshot at an index (from 0; None: at the end)."""
    return insert_lines(version, [{**kept, "place": index}])[0]


def insert_lines(version: RubricVersion, kept: Iterable[Mapping[str, Any]]) -> list[Criterion]:
    """Create lines from snapshots, each at its `place` (index from 0; None: at the end)."""
    wanted = list(kept)
    last = version.criteria.aggregate(last=Max("position"))["last"] or 0
    made = Criterion.objects.bulk_create(
        [
            Criterion(
                version=version,
                position=last + n * STEP,
                **{name: one[name] for name in SNAPSHOT_FIELDS if name in one},
            )
            for n, one in enumerate(wanted, start=1)
        ]
    )
    indexes = sorted(
        (
            (one["place"], line.pk)
            for one, line in zip(wanted, made, strict=True)
            if one.get("place") is not None
        )
    )
    if indexes:
        new = {line.pk: line for line in made}
        moving = {pk for _index, pk in indexes}
        lines = [line for line in in_order(version) if line.pk not in moving]
        for index, pk in indexes:
            lines.insert(index, new[pk])
        renumber(lines)
    return made


class Step(NamedTuple):
    """A recorded step without its snapshots. `change` is the row's id."""

    change: int
    version: int
    key: str
    kind: str
    reason: str
    undoes: int | None


def steps_of(task: Any) -> list[Step]:
    """Return every step on a task's versions, oldest first, without snapshots. One query."""
    rows = LineChange.objects.filter(version__task=task).order_by("id")
    return [
        Step(*row)
        for row in rows.values_list("pk", "version_id", "key", "kind", "reason", "undoes_id")
    ]


def newest_undoable(steps: Sequence[Step], version: RubricVersion) -> Step | None:
    """Return what `last_change` finds, from steps that are loaded already."""
    undone = {step.undoes for step in steps}
    return next(
        (
            step
            for step in reversed(steps)
            if step.version == version.pk
            and step.kind not in NOT_UNDOABLE
            and step.change not in undone
        ),
        None,
    )


def last_change(version: RubricVersion) -> LineChange | None:
    """Return the newest step that can still be undone; None if there is none."""
    return (
        version.changes.exclude(kind__in=NOT_UNDOABLE)
        .filter(undone_by__isnull=True)
        .order_by("-id")
        .first()
    )


def unread(
    version: RubricVersion,
    lines: Iterable[Criterion],
    *,
    sent: bool | None = None,
    steps: Sequence[Step] | None = None,
) -> list[Criterion]:
    """Return the drafted lines the author has neither changed, moved nor confirmed.

    Args:
        sent: whether an earlier version went to review, which counts as read; None to look it up.
        steps: the task's steps, if loaded already.
    """
    drafted = [line for line in lines if line.provenance == Criterion.Provenance.DRAFT]
    if drafted and sent is None:
        by_experts = RubricVersion.objects.exclude(origin=RubricVersion.Origin.DRAFT)
        sent = by_experts.filter(task=version.task_id, frozen_at__isnull=False).exists()
    if sent or not drafted:
        return []
    if steps is None:
        changes = version.changes.exclude(kind=LineChange.Kind.REASON)
        touched = set(changes.values_list("key", flat=True))
    else:
        here = (step for step in steps if step.version == version.pk)
        touched = {step.key for step in here if step.kind != LineChange.Kind.REASON}
    return [line for line in drafted if line.key not in touched]


def revert_step(version: RubricVersion, change: LineChange, actor: Any) -> LineChange:
    """Restore the lines of a step to their state before it.

    Raises:
        Conflict: `changed_since`, one of them was changed after it; nothing is undone.
    """
    before = {kept["key"]: kept for kept in change.before}
    after = {kept["key"]: kept for kept in change.after}
    lines = in_order(version)
    now = {line.key: line for line in lines}
    moved = change.kind == LineChange.Kind.MOVED
    for key, kept in after.items():
        line = now.get(key)
        same = line is not None and (moved or all(getattr(line, f) == kept[f] for f in CONTENT))
        if not same:
            raise _changed_since()
    if any(key in now for key in before.keys() - after.keys()):
        raise _changed_since()
    if moved:
        lines = [line for line in lines if line.key not in before]
        for kept in sorted(before.values(), key=lambda kept: kept["place"]):
            lines.insert(kept["place"], now[kept["key"]])
        renumber(lines)
    else:
        Criterion.objects.filter(version=version, key__in=after.keys() - before.keys()).delete()
        _restore_values([(now[key], kept) for key, kept in before.items() if key in now], after)
        insert_lines(version, [kept for key, kept in before.items() if key not in now])
    if change.kind == LineChange.Kind.IMPORTED:
        _restore_order(version, {key: before[key]["place"] for key in before.keys() & after.keys()})
    try:
        with transaction.atomic():
            return record(
                version,
                actor=actor,
                kind=LineChange.Kind.UNDONE,
                key=change.key,
                before=change.after,
                after=change.before,
                undoes=change,
            )
    except IntegrityError:
        raise _changed_since() from None


def _restore_order(version: RubricVersion, indexes: Mapping[str, int | None]) -> None:
    """Move lines back to their former indexes; do nothing where the step recorded none."""
    if all(index is None for index in indexes.values()):
        return
    kept = in_order(version)
    now = {line.key: n for n, line in enumerate(kept)}  # for lines without a recorded index
    renumber(sorted(kept, key=lambda line: (indexes.get(line.key, now[line.key]), line.pk)))


def _restore_values(
    pairs: Iterable[tuple[Criterion, Snapshot]], after: Mapping[str, Snapshot]
) -> None:
    """Restore the lines' values; the passage only where the step changed it."""
    names = (*CONTENT, "provenance", "quote")
    changed = []
    for line, kept in pairs:
        for name in names[:-1]:
            setattr(line, name, kept[name])
        if kept.get("quote", "") != after[line.key].get("quote", ""):
            line.quote = kept.get("quote", "")
        changed.append(line)
    Criterion.objects.bulk_update(changed, names)


def _changed_since() -> Conflict:
    return Conflict(
        _("These lines changed since that step, so it was not undone. Nothing is lost."),
        code="changed_since",
    )
