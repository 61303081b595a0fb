"""Lines as values, the record of every step on them, and undo."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.errors import Conflict
from rubrics.diff import CONTENT
from rubrics.models import Criterion, LineChange, RubricVersion

Snapshot = dict[str, Any]
KEPT = ("key", *CONTENT, "quote", "provenance", "source_id", "external")
STEP = 10  # between positions


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
    lines = in_order(version)
    values = {name: kept[name] for name in KEPT if name in kept}
    line = Criterion.objects.create(version=version, position=(len(lines) + 1) * STEP, **values)
    lines.insert(len(lines) if place is None else min(place, len(lines)), line)
    renumber(lines)
    return line


def last_change(version: RubricVersion) -> LineChange | None:
    """The newest step that can still be undone."""
    return (
        version.changes.exclude(kind__in=[LineChange.Kind.UNDONE, LineChange.Kind.REASON])
        .filter(undone_by__isnull=True)
        .order_by("-id")
        .first()
    )


def take_back(version: RubricVersion, change: LineChange, actor: Any) -> LineChange:
    """Set the lines of a step back to what they were before it.

    Raises:
        Conflict: `changed_since` if one of them was changed after it; nothing is undone then.
    """
    before = {kept["key"]: kept for kept in change.before}
    after = {kept["key"]: kept for kept in change.after}
    now = {line.key: line for line in in_order(version)}
    moved = change.kind == LineChange.Kind.MOVED
    for key, kept in after.items():
        line = now.get(key)
        same = line is not None and (moved or all(getattr(line, f) == kept[f] for f in CONTENT))
        if not same:
            raise _changed_since()
    if any(key in now for key in before.keys() - after.keys()):
        raise _changed_since()
    Criterion.objects.filter(version=version, key__in=after.keys() - before.keys()).delete()
    for key, kept in before.items():
        line = now.get(key)
        if line is None:
            put(version, kept, kept["place"])
        elif moved:
            lines = [other for other in in_order(version) if other.pk != line.pk]
            lines.insert(kept["place"], line)
            renumber(lines)
        else:
            for name in (*CONTENT, "provenance"):
                setattr(line, name, kept[name])
            line.save(update_fields=[*CONTENT, "provenance"])
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


def _changed_since() -> Conflict:
    return Conflict(
        _("These lines changed since that step, so it was not undone. Nothing is lost."),
        code="changed_since",
    )
