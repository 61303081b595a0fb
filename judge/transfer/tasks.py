"""Tasks with their rubrics: another benchmark's, or drafts for an author of this one.

An external task is in no process here: it stands at APPROVED from the start, with "imported" in
its history, belongs to nobody and is never drawn for gold. An own task is created as its author's
draft by the same action as in the browser; its rubric is kept as a frozen version and opens for
refining when the screening panel has kept the task.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from curation.authoring.actions import create_task
from curation.process.lifecycle import Stage
from curation.tasks.fields import TEXT_PARTS, missing_parts
from curation.tasks.models import Origin, Task, TaskEvent
from curation.text import storable
from judge.transfer import rubrics
from judge.transfer.catalogue import Places
from judge.transfer.reading import (
    LONGEST,
    Faults,
    Field,
    Record,
    a_name,
    a_text,
    names_in_a_list,
    read,
    shown,
    twice,
)
from judge.transfer.storing import whole
from rubrics.policy.policy import RubricPolicy, policies_by_domain
from rubrics.versions.actions import import_version

BATCH = 500  # tasks stored at once; keeps SQLite under its number of variables


@dataclass(frozen=True)
class Outcome:
    """What an import did, in numbers of lines."""

    added: int = 0
    unchanged: int = 0
    revised: int = 0


@dataclass(frozen=True)
class Wanted:
    """A task as the file wants it."""

    line: int
    key: str
    domain: str
    category: str
    language: str
    labels: list[str]
    texts: dict[str, str]
    rubric: tuple[dict[str, Any], ...]

    @property
    def sha256(self) -> str:
        content = [self.domain, self.category, self.language, self.labels, self.texts, self.rubric]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def fields(*, external: bool) -> dict[str, Field]:
    """What a line of tasks may hold."""
    part = a_text(limit=LONGEST if external else storable.MAX_TEXT)
    return {
        "id": Field(a_name(120), required=True),
        "domain": Field(a_name(60), required=True),
        "category": Field(a_name(60)),
        "language": Field(a_name(10)),
        "scenario": Field(part),
        "materials": Field(part),
        "requirements": Field(
            a_text(limit=LONGEST if external else storable.MAX_TEXT, blank=False), required=True
        ),
        "reference_answer": Field(part),
        "labels": Field(names_in_a_list(120)),
        "rubric": Field(rubrics.a_rubric(external=external)),
    }


def import_tasks(
    path: str | Path,
    *,
    external: bool,
    author: Any = None,
    new_version: bool = False,
    dry_run: bool = False,
) -> Outcome:
    """Import a file of tasks, completely or not at all.

    Args:
        external: the tasks are another benchmark's.
        author: whose drafts they become; needed for own tasks, and only for them.
        new_version: a task of which only the rubric changed gets a new version of it.
        dry_run: do everything, then undo it.

    Raises:
        FileRefused: with every fault found.
        Denied, Conflict: an own task could not be created, for a reason no line shows.
        Conflict: other imports stored the same tasks meanwhile, each time it was tried.
    """
    records, faults = read(path, fields(external=external))
    twice(records, "id", faults)

    def look_and_store(faults: Faults) -> Outcome:
        places = Places.load()
        rules = policies_by_domain()
        for record in records:
            places.check(record, faults, external=external, author=author)
            if not external:
                _check_parts(record, faults)
                _check_number(record, faults, rules)
        wanted = [_wanted(r, external) for r in records if {"id", "domain"} <= r.values.keys()]
        known = _known(wanted)
        revised = _compare(wanted, known, faults, external, author, new_version)
        faults.refuse()
        new = [w for w in wanted if w.key not in known]
        if external:
            _store_external(new, places, Path(path).name)
        else:
            for one in new:
                _store_own(one, places, author)
        for one in revised:
            _store_version(known[one.key], one)
        if dry_run:
            transaction.set_rollback(True)
        return Outcome(len(new), len(wanted) - len(new) - len(revised), len(revised))

    return whole(faults, look_and_store)


def _check_parts(record: Record, faults: Faults) -> None:
    """The parts the browser asks for when a task is submitted."""
    parts = {name: record.get(name, "") for name in TEXT_PARTS}
    refused = {f.field for f in faults.found if f.line == record.line}
    for name, sentences in missing_parts(Task(title="-", **parts)).items():
        if name not in refused:
            faults.add(record.line, name, sentences[0])


def _check_number(record: Record, faults: Faults, rules: Mapping[str, RubricPolicy]) -> None:
    """The limits of the domain, on a rubric whose lines can be read."""
    rubric = record.get("rubric")
    if not rubric:
        return
    policy = rules.get(record.get("domain", "")) or rules[""]
    problem = rubrics.wrong_number(len(rubric), policy)
    if problem:
        faults.add(record.line, "rubric", problem)


def _wanted(record: Record, external: bool) -> Wanted:
    return Wanted(
        line=record.line,
        key=record.values["id"],
        domain=record.values["domain"],
        category=record.get("category", ""),
        # Unknown stays unknown for another benchmark; ours is written in English by default.
        language=record.get("language", "" if external else "en"),
        labels=record.get("labels", []),
        texts={
            name: record.get(name, "").replace("\r\n", "\n").replace("\r", "\n")
            for name in TEXT_PARTS
        },
        rubric=rubrics.stored_form(record.get("rubric", [])),
    )


def _known(wanted: Sequence[Wanted]) -> dict[str, Task]:
    found: dict[str, Task] = {}
    keys = [w.key for w in wanted]
    for start in range(0, len(keys), BATCH):
        rows = Task.objects.select_related("domain", "category").filter(
            key__in=keys[start : start + BATCH]
        )
        found.update({task.key: task for task in rows})
    return found


def _compare(
    wanted: Iterable[Wanted],
    known: dict[str, Task],
    faults: Faults,
    external: bool,
    author: Any,
    new_version: bool,
) -> list[Wanted]:
    """Note every difference to what is stored; returns the tasks that get a new version."""
    changed = [w for w in wanted if w.key in known and known[w.key].content_hash != w.sha256]
    for one in wanted:
        if one.key in known and known[one.key].external != external:
            faults.add(
                one.line, "id", _("A task of another kind has this id here. Choose another.")
            )
        elif one.key in known and not external and known[one.key].author_id != author.pk:
            faults.add(one.line, "id", _("This is another author's task here. Choose another id."))
    stored: dict[int, tuple[dict[str, Any], ...]] = {}
    for start in range(0, len(changed), BATCH):
        stored |= rubrics.imported_lines([known[w.key] for w in changed[start : start + BATCH]])
    revised = []
    for one in changed:
        task = known[one.key]
        before = len(faults.found)
        for name, sentence in _differences(task, one):
            faults.add(one.line, name, sentence)
        lines = stored.get(task.pk, ())
        change = rubrics.difference(lines, one.rubric)
        if not change:
            continue
        if not new_version:
            faults.add(
                one.line,
                "rubric",
                _("It differs from the one stored (%(change)s). --new-version adds it beside.")
                % {"change": change},
            )
        elif not one.rubric:
            faults.add(one.line, "rubric", _("A new version of a rubric has at least one line."))
        elif not external and task.stage != Stage.DRAFT:
            faults.add(
                one.line,
                "rubric",
                _("This task was submitted: its rubric is changed by its author, on its page."),
            )
        elif len(faults.found) == before:
            revised.append(one)
    return revised


def _differences(task: Task, one: Wanted) -> Iterable[tuple[str, str]]:
    sentence = _("It differs from the task stored: %(old)s there, %(new)s here.")
    pairs: dict[str, tuple[Any, Any]] = {
        "domain": (task.domain.key, Places.key_of(one.domain)),
        "category": (task.category.key if task.category else "", Places.key_of(one.category)),
        "language": (task.language, one.language),
        "labels": (task.labels, one.labels),
        **{name: (getattr(task, name), one.texts[name]) for name in TEXT_PARTS},
    }
    for name, (old, new) in pairs.items():
        if old != new:
            yield name, sentence % {"old": _around(old, new), "new": _around(new, old)}


def _around(value: Any, other: Any) -> str:
    """The value, or the place in a long text where it begins to differ from the other."""
    if not isinstance(value, str) or not isinstance(other, str) or len(value) <= 40:
        return shown(value)
    same = next((n for n, (a, b) in enumerate(zip(value, other, strict=False)) if a != b), None)
    start = max(0, (min(len(value), len(other)) if same is None else same) - 12)
    return ("…" if start else "") + shown(value[start : start + 60])


# --- storing ------------------------------------------------------------------------------------
def _store_external(new: Sequence[Wanted], places: Places, file: str) -> None:
    for start in range(0, len(new), BATCH):
        batch = new[start : start + BATCH]
        tasks = Task.objects.bulk_create(
            [
                Task(
                    key=one.key,
                    origin=Origin.EXTERNAL,
                    domain=places.domain(one.domain),
                    category=places.category(one.domain, one.category),
                    language=one.language,
                    labels=one.labels,
                    content_hash=one.sha256,
                    stage=Stage.APPROVED,
                    **one.texts,
                )
                for one in batch
            ]
        )
        TaskEvent.objects.bulk_create(
            [
                TaskEvent(
                    task=task, to_stage=Stage.APPROVED, data={"event": "imported", "file": file}
                )
                for task in tasks
            ]
        )
        rubrics.write_many(
            [(task, one.rubric) for task, one in zip(tasks, batch, strict=True) if one.rubric]
        )


def _store_own(one: Wanted, places: Places, author: Any) -> None:
    task = create_task(
        actor=author,
        domain=places.domain(one.domain),
        key=one.key,
        bounded=False,
        title=Truncator(" ".join(one.texts["requirements"].split())).chars(80),
        category=places.category(one.domain, one.category),
        language=one.language,
        **one.texts,
    )
    Task.objects.filter(pk=task.pk).update(labels=one.labels, content_hash=one.sha256)
    if one.rubric:
        import_version(task=task, lines=one.rubric, actor=author)


def _store_version(task: Task, one: Wanted) -> None:
    version = import_version(task=task, lines=one.rubric, actor=task.author)
    Task.objects.filter(pk=task.pk).update(content_hash=one.sha256)
    task.note("rubric_imported", actor=task.author, version=version.number)
