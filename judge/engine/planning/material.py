"""What the judge is shown, loaded from the database as plain facts.

Nothing here reads an expert's opinion of a candidate: the only sheet loaded is that of the
exemplar, which scores the baseline.
"""

import hashlib
import itertools
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.conf import settings

from judge.engine.models import JudgeRun, RunItem
from judge.prompts import PromptFile, builder
from judge.prompts.task_text import task_texts
from judge.providers import inputs
from judge.providers.base import Prompt
from judge.sheets.models import Sheet, SheetLine
from judge.variants.queries import template_of
from rubrics.policy import weights
from rubrics.versions.models import Criterion, RubricVersion


@dataclass(frozen=True)
class Material:
    """The part of the prompt that is the same for all responses to one task."""

    task: inputs.TaskText
    lines: tuple[inputs.Criterion, ...]
    line_pks: dict[str, int]  # criterion key -> primary key
    version: int
    version_sha256: str
    exemplar: inputs.Exemplar | inputs.OtherExample | None
    exemplar_mark: str  # sheet id and hash of its content
    template: PromptFile | None = None  # the text of the prompt; None for the built-in one

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The keys of all lines, in rubric order."""
        return tuple(line.id for line in self.lines)

    @cached_property
    def _frame(self) -> builder.JudgeFrame:
        return builder.JudgeFrame(self.task, self.lines, self.exemplar, self.template)

    @property
    def prefix(self) -> str:
        """The beginning that the prompts about all candidates share."""
        return self._frame.prefix

    def score(self, outcomes: Mapping[str, Any]) -> weights.Score:
        """Return the score of a response from the outcomes of its lines."""
        return weights.score(
            weights.Line(line.weight, line.importance, line.dimension, outcomes.get(line.id))
            for line in self.lines
        )

    def prompt(
        self, response_text: str, *, only_ids: tuple[str, ...] | None = None, nonce: str
    ) -> Prompt:
        """Build the judge's prompt about one response."""
        return self._frame.prompt_for(response_text, only_ids=only_ids, nonce=nonce)


def load(item: RunItem) -> Material:
    """Load the material of an item's task, version and exemplar, for its run."""
    name = _name(item)
    return _load([name], template_of(item.run.variant))[name]


class MaterialCache:
    """An LRU cache of one run's materials that loads many at once; for one thread."""

    def __init__(self, run: JudgeRun, size: int = 128) -> None:
        self._template = template_of(run.variant)
        self._size = size
        self._kept: dict[_Name, Material] = {}

    def load_for(self, items: Iterable[RunItem]) -> Iterator[tuple[RunItem, Material]]:
        """Yield each item with its material. Seven queries at most for up to 64 items."""
        remaining = iter(items)
        while part := list(itertools.islice(remaining, 64)):
            names = list(dict.fromkeys(_name(item) for item in part))
            found = {name: self._kept[name] for name in names if name in self._kept}
            found |= _load([name for name in names if name not in found], self._template)
            for name in names:
                self._kept.pop(name, None)  # move what was used last to the end
            self._kept |= found
            for name in list(self._kept)[: -self._size]:
                del self._kept[name]
            for item in part:
                yield item, found[_name(item)]


_Name = tuple[int, int | None]  # version and exemplar


def _name(item: RunItem) -> _Name:
    assert item.version_id is not None, "an item that is to be judged has a version"
    return item.version_id, item.exemplar_id


def _load(names: Sequence[_Name], template: PromptFile) -> dict[_Name, Material]:
    if not names:
        return {}
    exemplars = _exemplars({exemplar for _version, exemplar in names if exemplar is not None})
    versions = RubricVersion.objects.select_related("task__domain").in_bulk(
        {version for version, _exemplar in names}
        | {shown.version for shown in exemplars.values() if shown.version is not None}
    )
    texts = task_texts([version.task for version in versions.values()])
    lines: dict[int, list[inputs.Criterion]] = {pk: [] for pk in versions}
    line_pks: dict[int, dict[str, int]] = {pk: {} for pk in versions}
    rows = Criterion.objects.filter(version_id__in=versions).order_by("position", "id")
    for version, pk, key, *facts in rows.values_list(
        *("version_id", "pk", "key", "text", "importance", "weight", "dimension")
    ):
        lines[version].append(inputs.Criterion(key, *facts))
        line_pks[version][key] = pk
    found = {}
    for version, sheet in names:
        shown = None if sheet is None else exemplars[sheet]
        exemplar: inputs.Exemplar | inputs.OtherExample | None = shown and shown.exemplar
        if shown is not None and shown.version is not None:
            other = versions[shown.version]
            if other.task_id != versions[version].task_id:
                exemplar = inputs.OtherExample(
                    texts[other.task_id], tuple(lines[other.pk]), shown.exemplar
                )
        found[version, sheet] = Material(
            task=texts[versions[version].task_id],
            lines=tuple(lines[version]),
            line_pks=line_pks[version],
            version=version,
            version_sha256=versions[version].sha256,
            exemplar=exemplar,
            exemplar_mark=shown.mark if shown else "",
            template=template,
        )
    return found


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


def later_nonce(judgment_key: str, round_number: int, ids: tuple[str, ...]) -> str:
    """Return the fence code of a further question: new for each, the same after a resume."""
    return builder.nonce_for(settings.SECRET_KEY, judgment_key, str(round_number), *ids)


def judgment_key(
    run: JudgeRun, material: Material, prompt: Prompt, nonce: str, response_id: int
) -> str:
    """Return the unique key that keeps the same thing from being judged twice.

    It hashes judge, parameters, method, version, exemplar, response, the prompt's bytes without the
    random fence, which changes nothing about the question, and the hashes of its pictures.
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
    after = [prompt.suffix.replace(nonce, ""), *_repeat(run), *prompt.picture_marks]
    # One JSON list; its longest part is inserted as it was serialised for the siblings.
    start, end = json.dumps(before, sort_keys=True)[:-1], json.dumps(after)[1:]
    return hashlib.sha256(f"{start}, {prompt.prefix_json}, {end}".encode()).hexdigest()
