"""Drafts, versions and steps on lines as entries of a task's trail."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.process.events import ActKind
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import STAFF, Role
from curation.base.text.wording import clauses
from curation.telling.activity.trail import MACHINE, Reader, TrailEntry
from rubrics.policy.dimensions import Dimension, Importance
from rubrics.versions.models import LineChange, RubricVersion

SNIPPET = 160  # characters shown of a text


def versions_trail(task: Any, reader: Reader) -> Iterator[TrailEntry]:
    """Yield the entries of a rubric's versions and lines. Two queries.

    The author and staff see all steps, because they are the author's own.
    """
    yield from _versions(task, reader)
    for change in (
        LineChange.objects.filter(version__task=task)
        .select_related("version")
        .only("kind", "key", "before", "after", "reason", "actor", "at", "version__number")
        .order_by("at", "id")
    ):
        yield _step(change, task)


def writer_of(person: int | None, task: Any) -> Role:
    """Return the role of somebody who worked on the rubric."""
    return Role.AUTHOR if person == task.author_id else Role.RUBRIC_AUTHOR


def _senders(task: Any) -> dict[Any, int | None]:
    """Return number of a version -> who sent it to review. One query."""
    sent = task.history.filter(to_stage=Stage.IN_REVIEW).values_list("data", "actor_id")
    return {data.get("version"): actor for data, actor in sent}


def _versions(task: Any, reader: Reader) -> Iterator[TrailEntry]:
    senders = _senders(task) if task.rubric_author_id else {}
    rows = task.rubric_versions.order_by("number").values(
        "pk", "number", "origin", "drafted_by", "created_at", "created_by", "frozen_at", "sha256"
    )
    for row in rows:
        number = row["number"]
        if row["origin"] == RubricVersion.Origin.DRAFT:
            yield TrailEntry(
                at=row["created_at"],
                source="draft",
                pk=row["pk"],
                kind=ActKind.VERSION,
                role=MACHINE,
                head=_("Version %(n)s: a draft, kept as it was written.") % {"n": number},
                text=row["drafted_by"] if reader.names else "",
                version=number,
                icon="diamond",
                tone="machine",
            )
        elif row["frozen_at"] is not None:
            imported = row["origin"] == RubricVersion.Origin.IMPORT
            made = row["origin"] == RubricVersion.Origin.ANSWER
            sender = senders.get(number, task.author_id)
            yield TrailEntry(
                at=row["frozen_at"],
                source="version",
                pk=row["pk"],
                kind=ActKind.VERSION,
                role=MACHINE if made else STAFF if imported else writer_of(sender, task),
                person=None if made else row["created_by"] if imported else sender,
                head=_("Version %(n)s was closed.") % {"n": number},
                text=_("SHA-256 %(sha)s …") % {"sha": row["sha256"][:12]},
                version=number,
                icon="lock",
            )


def _step(change: LineChange, task: Any) -> TrailEntry:
    decided = change.kind == LineChange.Kind.DECIDED
    writer = Role.DECIDER if decided else writer_of(change.actor_id, task)
    return TrailEntry(
        at=change.at,
        source="line",
        pk=change.pk,
        kind=ActKind.LINE,
        role=MACHINE if change.actor_id is None else writer,
        person=change.actor_id,
        head=change.description,
        text=clauses(_differences(change)),
        quote=change.reason,
        version=change.version.number,
        line=change.key or next(iter(change.keys), ""),
        words=_words(change),
    )


def _words(change: LineChange) -> str:
    """Return the text the step is about: of its first line before, else after it."""
    kept = next(iter([*change.before, *change.after]), None)
    return _short(kept["text"]) if kept else ""


def _differences(change: LineChange) -> Iterator[str]:
    """Yield what a step changed on one line, or the new texts or number of several lines."""
    if len(change.before) != 1 or len(change.after) != 1:
        if change.after and change.kind in (LineChange.Kind.SPLIT, LineChange.Kind.MERGED):
            yield " | ".join(_short(kept["text"]) for kept in change.after)
        elif len(change.keys) > 1:
            n = len(change.keys)
            yield ngettext("%(n)s line", "%(n)s lines", n) % {"n": n}
        return
    old, new = change.before[0], change.after[0]
    if old["text"] != new["text"]:
        yield _("now “%(text)s”") % {"text": _short(new["text"])}
    labels: tuple[tuple[str, str, Mapping[str, Any]], ...] = (
        ("importance", _("importance %(old)s → %(new)s"), dict(Importance.choices)),
        ("weight", _("weight %(old)s → %(new)s"), {}),
        ("dimension", _("dimension %(old)s → %(new)s"), dict(Dimension.choices)),
    )
    for name, told, names in labels:
        if old.get(name) != new.get(name):
            yield told % {
                "old": names.get(old.get(name), old.get(name)),
                "new": names.get(new.get(name), new.get(name)),
            }
    if change.kind == LineChange.Kind.MOVED and None not in (old.get("place"), new.get("place")):
        yield _("place %(old)s → %(new)s") % {"old": old["place"] + 1, "new": new["place"] + 1}


def _short(text: str) -> str:
    return text if len(text) <= SNIPPET else text[: SNIPPET - 1].rstrip() + "…"
