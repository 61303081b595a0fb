"""Candidates' responses to tasks that are here already."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _

from curation.tasks.models import Task
from judge.candidates import families
from judge.candidates.models import MOST_ANSWERS, Response
from judge.transfer.reading import (
    Faults,
    Field,
    Record,
    a_flag,
    a_name,
    a_number,
    a_text,
    read,
    shown,
    twice,
)
from judge.transfer.storing import whole

BATCH = 500
FIELDS = {
    "task": Field(a_name(120), required=True),
    "id": Field(a_name(200), required=True),
    "model": Field(a_name(200), required=True),
    "text": Field(a_text(), required=True, replaceable=True),
    "baseline": Field(a_flag),
    "latency_s": Field(a_number(low=0, high=2_000_000)),
    "cost_usd": Field(a_number(low=0, high=1_000_000)),
}


@dataclass(frozen=True)
class Outcome:
    """What an import did, in numbers of lines.

    Attributes:
        replaced: line -> characters of its text that could not be stored, and are U+FFFD now.
    """

    added: int
    unchanged: int
    replaced: Mapping[int, int] = field(default_factory=dict)


def import_responses(path: str | Path, *, replace_unstorable: bool = False) -> Outcome:
    """Import a file of responses, completely or not at all.

    A response is never edited: the same id must bring the same text again. The same model may
    answer a task several times, each time under another id.

    Args:
        replace_unstorable: put U+FFFD for NUL and lone surrogates in the texts.

    Raises:
        FileRefused: with every fault found.
        Conflict: other imports stored the same responses meanwhile, each time it was tried.
    """
    records, faults = read(path, FIELDS, replace=replace_unstorable)
    twice(records, "id", faults)

    def look_and_store(faults: Faults) -> Outcome:
        tasks = known_tasks(records, faults)
        known = _known(records)
        _compare(records, known, faults)
        _check_baselines(records, tasks, known, faults)
        last = _last_samples(tasks)
        _check_samples(records, tasks, known, last, faults)
        faults.refuse()
        new = [r for r in records if r.values["id"] not in known]
        _store(new, tasks, last)
        return Outcome(
            added=len(new),
            unchanged=len(records) - len(new),
            replaced={r.line: r.replaced for r in records if r.replaced},
        )

    return whole(faults, look_and_store)


def known_tasks(records: Sequence[Record], faults: Faults) -> dict[str, int]:
    """Key -> id of the tasks the records name; unknown ones are faults."""
    keys = list({r.values["task"] for r in records if "task" in r.values})
    found: dict[str, int] = {}
    for start in range(0, len(keys), BATCH):
        rows = Task.objects.filter(key__in=keys[start : start + BATCH])
        found.update(rows.values_list("key", "pk"))
    for record in records:
        key = record.get("task")
        if key is not None and key not in found:
            faults.add(
                record.line,
                "task",
                _("There is no task %(id)s here. Import the tasks first.") % {"id": shown(key)},
            )
    return found


def _known(records: Sequence[Record]) -> dict[str, Response]:
    keys = [r.values["id"] for r in records if "id" in r.values]
    found: dict[str, Response] = {}
    for start in range(0, len(keys), BATCH):
        rows = Response.objects.select_related("candidate", "task").only(
            "key", "text", "baseline", "latency_ms", "cost_micro", "task__key", "candidate__name"
        )
        found.update({r.key: r for r in rows.filter(key__in=keys[start : start + BATCH])})
    return found


def _values(record: Record) -> dict[str, Any]:
    latency, cost = record.get("latency_s"), record.get("cost_usd")
    return {
        "text": record.values["text"].replace("\r\n", "\n").replace("\r", "\n"),
        "baseline": record.get("baseline", False),
        "latency_ms": None if latency is None else round(latency * 1000),
        "cost_micro": None if cost is None else round(cost * 1_000_000),
    }


def _compare(records: Iterable[Record], known: Mapping[str, Response], faults: Faults) -> None:
    names = {"latency_ms": "latency_s", "cost_micro": "cost_usd"}
    for record in records:
        stored = known.get(record.get("id", ""))
        if stored is None or not {"task", "model", "text"} <= record.values.keys():
            continue
        pairs = {"task": (stored.task.key, record.values["task"])}
        pairs["model"] = (stored.candidate.name, record.values["model"])
        pairs |= {k: (getattr(stored, k), v) for k, v in _values(record).items()}
        for name, (old, new) in pairs.items():
            if old != new:
                faults.add(
                    record.line,
                    names.get(name, name),
                    _(
                        "It differs from the response stored under this id (%(old)s there, "
                        "%(new)s here). Another response needs another id."
                    )
                    % {"old": shown(old), "new": shown(new)},
                )


def _check_baselines(
    records: Sequence[Record],
    tasks: Mapping[str, int],
    known: Mapping[str, Response],
    faults: Faults,
) -> None:
    """A task has one baseline, here or in the file."""
    marked = [r for r in records if r.get("baseline") and "task" in r.values and "id" in r.values]
    holders: dict[int, str] = {}
    ids = list({tasks[r.values["task"]] for r in marked if r.values["task"] in tasks})
    for start in range(0, len(ids), BATCH):
        rows = Response.objects.filter(
            baseline=True, superseded_at__isnull=True, task__in=ids[start : start + BATCH]
        )
        holders.update(rows.values_list("task_id", "key"))
    for record in marked:
        task = tasks.get(record.values["task"])
        if task is None:
            continue
        holder = holders.setdefault(task, record.values["id"])
        if holder != record.values["id"] and record.values["id"] not in known:
            faults.add(
                record.line,
                "baseline",
                _("The task has a baseline already: %(id)s.") % {"id": shown(holder)},
            )


def _last_samples(tasks: Mapping[str, int]) -> dict[tuple[int, str], int]:
    """The number of the last answer of each model to each of these tasks."""
    last: dict[tuple[int, str], int] = {}
    ids = list(tasks.values())
    for start in range(0, len(ids), BATCH):
        rows = Response.objects.filter(task__in=ids[start : start + BATCH]).order_by()
        for task, model, sample in rows.values_list("task_id", "candidate__name").annotate(
            Max("sample")
        ):
            last[task, model] = sample
    return last


def _check_samples(
    records: Iterable[Record],
    tasks: Mapping[str, int],
    known: Mapping[str, Response],
    last: Mapping[tuple[int, str], int],
    faults: Faults,
) -> None:
    """The answers of a model to a task are numbered, and the numbers have an end."""
    numbers = dict(last)
    for record in records:
        task, model = tasks.get(record.get("task", "")), record.get("model")
        if task is None or model is None or record.get("id") in known:
            continue
        numbers[task, model] = number = numbers.get((task, model), 0) + 1
        if number == MOST_ANSWERS + 1:  # said once, at the first that does not fit
            faults.add(
                record.line,
                "id",
                _(
                    "A model's answers to one task are numbered up to %(most)s. %(model)s has more "
                    "to %(task)s: give the others another name of the model, or leave them out."
                )
                % {
                    "most": f"{MOST_ANSWERS:,}",
                    "model": shown(model),
                    "task": shown(record.values["task"]),
                },
            )


def _store(
    new: Sequence[Record], tasks: Mapping[str, int], last: dict[tuple[int, str], int]
) -> None:
    models = {name: families.named(name) for name in dict.fromkeys(r.values["model"] for r in new)}
    rows_to_add = []
    for record in new:
        task, model = tasks[record.values["task"]], record.values["model"]
        sample = last[task, model] = last.get((task, model), 0) + 1
        rows_to_add.append(
            Response(
                key=record.values["id"],
                task_id=task,
                candidate=models[model],
                sample=sample,
                source=Response.Source.IMPORTED,
                **_values(record),
            )
        )
    Response.objects.bulk_create(rows_to_add, batch_size=BATCH)
