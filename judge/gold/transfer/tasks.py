"""Import of tasks with their rubrics: of another benchmark, or as drafts of an author.

A task of another benchmark does not go through the process: it is APPROVED from the start, with
"imported" in its history, has no author and is never drawn for gold. An own task is created as its
author's draft by the action behind the page; its rubric is stored as a frozen version and opens
for refining when the screening panel has kept the task. A task from business becomes a draft
without an author, which two people de-identify before it is submitted.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.base.records.faults import Advised, Faults
from curation.base.records.json_lines import Format, Record, quoted
from curation.base.records.kind import Outcome, RecordKind, Source, in_parts
from curation.tasks.authoring.actions import create_task
from curation.tasks.business.actions import enter_task
from curation.tasks.task.demands import write_demand
from curation.tasks.task.fields import TEXT_PARTS
from curation.tasks.task.models import Origin, Task, TaskEvent
from judge.base.queue.locks import Lock, take_lock
from judge.gold.transfer import exact_line, rubrics
from judge.gold.transfer.demand_line import check_questions, form_of, read_demand, stored_demands
from judge.gold.transfer.exact_line import Exact
from judge.gold.transfer.reply import summary
from judge.gold.transfer.task_checks import (
    Catalogue,
    check_collected,
    check_line_count,
    check_parts,
    fact_of,
    record_of,
    stored_fact,
)
from judge.gold.transfer.task_files import FileFolder, FoundFile, StoredFiles, stored_marks
from judge.gold.transfer.task_line import COLLECTED, FACTS, TaskLine, Wanted, with_line_feeds
from rubrics.policy.policy import policies_by_domain
from rubrics.versions.actions import import_version


class Tasks(RecordKind):
    """Tasks with their rubrics.

    Args:
        external: whether the tasks are of another benchmark.
        author: the author of own tasks; for `collected`, the member of staff who enters them, if
            known; None if `external`.
        by: the person at work, for the history of tasks of another benchmark and of new versions;
            None if a command imports.
        collected: whether the tasks come from business: drafts without an author, with the
            permission of their owner.
        new_version: whether a task of which only the rubric changed gets a new version.
        files: the folder of the tasks' files; by default the one beside the file.
        form: the format of the file; by default JSON lines.
    """

    name = "tasks"
    line = TaskLine
    unique = "id"

    def __init__(
        self,
        *,
        external: bool,
        author: Any = None,
        by: Any = None,
        collected: bool = False,
        new_version: bool = False,
        files: str | Path | None = None,
        form: Format | None = None,
    ) -> None:
        self.external, self.collected = external, collected
        self.author, self.by, self.new_version = author, by, new_version
        self.folder_of_files = files
        self.form = form or self.form
        self.context = {"external": external, "collected": collected}
        if external:
            self.origin = Origin.EXTERNAL
        else:
            self.origin = Origin.COLLECTED if collected else Origin.OWN

    def read(
        self, source: Source, file: str, progress: Callable[[int], None]
    ) -> tuple[list[Record], Faults]:
        """Read the lines, and the files that they name."""
        records, faults = super().read(source, file, progress)
        self.file = Path(str(source)).name
        folder = FileFolder(str(source), self.folder_of_files, author=self.author)
        self.found = {record.line: folder.check(record, faults) for record in records}
        self.stored = StoredFiles(folder)
        self.leaving.enter_context(self.stored.without_leftovers())
        return records, faults

    def run(self, source: Source, **how: Any) -> Outcome:
        """Import a file; no content of a task's file stays if the import is taken back.

        Raises:
            Denied, Conflict: an own task cannot be created, for a reason outside the file.
        """
        with ExitStack() as self.leaving:
            return super().run(source, **how)

    def check(self, records: Sequence[Record], faults: Faults) -> None:
        """Check each line against domains, rules of rubrics and forms of answers."""
        take_lock(Lock.IMPORT)
        external, collected = self.external, self.collected
        self.catalogue = Catalogue.load()
        rules = policies_by_domain()
        self.wanted: dict[int, Wanted] = {}
        for record in records:
            self.catalogue.check(
                record, faults, external=external, author=self.author, collected=collected
            )
            check_collected(record, faults, collected=collected)
            exact = exact_line.read_exact(record, faults, external=external)
            demand = read_demand(record, faults)
            if not external:
                check_parts(record, faults)
                check_line_count(record, faults, rules)
                check_questions(record, faults)
            if {"id", "domain"} <= record.values.keys():
                files = self.found[record.line]
                self.wanted[record.line] = _wanted(record, external, files, exact, demand)

    def compare(
        self, records: Sequence[Record], faults: Faults
    ) -> tuple[Collection[int], Collection[int]]:
        """Return the lines whose tasks are stored, and those with a new version of the rubric."""
        wanted = list(self.wanted.values())
        self.known = _known(wanted)
        revised = _compare(wanted, self.known, faults, self.origin, self.author, self.new_version)
        return {w.line for w in wanted if w.key in self.known}, {w.line for w in revised}

    def store(self, new: Sequence[Record], changed: Sequence[Record], faults: Faults) -> None:
        """Store new tasks with their files, and new versions of rubrics."""
        wanted = [self.wanted[record.line] for record in new]
        if self.external:
            _store_external(wanted, self.catalogue, self.file, self.by)
        else:
            store = _store_collected if self.collected else _store_own
            for one in wanted:
                store(one, self.catalogue, self.author)
        if not self.dry_run:
            self.stored.add({one.key: one.files for one in wanted if one.files})
        for record in changed:
            one = self.wanted[record.line]
            _store_version(self.known[one.key], one, self.by)

    def made(self) -> Mapping[str, Sequence[str]]:
        """Return the names of new domains and categories."""
        return self.catalogue.made

    def summary(self, done: Outcome) -> str:
        """Return what was stored."""
        return summary("tasks", done.added, done.unchanged, done.changed)


def _wanted(
    record: Record,
    external: bool,
    files: tuple[FoundFile, ...] | None,
    exact: Exact | None,
    demand: dict[str, Any] | None,
) -> Wanted:
    language = record.get("language", "" if external else "en")
    texts = {name: with_line_feeds(record.get(name, "")) for name in TEXT_PARTS}
    rubric = rubrics.stored_form(record.get("rubric", []))
    if exact is not None:
        texts["reference_answer"] = exact_line.words_of(exact)
        if not external:  # it is made from the answer when the panel has kept the task
            rubric = ()
        elif not rubric:
            rubric = exact_line.rubric_of(exact, language)
    return Wanted(
        line=record.line,
        key=record.values["id"],
        domain=record.values["domain"],
        category=record.get("category", ""),
        # For another benchmark an unknown language stays unknown; own tasks default to English.
        language=language,
        labels=record.get("labels", []),
        texts=texts,
        facts={
            name: with_line_feeds(value) if isinstance(value, str) else value
            for name in (*FACTS, *COLLECTED)
            if (value := record.get(name)) not in (None, "")
        },
        rubric=rubric,
        form=form_of(record),
        exact=exact,
        demand=demand,
        files=files,
    )


def _known(wanted: Sequence[Wanted]) -> dict[str, Task]:
    found: dict[str, Task] = {}
    keys = [w.key for w in wanted]
    for part in in_parts(keys):
        rows = Task.objects.select_related("domain", "category", "work_type", "collection").filter(
            key__in=part
        )
        found.update({task.key: task for task in rows})
    return found


def _compare(
    wanted: Iterable[Wanted],
    known: dict[str, Task],
    faults: Faults,
    origin: str,
    author: Any,
    new_version: bool,
) -> list[Wanted]:
    """Add a fault for each difference to the stored tasks; return those that get a new version."""
    changed = [w for w in wanted if w.key in known and known[w.key].content_hash != w.sha256]
    for one in wanted:
        if one.key in known and known[one.key].origin != origin:
            faults.add(
                one.line, "id", _("A task of another kind already has this id. Choose another id.")
            )
        elif one.key in known and origin == Origin.OWN and known[one.key].author_id != author.pk:
            faults.add(
                one.line, "id", _("Another author's task already has this id. Choose another id.")
            )
    stored: dict[int, tuple[dict[str, Any], ...]] = {}
    for part in in_parts(changed):
        stored |= rubrics.imported_lines([known[w.key] for w in part])
    revised = []
    for one in changed:
        task = known[one.key]
        before = len(faults.found)
        for name, sentence in _differences(task, one):
            faults.add(one.line, name, sentence, differs=True)
        lines = stored.get(task.pk, ())
        change = rubrics.difference(lines, one.rubric)
        if not change:
            continue
        if not new_version:
            faults.add(
                one.line,
                "rubric",
                Advised(
                    _("It differs from the stored one (%(change)s).") % {"change": change},
                    _("Use --new-version to add it as a new version."),
                    "--new-version",
                ),
                differs=True,
            )
        elif not one.rubric:
            faults.add(one.line, "rubric", _("A new version of a rubric has at least one line."))
        elif origin != Origin.EXTERNAL and task.stage != Stage.DRAFT:
            faults.add(
                one.line,
                "rubric",
                _(
                    "This task was submitted, so only its author can change its rubric, on the "
                    "task's page."
                ),
            )
        elif len(faults.found) == before:
            revised.append(one)
    return revised


def _differences(task: Task, one: Wanted) -> Iterable[tuple[str, str]]:
    sentence = _("It differs from the stored task: %(old)s there, %(new)s here.")
    pairs: dict[str, tuple[Any, Any]] = {
        "domain": (task.domain.key, Catalogue.key_of(one.domain)),
        "category": (task.category.key if task.category else "", Catalogue.key_of(one.category)),
        "language": (task.language, one.language),
        "labels": (task.labels, one.labels),
        **{name: (getattr(task, name), one.texts[name]) for name in TEXT_PARTS},
        # Facts that the line does not have are the author's to state.
        **{name: (stored_fact(task, name), fact_of(name, v)) for name, v in one.facts.items()},
    }
    pairs["answer_form"] = (task.answer_form, one.form)
    if one.demand is not None:
        pairs["demand"] = (stored_demands([task.pk]).get(task.pk), one.demand)
    if one.exact is not None:
        stored = exact_line.stored_answers([task.pk]).get(task.pk)
        pairs["exact"] = (stored, exact_line.plain(one.exact))
    if one.files is not None:
        pairs["files"] = (stored_marks(task), [file.mark for file in one.files])
    for name, (old, new) in pairs.items():
        if old != new:
            yield name, sentence % {"old": _excerpt(old, new), "new": _excerpt(new, old)}


def _excerpt(value: Any, other: Any) -> str:
    """Quote a value; of a long text, the passage where it begins to differ from the other."""
    if not isinstance(value, str) or not isinstance(other, str) or len(value) <= 40:
        return quoted(value)
    same = next((n for n, (a, b) in enumerate(zip(value, other, strict=False)) if a != b), None)
    start = max(0, (min(len(value), len(other)) if same is None else same) - 12)
    return ("…" if start else "") + quoted(value[start : start + 60])


# --- storing ------------------------------------------------------------------------------------
def _store_external(new: Sequence[Wanted], catalogue: Catalogue, file: str, by: Any) -> None:
    for batch in in_parts(new):
        tasks = Task.objects.bulk_create(
            [
                Task(
                    key=one.key,
                    origin=Origin.EXTERNAL,
                    domain=catalogue.domain(one.domain),
                    category=catalogue.category(one.domain, one.category),
                    language=one.language,
                    labels=one.labels,
                    content_hash=one.sha256,
                    stage=Stage.APPROVED,
                    answer_form=one.form,
                    **one.texts,
                    **catalogue.facts(one.domain, one.facts),
                )
                for one in batch
            ]
        )
        TaskEvent.objects.bulk_create(
            [
                TaskEvent(
                    task=task,
                    actor=by,
                    to_stage=Stage.APPROVED,
                    data={"event": "imported", "file": file},
                )
                for task in tasks
            ]
        )
        for task, one in zip(tasks, batch, strict=True):
            if one.exact is not None:
                exact_line.store(task, one.exact)
            if one.demand is not None:
                write_demand(None, task, one.demand)
        rubrics.write_many(
            [(task, one.rubric) for task, one in zip(tasks, batch, strict=True) if one.rubric]
        )


def _store_own(one: Wanted, catalogue: Catalogue, author: Any) -> None:
    task = create_task(
        actor=author,
        domain=catalogue.domain(one.domain),
        key=one.key,
        bounded=False,
        category=catalogue.category(one.domain, one.category),
        language=one.language,
        answer_form=one.form,
        demand=one.demand,
        **one.draft_texts,
        **{"title": one.title, **catalogue.facts(one.domain, one.facts)},
    )
    _store_rest(task, one, author)


def _store_collected(one: Wanted, catalogue: Catalogue, staff: Any) -> None:
    facts = catalogue.facts(one.domain, one.facts)
    task = enter_task(
        actor=staff,
        domain=catalogue.domain(one.domain),
        record=record_of(one.facts),
        hourly_rate=facts.pop("hourly_rate", None),
        key=one.key,
        category=catalogue.category(one.domain, one.category),
        language=one.language,
        answer_form=one.form,
        demand=one.demand,
        **one.draft_texts,
        **{"title": one.title, **facts},
    )
    _store_rest(task, one, staff)


def _store_rest(task: Task, one: Wanted, actor: Any) -> None:
    """Store what a new task has beside its texts and facts."""
    if one.exact is not None:
        exact_line.store(task, one.exact)
    Task.objects.filter(pk=task.pk).update(labels=one.labels, content_hash=one.sha256)
    if one.rubric:
        import_version(task=task, lines=one.rubric, actor=actor)


def _store_version(task: Task, one: Wanted, by: Any) -> None:
    version = import_version(task=task, lines=one.rubric, actor=task.author)
    Task.objects.filter(pk=task.pk).update(content_hash=one.sha256)
    task.note("rubric_imported", actor=by or task.author, version=version.number)
