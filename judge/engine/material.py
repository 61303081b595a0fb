"""What the judge is shown, loaded from the database as plain facts.

Nothing here can reach an expert's opinion of a candidate: the only sheet ever read is the one of
the exemplar, which belongs to the baseline.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings

from curation.models import Task
from judge import builder, inputs
from judge.models import JudgeRun, RunItem, Sheet
from judge.providers import Prompt
from rubrics import weights
from rubrics.models import Criterion


@dataclass(frozen=True)
class Material:
    """One task's part of the prompt, the same for all its candidates."""

    task: inputs.TaskText
    lines: tuple[inputs.Criterion, ...]
    line_pks: dict[str, int]  # criterion key -> primary key
    version: int
    version_sha256: str
    exemplar: inputs.Exemplar | None
    exemplar_mark: str  # sheet id and hash of its content

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Keys of all lines, in rubric order."""
        return tuple(line.id for line in self.lines)

    @cached_property
    def _frame(self) -> builder.JudgeFrame:
        return builder.JudgeFrame(self.task, self.lines, self.exemplar)

    def score(self, outcomes: Mapping[str, Any]) -> weights.Score:
        """The score of a response whose lines came out as met, unmet, abstained or failed."""
        return weights.score(
            weights.Line(line.weight, line.importance, line.dimension, outcomes.get(line.id))
            for line in self.lines
        )

    def prompt(
        self, response_text: str, *, only_ids: tuple[str, ...] | None = None, nonce: str
    ) -> Prompt:
        """The judge's prompt about one response."""
        return self._frame.about(response_text, only_ids=only_ids, nonce=nonce)


def task_text(task: Task) -> inputs.TaskText:
    """A task as a model sees it, without its reference answer."""
    return inputs.TaskText(
        id=task.key,
        title=task.title,
        language=task.language,
        domain=task.domain.name,
        scenario=task.scenario,
        materials=task.materials,
        requirements=task.requirements,
    )


def load(item: RunItem) -> Material:
    """The material of an item's task, version and exemplar. Four queries."""
    assert item.version is not None, "an item that is to be judged has a version"
    rows = list(Criterion.objects.filter(version_id=item.version_id).order_by("position", "id"))
    task = Task.objects.select_related("domain").get(pk=item.version.task_id)
    exemplar, mark = None, ""
    if item.exemplar_id is not None:
        exemplar, mark = _exemplar(item.exemplar_id)
    return Material(
        task=task_text(task),
        lines=tuple(
            inputs.Criterion(row.key, row.text, row.importance, row.weight, row.dimension)
            for row in rows
        ),
        line_pks={row.key: row.pk for row in rows},
        version=item.version.pk,
        version_sha256=item.version.sha256,
        exemplar=exemplar,
        exemplar_mark=mark,
    )


def _exemplar(pk: int) -> tuple[inputs.Exemplar, str]:
    sheet = Sheet.objects.select_related("response").get(pk=pk)
    rows = sheet.lines.filter(met__isnull=False).order_by("criterion__position", "criterion_id")
    verdicts = {
        key: (bool(met), why)
        for key, met, why in rows.values_list("criterion__key", "met", "rationale")
    }
    content = json.dumps([sheet.response.text, verdicts], ensure_ascii=True)
    mark = f"{sheet.pk}:{hashlib.sha256(content.encode()).hexdigest()}"
    return inputs.Exemplar(sheet.response.text, verdicts), mark


def first_nonce(run: JudgeRun, response_key: str) -> str:
    """The fence of the first question about a response in this configuration."""
    parts = [run.provider, run.model, run.method, run.calls_mode, response_key]
    return builder.nonce_for(settings.SECRET_KEY, *parts, *_repeat(run))


def _repeat(run: JudgeRun) -> list[str]:
    """What sets a repeat apart; nothing for the first run, whose key stays what it was."""
    return [f"repeat {run.repeat}"] if run.repeat else []


def later_nonce(judgment_key: str, round_number: int, ids: tuple[str, ...]) -> str:
    """The fence of a further question: new for each, the same if the run is resumed."""
    return builder.nonce_for(settings.SECRET_KEY, judgment_key, str(round_number), *ids)


def judgment_key(
    run: JudgeRun, material: Material, prompt: Prompt, nonce: str, response_id: int
) -> str:
    """The name under which the database refuses to judge the same thing twice.

    Hash of judge, parameters, method, version, exemplar, response and the prompt's bytes; the
    random fence is taken out, because it changes nothing about what is asked.
    """
    parts = [
        run.provider,
        run.model,
        run.parameters,
        run.method,
        run.calls_mode,
        material.version_sha256,
        material.version,
        material.exemplar_mark,
        response_id,
        prompt.prefix,
        prompt.suffix.replace(nonce, ""),
        *_repeat(run),
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
