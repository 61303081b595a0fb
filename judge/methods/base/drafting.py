"""Rubrics that a method drafts from the reference answer, by one question of its own.

Nothing can be drafted of such a rubric where there is no reference answer: what its lines hold is
the right answer, which a model would have to invent.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from curation.tasks.task.models import Task
from judge.asking.prompts.envelope import UnreadableError
from judge.asking.prompts.frames import object_with_list, task_values, token_of
from judge.asking.prompts.parsing import ParsedDraft, parse_draft
from judge.asking.prompts.parts import clean, inline, language_name, version_of
from judge.asking.providers.base import Prompt
from judge.asking.providers.inputs import MethodInputs, TaskText
from judge.methods.base.framing import template_of
from judge.methods.base.values import DraftPlan

Row = Mapping[str, Any]

NO_REFERENCE = "The task has no reference answer to draft from."


@dataclass(frozen=True, slots=True)
class Drafting:
    """How a method drafts lines from a reference answer.

    Attributes:
        method: the package whose `draft.txt` has the prompt.
        rows: name of the list in the reply.
        properties: the schema of a row.
        line: row, clean reference answer -> fields of a line, or why it is refused.
        offline: clean reference answer -> the reply of the rules that stand in for a model.
    """

    method: str
    rows: str
    properties: Mapping[str, Any]
    line: Callable[[Row, str], dict[str, Any] | str]
    offline: Callable[[str], dict[str, Any]]

    def plan(self, task: Task, text: TaskText, remarks: str, **values: str) -> DraftPlan:
        """Return how the lines of a task are drafted.

        Args:
            remarks: what the author wants done differently.
            values: texts for further placeholders of the prompt's beginning.
        """
        reference = clean(task.reference_answer).strip()
        return DraftPlan(
            steps=(),
            last=lambda _replies: self._prompt(text, reference, clean(remarks).strip(), values),
            read=partial(self._read, reference=reference),
        )

    def _prompt(
        self, task: TaskText, reference: str, remarks: str, values: Mapping[str, str]
    ) -> Prompt:
        if not reference:
            raise UnreadableError(NO_REFERENCE)
        template, texts = template_of(self.method, "draft"), task_values(task)
        token = token_of(*texts.values(), reference, remarks)
        beginning = {
            "domain": inline(task.domain) or "the field",
            "language": language_name(task.language),
            **values,
        }
        asked = template.fill("suffix", token=token, reference=reference, **texts)
        if remarks:
            asked += template.fill("remarks", token=token, remarks=remarks)
        return Prompt(
            purpose="draft",
            prefix=template.fill("prefix", **beginning),
            suffix=asked + template.fill("end"),
            schema=object_with_list(self.rows, dict(self.properties)),
            schema_name=self.rows,
            inputs=MethodInputs(task, reference, (), partial(self.offline, reference)),
            prompt_version=version_of(template, task),
            pictures=task.pictures,
        )

    def _read(self, reply: str, *, reference: str) -> ParsedDraft:
        return parse_draft(
            reply,
            reference=reference,
            rows=self.rows,
            as_line=lambda row: self.line(row, reference),
        )
