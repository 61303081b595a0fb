"""Real outcomes as JSON lines, in and out.

{"task", "rater", "kind": "outcome", "pool", "number", "what", "chosen": [keys of profiles]}
"""

import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from django.db import transaction
from django.utils.translation import gettext as _
from pydantic import AfterValidator, Field

from curation.base.records.faults import Faults
from curation.base.records.json_lines import Line, Record, a_name, quoted
from curation.base.records.kind import Outcome, RecordKind, Source
from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Task
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


class Outcomes(RecordKind):
    """Real outcomes, with what their tasks demand."""

    name = "outcomes"
    line = OutcomeLine

    def read(self, source: Source, file: str, progress: Any) -> tuple[list[Record], Faults]:
        """Read JSON lines; the file's name goes into the history."""
        self.file = Path(file).name
        return super().read(source, file, progress)

    def check(self, records: Sequence[Record], faults: Faults) -> None:
        """Look up tasks and pools."""
        self.of: dict[int, tuple[Task, ProfilePool]] = {}
        seen: set[tuple[str, str]] = set()
        for record in records:
            line, get = record.line, record.get
            if any(get(name) is None for name in ("task", "pool", "number", "chosen")):
                continue  # it has a fault already
            task = Task.objects.filter(key=get("task")).first()
            pool = ProfilePool.objects.filter(key=get("pool")).first()
            if task is None:
                faults.add(line, "task", _("There is no task with this key."))
            if pool is None:
                faults.add(line, "pool", _("There is no pool with this key."))
            if (get("task"), get("rater", CLIENT)) in seen:
                faults.add(line, "task", _("This task has an earlier line of the same rater."))
            seen.add((get("task"), get("rater", CLIENT)))
            if task is not None and pool is not None:
                self.of[line] = task, pool

    def compare(
        self, records: Sequence[Record], faults: Faults
    ) -> tuple[Collection[int], Collection[int]]:
        """Store each outcome by its action, which alone tells what is new and what is wrong."""
        there = set()
        for record in records:
            if record.line not in self.of:
                continue
            before = RealOutcome.objects.count()
            try:
                with transaction.atomic():
                    self._set(record)
            except BadInput as refusal:
                for name, sentences in (refusal.fields or {"task": [refusal.detail]}).items():
                    for sentence in sentences:
                        faults.add(record.line, name, sentence)
            if RealOutcome.objects.count() == before:
                there.add(record.line)
        return there, ()

    def _set(self, record: Record) -> None:
        task, pool = self.of[record.line]
        number, what = record.get("number"), record.get("what", PROFILES)
        set_selection(actor=None, task=task, pool=pool, number=number, what=what)
        set_outcome(
            actor=None,
            task=task,
            chosen=record.get("chosen"),
            rater=record.get("rater", CLIENT),
            reason=f"Imported from {self.file}.",
        )

    def store(self, new: Sequence[Record], changed: Sequence[Record], faults: Faults) -> None:
        """Nothing is left to store."""

    def summary(self, done: Outcome) -> str:
        """Return what was stored; outcomes are added, never changed."""
        return f"{self.name}: {done.added} added, {done.unchanged} unchanged"


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
