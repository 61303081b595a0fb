"""Real outcomes as JSON lines, in and out.

{"task", "rater", "kind": "outcome", "pool", "number", "what", "chosen": [keys of profiles]}
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from django.db import transaction
from django.utils.translation import gettext as _
from pydantic import AfterValidator, Field

from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Task
from judge.base.json_lines.reading import Line, a_name, quoted, read
from judge.methods.profiles.actions import CLIENT, set_outcome, set_selection
from judge.methods.profiles.models import OUTCOME_KIND, ProfilePool, RealOutcome, Selection

PROFILES = "profiles"


def _kind(kind: str) -> str:
    if kind == OUTCOME_KIND:
        return kind
    raise ValueError(
        _("This must be “%(kind)s”, not %(value)s.") % {"kind": OUTCOME_KIND, "value": quoted(kind)}
    )


class OutcomeLine(Line):
    """A line of the file."""

    task: Annotated[str, a_name(120)]
    rater: Annotated[str, a_name(120)] = CLIENT
    kind: Annotated[str, AfterValidator(_kind)]
    pool: Annotated[str, a_name(60)]
    number: Annotated[int, Field(ge=0, le=1_000_000)]
    what: Annotated[str, a_name(60)] = PROFILES
    chosen: list[str]


@dataclass
class Done:
    """How many outcomes a file brought, and how many were there."""

    added: int = 0
    unchanged: int = 0


@transaction.atomic
def import_outcomes(path: str | Path, *, dry_run: bool = False) -> Done:
    """Import real outcomes with what their tasks demand: all or none.

    Raises:
        FileRefused: the file has faults; each is named with its line and field.
    """
    records, faults = read(path, OutcomeLine)
    done = Done()
    seen: set[tuple[str, str]] = set()
    for record in records:
        line, get = record.line, record.get
        if any(get(name) is None for name in ("task", "pool", "number", "chosen")):
            continue  # it has a fault already
        task = Task.objects.filter(key=get("task")).first()
        pool = ProfilePool.objects.filter(key=get("pool")).first()
        rater = get("rater", CLIENT)
        if task is None:
            faults.add(line, "task", _("There is no task with this key."))
        if pool is None:
            faults.add(line, "pool", _("There is no pool with this key."))
        if (get("task"), rater) in seen:
            faults.add(line, "task", _("This task has an earlier line of the same rater."))
        seen.add((get("task"), rater))
        if task is None or pool is None:
            continue
        before = RealOutcome.objects.count()
        try:
            with transaction.atomic():
                set_selection(
                    actor=None,
                    task=task,
                    pool=pool,
                    number=get("number"),
                    what=get("what", PROFILES),
                )
                set_outcome(
                    actor=None,
                    task=task,
                    chosen=get("chosen"),
                    rater=rater,
                    reason=f"Imported from {Path(path).name}.",
                )
        except BadInput as refusal:
            for name, sentences in (refusal.fields or {"task": [refusal.detail]}).items():
                for sentence in sentences:
                    faults.add(line, name, sentence)
            continue
        new = RealOutcome.objects.count() > before
        done.added, done.unchanged = done.added + new, done.unchanged + (not new)
    faults.refuse()
    if dry_run:
        transaction.set_rollback(True)
    return done


def outcome_lines() -> Iterator[str]:
    """Yield the newest outcome of each task and rater as a line that `import_outcomes` reads."""
    selections = {
        row.task_id: row for row in Selection.objects.select_related("task", "pool").all()
    }
    seen: set[tuple[int, str]] = set()
    rows = RealOutcome.objects.order_by("task_id", "-number").prefetch_related("chosen__profile")
    for row in rows:
        selection = selections.get(row.task_id)
        if selection is None or (row.task_id, row.rater) in seen:
            continue
        seen.add((row.task_id, row.rater))
        line: dict[str, Any] = {
            "task": selection.task.key,
            "rater": row.rater,
            "kind": OUTCOME_KIND,
            "pool": selection.pool.key,
            "number": selection.number,
            "what": selection.what,
            "chosen": [one.profile.key for one in row.chosen.all()],
        }
        yield f"{json.dumps(line, ensure_ascii=False)}\n"
