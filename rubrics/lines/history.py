"""Lines as values, the record of every step on them, and undo."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import F, Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.web.refusals import Conflict
from rubrics.versions.diff import CONTENT
from rubrics.versions.models import Criterion, LineChange, RubricVersion

Snapshot = dict[str, Any]
KEPT = ("key", *CONTENT, "quote", "provenance", "source_id", "copied_from_id", "external")
STEP = 10  # between positions
# They change no line, so there is nothing to undo.
NO_STEPS = (LineChange.Kind.UNDONE, LineChange.Kind.REASON, LineChange.Kind.CONFIRMED)


def snapshot(line: Criterion, place: int | None = None) -> Snapshot:
    """A line as a value: its content, where it came from, and its place (from 0) if known."""
    return {name: getattr(line, name) for name in KEPT} | {"place": place}


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
    """Count the version's revision up and append the step to its history."""
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
    """The version's lines, in order."""
    return list(version.criteria.order_by("position", "id"))


def place_of(line: Criterion) -> int:
    """A line's place in its version, from 0, without loading the others."""
    before = Q(position__lt=line.position) | Q(position=line.position, pk__lt=line.pk)
    return Criterion.objects.filter(before, version_id=line.version_id).count()


def renumber(lines: list[Criterion]) -> None:
    """Write the order of the list into the positions; untouched rows are not written."""
    moved = []
    for n, line in enumerate(lines, start=1):
        if line.position != n * STEP:
            line.position = n * STEP
            moved.append(line)
    Criterion.objects.bulk_update(moved, ["position"])


def put(version: RubricVersion, kept: Mapping[str, Any], place: int | None) -> Criterion:
    """Create a line from a snapshot at a place (from 0; None: at the end)."""
    return put_all(version, [{**kept, "place": place}])[0]


def put_all(version: RubricVersion, kept: Iterable[Mapping[str, Any]]) -> list[Criterion]:
    """Create lines from snapshots, each at its `place` (from 0; None: at the end)."""
    wanted = list(kept)
    last = version.criteria.aggregate(last=Max("position"))["last"] or 0
    made = Criterion.objects.bulk_create(
        [
            Criterion(
                version=version,
                position=last + n * STEP,
                **{name: one[name] for name in KEPT if name in one},
            )
            for n, one in enumerate(wanted, start=1)
        ]
    )
    places = sorted(
        (
            (one["place"], line.pk)
            for one, line in zip(wanted, made, strict=True)
            if one.get("place") is not None
        )
    )
    if places:
        new = {line.pk: line for line in made}
        moving = {pk for _place, pk in places}
        lines = [line for line in in_order(version) if line.pk not in moving]
        for place, pk in places:
            lines.insert(place, new[pk])  # past the end it stays at the end
        renumber(lines)
    return made


class Step(NamedTuple):
    """A recorded step without its lines, as pages need it. `change` is the row's id."""

    change: int
    version: int
    key: str
    kind: str
    reason: str
    undoes: int | None


def steps_of(task: Any) -> list[Step]:
    """Every step on a task's versions, oldest first, in one query that reads no lines."""
    rows = LineChange.objects.filter(version__task=task).order_by("id")
    return [
        Step(*row)
        for row in rows.values_list("pk", "version_id", "key", "kind", "reason", "undoes_id")
    ]


def newest_to_undo(steps: Sequence[Step], version: RubricVersion) -> Step | None:
    """What `last_change` finds, among steps that were read already."""
    undone = {step.undoes for step in steps}
    return next(
        (
            step
            for step in reversed(steps)
            if step.version == version.pk
            and step.kind not in NO_STEPS
            and step.change not in undone
        ),
        None,
    )


def last_change(version: RubricVersion) -> LineChange | None:
    """The newest step that can still be undone."""
    return (
        version.changes.exclude(kind__in=NO_STEPS)
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
    """The machine's lines that the author has neither changed, moved nor confirmed yet.

    Args:
        sent: whether an earlier version went to review; None to look it up. What was sent once
            was read.
        steps: of the task, where they were read already.
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


def take_back(version: RubricVersion, change: LineChange, actor: Any) -> LineChange:
    """Set the lines of a step back to what they were before it.

    Raises:
        Conflict: `changed_since` if one of them was changed after it; nothing is undone then.
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
        _set_back([(now[key], kept) for key, kept in before.items() if key in now], after)
        put_all(version, [kept for key, kept in before.items() if key not in now])
    if change.kind == LineChange.Kind.IMPORTED:
        _put_in_order(version, {key: before[key]["place"] for key in before.keys() & after.keys()})
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


def _put_in_order(version: RubricVersion, places: Mapping[str, int | None]) -> None:
    """Set lines to the places they had; where none is known, the order was left alone."""
    if all(place is None for place in places.values()):
        return
    kept = in_order(version)
    spare = {line.key: n for n, line in enumerate(kept)}  # removed ones stand where they stood
    renumber(sorted(kept, key=lambda line: (places.get(line.key, spare[line.key]), line.pk)))


def _set_back(pairs: Iterable[tuple[Criterion, Snapshot]], after: Mapping[str, Snapshot]) -> None:
    """Give lines the values they had; a passage only where the step changed it."""
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
