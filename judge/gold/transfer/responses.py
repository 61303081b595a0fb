"""Import of candidates' responses to stored tasks."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any

from django.db.models import Max
from django.utils.translation import gettext as _
from pydantic import AfterValidator, Field

from curation.base.records.faults import Faults
from curation.base.records.json_lines import (
    Line,
    Record,
    a_name,
    accepted,
    quoted,
    text_problem,
)
from curation.base.records.kind import AT_ONCE, Outcome, RecordKind, in_parts
from curation.tasks.task.models import ANSWERABLE, Task
from judge.asking.candidates import families
from judge.asking.candidates.models import MOST_ANSWERS, Response
from judge.base.queue.locks import Lock, take_lock
from judge.gold.transfer.reply import replaced_text, summary


def _answer(text: str) -> str:
    return accepted(text, text_problem(text, replaceable=True))


class ResponseLine(Line):
    """A line of a file of responses."""

    replaceable = ("text",)
    task: Annotated[str, a_name(120)]
    id: Annotated[str, a_name(200)]
    model: Annotated[str, a_name(200)]
    text: Annotated[str, AfterValidator(_answer)]
    baseline: bool = False
    latency_s: Annotated[float, Field(ge=0, le=2_000_000, allow_inf_nan=False)] = 0
    cost_usd: Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)] = 0


class Responses(RecordKind):
    """Candidates' responses to stored tasks.

    A response is never edited: a known id has to have the same text again. A model may answer a
    task several times, each time with another id.

    Args:
        replace_unstorable: whether U+FFFD replaces NUL and lone surrogates in the texts.
    """

    name = "responses"
    line = ResponseLine
    unique = "id"

    def __init__(self, *, replace_unstorable: bool = False) -> None:
        self.replace = replace_unstorable

    def check(self, records: Sequence[Record], faults: Faults) -> None:
        """Look up tasks; a task has one baseline, and a model so many answers to it."""
        take_lock(Lock.IMPORT)
        self.tasks = known_tasks(records, faults)
        self.known = _known(records)
        self.last = _last_samples(self.tasks)
        self.replaced = {r.line: r.replaced for r in records if r.replaced}
        _check_baselines(records, self.tasks, self.known, faults)
        _check_samples(records, self.tasks, self.known, self.last, faults)

    def compare(
        self, records: Sequence[Record], faults: Faults
    ) -> tuple[Collection[int], Collection[int]]:
        """Return the lines that are stored; a difference is a fault."""
        _compare(records, self.known, faults)
        return {r.line for r in records if r.get("id") in self.known}, ()

    def store(self, new: Sequence[Record], changed: Sequence[Record], faults: Faults) -> None:
        """Store the new responses."""
        if not self.dry_run:
            _store(new, self.tasks, self.last)

    def summary(self, done: Outcome) -> str:
        """Return what was stored, and which characters were replaced."""
        said = summary("responses", done.added, done.unchanged)
        return f"{said}\n{replaced_text(self.replaced)}" if self.replaced else said


def known_tasks(records: Sequence[Record], faults: Faults) -> dict[str, int]:
    """Return key -> id of the tasks that the records name; add a fault for each unknown one."""
    keys = list({r.values["task"] for r in records if "task" in r.values})
    found: dict[str, int] = {}
    for part in in_parts(keys):
        rows = Task.objects.filter(key__in=part, origin__in=ANSWERABLE)
        found.update(rows.values_list("key", "pk"))
    for record in records:
        key = record.get("task")
        if key is not None and key not in found:
            faults.add(
                record.line,
                "task",
                _("There is no task %(id)s here. Import the tasks first.") % {"id": quoted(key)},
            )
    return found


def _known(records: Sequence[Record]) -> dict[str, Response]:
    keys = [r.values["id"] for r in records if "id" in r.values]
    found: dict[str, Response] = {}
    for part in in_parts(keys):
        rows = Response.objects.select_related("candidate", "task").only(
            "key", "text", "baseline", "latency_ms", "cost_micro", "task__key", "candidate__name"
        )
        found.update({r.key: r for r in rows.filter(key__in=part)})
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
    in_file = {"latency_ms": ("latency_s", 1_000), "cost_micro": ("cost_usd", 1_000_000)}
    for record in records:
        stored = known.get(record.get("id", ""))
        if stored is None or not {"task", "model", "text"} <= record.values.keys():
            continue
        pairs = {"task": (stored.task.key, record.values["task"])}
        pairs["model"] = (stored.candidate.name, record.values["model"])
        pairs |= {k: (getattr(stored, k), v) for k, v in _values(record).items()}
        for name, (old, new) in pairs.items():
            if old != new:
                field, unit = in_file.get(name, (name, 1))
                faults.add(
                    record.line,
                    field,
                    _(
                        "It differs from the response stored under this id (%(old)s there, "
                        "%(new)s here). Another response needs another id."
                    )
                    % {"old": quoted(_in_unit(old, unit)), "new": quoted(_in_unit(new, unit))},
                    differs=True,
                )


def _in_unit(value: Any, unit: int) -> Any:
    return value if unit == 1 or value is None else value / unit


def _check_baselines(
    records: Sequence[Record],
    tasks: Mapping[str, int],
    known: Mapping[str, Response],
    faults: Faults,
) -> None:
    """Add a fault for each second baseline of a task, stored or in the file."""
    marked = [r for r in records if r.get("baseline") and "task" in r.values and "id" in r.values]
    holders: dict[int, str] = {}
    ids = list({tasks[r.values["task"]] for r in marked if r.values["task"] in tasks})
    for part in in_parts(ids):
        rows = Response.objects.filter(baseline=True, superseded_at__isnull=True, task__in=part)
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
                _("The task has a baseline already: %(id)s.") % {"id": quoted(holder)},
            )


def _last_samples(tasks: Mapping[str, int]) -> dict[tuple[int, str], int]:
    """Return (task, model) -> number of the model's last answer to the task."""
    last: dict[tuple[int, str], int] = {}
    ids = list(tasks.values())
    for part in in_parts(ids):
        rows = Response.objects.filter(task__in=part).order_by()
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
    """Add a fault where a model has more answers to a task than MOST_ANSWERS."""
    numbers = dict(last)
    for record in records:
        task, model = tasks.get(record.get("task", "")), record.get("model")
        if task is None or model is None or record.get("id") in known:
            continue
        numbers[task, model] = number = numbers.get((task, model), 0) + 1
        if number == MOST_ANSWERS + 1:  # only at the first of them
            faults.add(
                record.line,
                "id",
                _(
                    "A model's answers to one task are numbered up to %(most)s. %(model)s has more "
                    "to %(task)s: give the others another name of the model, or leave them out."
                )
                % {
                    "most": f"{MOST_ANSWERS:,}",
                    "model": quoted(model),
                    "task": quoted(record.values["task"]),
                },
            )


def _store(
    new: Sequence[Record], tasks: Mapping[str, int], last: dict[tuple[int, str], int]
) -> None:
    models = {
        name: families.candidate_named(name)
        for name in dict.fromkeys(r.values["model"] for r in new)
    }
    versions: dict[int, int] = {}
    ids = list({tasks[record.values["task"]] for record in new})
    for part in in_parts(ids):
        rows = Task.objects.filter(pk__in=part)
        versions.update(rows.values_list("pk", "version"))
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
                # A file does not say which text was answered: it counts as that of today.
                text_version=versions[task],
                **_values(record),
            )
        )
    Response.objects.bulk_create(rows_to_add, batch_size=AT_ONCE)
