"""What the judge is shown, loaded from the database as plain facts.

Nothing here reads an expert's opinion of a candidate: the only sheet loaded is that of the
exemplar, which scores the baseline.
"""

import hashlib
import itertools
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.conf import settings

from curation.tasks.task.models import Task
from curation.tasks.task.text_basis import Basis
from judge.asking.prompts import PromptFile, builder
from judge.asking.prompts.task_text import task_texts
from judge.asking.providers import inputs
from judge.asking.providers.base import Prompt
from judge.methods.base import registry
from judge.methods.base.material import Material
from judge.methods.base.method import Method
from judge.methods.evidence.search.interface import Search
from judge.methods.evidence.sources import source_of
from judge.methods.variants.queries import template_of
from judge.runs.engine.models import JudgeRun, RunItem
from judge.runs.engine.roles import models_of
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion, RubricVersion


def load(item: RunItem) -> Material:
    """Load the material of an item's task, version and exemplar, for its run."""
    name, run = _name(item), item.run
    method, search = registry.get(run.method), source_of(run.search)
    return _load([name], method, template_of(run.variant), search)[name]


class MaterialCache:
    """An LRU cache of one run's materials that loads many at once; for one thread."""

    def __init__(self, run: JudgeRun, size: int = 128) -> None:
        self._method = registry.get(run.method)
        self._template = template_of(run.variant)
        self._search = source_of(run.search)
        self._size = size
        self._kept: dict[_Name, Material] = {}

    def load_for(self, items: Iterable[RunItem]) -> Iterator[tuple[RunItem, Material]]:
        """Yield each item with its material. Seven queries at most for up to 64 items, those of the
        method's own facts, and two for a method that reads reference answers.
        """
        remaining = iter(items)
        while part := list(itertools.islice(remaining, 64)):
            names = list(dict.fromkeys(_name(item) for item in part))
            since = self._answers_since({task for task, *_others in names})
            found = {
                name: self._kept[name]
                for name in names
                if name in self._kept and _is_current(self._kept[name], since, name[0])
            }
            lacking = [name for name in names if name not in found]
            found |= _load(lacking, self._method, self._template, self._search)
            for name in names:
                self._kept.pop(name, None)  # move what was used last to the end
            self._kept |= found
            for name in list(self._kept)[: -self._size]:
                del self._kept[name]
            for item in part:
                yield item, found[_name(item)]

    def _answers_since(self, tasks: Collection[int]) -> dict[int, int]:
        """Return since which version of the text the reference answers of tasks hold."""
        if Basis.ANSWER not in self._method.reads or not self._kept:
            return {}
        return dict(Task.objects.filter(pk__in=tasks).values_list("pk", "answer_since"))


_Name = tuple[int, int | None, int | None]  # task, version and exemplar


def _name(item: RunItem) -> _Name:
    return item.response.task_id, item.version_id, item.exemplar_id


def _load(
    names: Sequence[_Name], method: Method, template: PromptFile | None, search: Search | None
) -> dict[_Name, Material]:
    if not names:
        return {}
    exemplars = _exemplars({exemplar for *_others, exemplar in names if exemplar is not None})
    versions = RubricVersion.objects.select_related("task__domain").in_bulk(
        {version for _task, version, _exemplar in names if version is not None}
        | {shown.version for shown in exemplars.values() if shown.version is not None}
    )
    tasks = {version.task_id: version.task for version in versions.values()}
    if without := {task for task, _version, _exemplar in names} - tasks.keys():
        tasks |= Task.objects.select_related("domain").in_bulk(without)
    texts = task_texts(tasks.values())
    # Before the answers themselves: one amended in between is taken for the earlier one.
    read = _text_versions({task for task, *_others in names}, method)
    own = method.own_facts({task: version for task, version, _exemplar in names})
    lines: dict[int, list[inputs.Criterion]] = {pk: [] for pk in versions}
    line_pks: dict[int, dict[str, int]] = {pk: {} for pk in versions}
    rows = Criterion.objects.filter(version_id__in=versions).order_by("position", "id")
    for version, pk, key, *facts in rows.values_list(
        *("version_id", "pk", "key", "text", "importance", "weight", "dimension")
    ):
        lines[version].append(inputs.Criterion(key, *facts))
        line_pks[version][key] = pk
    found = {}
    for task, version, sheet in names:
        shown = None if sheet is None else exemplars[sheet]
        exemplar: inputs.Exemplar | inputs.OtherExample | None = shown and shown.exemplar
        if shown is not None and shown.version is not None:
            other = versions[shown.version]
            if other.task_id != task:
                exemplar = inputs.OtherExample(
                    texts[other.task_id], tuple(lines[other.pk]), shown.exemplar
                )
        found[task, version, sheet] = Material(
            task=texts[task],
            lines=tuple(lines[version]) if version is not None else (),
            line_pks=line_pks[version] if version is not None else {},
            version=version,
            version_sha256=versions[version].sha256 if version is not None else "",
            exemplar=exemplar,
            exemplar_mark=shown.mark if shown else "",
            method=method,
            template=template if method.variants else None,
            own=own.get(task),
            answer_version=read.get(task),
            search=search if method.needs_search else None,
        )
    return found


def _text_versions(tasks: Collection[int], method: Method) -> dict[int, int]:
    """Return the versions of the texts of tasks; none for a method that reads no reference answer.

    One query, or none.
    """
    if Basis.ANSWER not in method.reads:
        return {}
    return dict(Task.objects.filter(pk__in=tasks).values_list("pk", "version"))


def _is_current(material: Material, since: Mapping[int, int], task: int) -> bool:
    return material.answer_version is None or material.answer_version >= since.get(task, 0)


class _Shown(NamedTuple):
    """A scored example: its rubric version, text and verdicts, and what its judgments hang on."""

    version: int | None
    exemplar: inputs.Exemplar
    mark: str


def _exemplars(sheets: Collection[int]) -> dict[int, _Shown]:
    if not sheets:
        return {}
    verdicts: dict[int, dict[str, tuple[bool, str]]] = {pk: {} for pk in sheets}
    rows = SheetLine.objects.filter(sheet_id__in=sheets, met__isnull=False)
    for pk, key, met, why in rows.order_by("criterion__position", "criterion_id").values_list(
        "sheet_id", "criterion__key", "met", "rationale"
    ):
        verdicts[pk][key] = (bool(met), why)
    found = {}
    for pk, version, text in Sheet.objects.filter(pk__in=sheets).values_list(
        "pk", "version_id", "response__text"
    ):
        content = json.dumps([text, verdicts[pk]], ensure_ascii=True)
        mark = f"{pk}:{hashlib.sha256(content.encode()).hexdigest()}"
        found[pk] = _Shown(version, inputs.Exemplar(text, verdicts[pk]), mark)
    return found


def first_nonce(run: JudgeRun, response_key: str) -> str:
    """Return the fence code of the first question about a response in this configuration."""
    parts = [run.provider, run.model, run.method, run.calls_mode, response_key]
    return builder.nonce_for(settings.SECRET_KEY, *parts, *_repeat(run))


def _repeat(run: JudgeRun) -> list[str]:
    """Return what sets a repeat apart; empty for the first run, so that old keys stay valid."""
    return [f"repeat {run.repeat}"] if run.repeat else []


def _further(run: JudgeRun) -> list[Any]:
    """Return what sets runs with several models apart; empty for one, so that keys stay valid."""
    if not (run.further_models or run.search):
        return []
    asked = {role: [m.provider, m.model, m.parameters] for role, m in models_of(run).items()}
    return [asked, run.search, run.search_sha256]


def later_nonce(judgment_key: str, round_number: int, ids: tuple[str, ...]) -> str:
    """Return the fence code of a further question: new for each, the same after a resume."""
    return builder.nonce_for(settings.SECRET_KEY, judgment_key, str(round_number), *ids)


def judgment_key(
    run: JudgeRun, material: Material, prompt: Prompt, nonce: str, response_id: int
) -> str:
    """Return the unique key that keeps the same thing from being judged twice.

    It hashes judge, parameters, method, version, exemplar, response, the prompt's bytes without the
    random fence, which changes nothing about the question, the hashes of its pictures, and what
    else the method's outcome hangs on (`Method.marks`).
    """
    before = [
        run.provider,
        run.model,
        run.parameters,
        run.method,
        run.calls_mode,
        material.version_sha256,
        material.version,
        material.exemplar_mark,
        response_id,
    ]
    suffix = prompt.suffix.replace(nonce, "")
    after: list[Any] = [
        suffix,
        *_repeat(run),
        *prompt.picture_marks,
        *material.marks,
        *_further(run),
    ]
    # One JSON list; its longest part is inserted as it was serialised for the siblings.
    start, end = json.dumps(before, sort_keys=True)[:-1], json.dumps(after, sort_keys=True)[1:]
    return hashlib.sha256(f"{start}, {prompt.prefix_json}, {end}".encode()).hexdigest()
