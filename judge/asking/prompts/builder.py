"""Builds the prompts to models.

The judge's prompt has instructions, task, checklist, exemplar and candidate, in this order. All
before the candidate is the same bytes for every candidate of a task, so that vendors can cache it;
the nonce appears only after it. No function has a parameter through which an expert's opinion of a
candidate could reach a judge.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from judge.asking.prompts import OTHER_EXAMPLE, PromptFile, load
from judge.asking.prompts.frames import (
    NOTHING,
    checklist_of,
    json_string,
    object_with_list,
    task_values,
    token_of,
    without,
)
from judge.asking.prompts.parts import clean, inline, language_name, version_of
from judge.asking.providers.base import Prompt
from judge.asking.providers.inputs import (
    DIMENSIONS,
    IMPORTANCES,
    AnswerInputs,
    Criterion,
    DraftInputs,
    Exemplar,
    JudgeInputs,
    LintInputs,
    OtherExample,
    TaskText,
)

__all__ = [
    "DIMENSIONS",
    "IMPORTANCES",
    "AnswerInputs",
    "Criterion",
    "DraftInputs",
    "Exemplar",
    "JudgeFrame",
    "JudgeInputs",
    "OtherExample",
    "TaskText",
    "answer_prompt",
    "clean",
    "draft_prompt",
    "judge_prompt",
    "lint_prompt",
    "nonce_for",
    "connection_prompt",
]

# OpenAI's strict schemas take at most 250 values of an enum without further conditions.
_ENUM_LIMIT = 250


def nonce_for(secret: str, *parts: str) -> str:
    """Return the nonce of a call: the same for the same parts, unguessable without the secret.

    It is not random, because the prompt of a repeated call has to have the same bytes: a resumed
    run recognises by them what it has already asked. HMAC-SHA256, 24 hexadecimal digits.
    """
    message = json.dumps(parts).encode()
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()[:24]


class JudgeFrame:
    """The common part of the judge's prompts about one task, built once for all candidates.

    Args:
        exemplar: the scored example of a one-shot prompt, of this task or of another one; None for
            a zero-shot prompt.
        template: another text of the judge's prompt; None for the built-in file.

    Raises:
        ValueError: there are no criteria, or two have the same id.
    """

    def __init__(
        self,
        task: TaskText,
        criteria: Sequence[Criterion],
        exemplar: Exemplar | OtherExample | None,
        template: PromptFile | None = None,
    ) -> None:
        self.task, self.lines = task, tuple(criteria)
        self.exemplar = exemplar if isinstance(exemplar, Exemplar) else None
        self.known = tuple(line.id for line in self.lines)
        if not self.known or len(set(self.known)) != len(self.known):
            raise ValueError("A judge needs criteria, each with an id of its own.")
        self.template = template or load("judge")
        self.schema = _judge_schema(self.known)
        values = {
            "domain": inline(task.domain) or "the field",
            "language": language_name(task.language),
            **task_values(task),
            "criteria": checklist_of(self.lines),
        }
        if isinstance(exemplar, OtherExample):
            example = _other_example(exemplar)
        elif exemplar is not None:
            example = {
                "response": clean(exemplar.response_text),
                "verdicts": _decisions(self.lines, exemplar),
            }
        else:
            example = {"response": "", "verdicts": ""}
        # No author can forge the fence, because its token is a hash of all the texts inside.
        token = token_of(*values.values(), *example.values())
        self.prefix = self.template.fill("prefix", token=token, **values)
        if exemplar is not None:
            source = load(OTHER_EXAMPLE) if isinstance(exemplar, OtherExample) else self.template
            self.prefix += source.fill("exemplar", token=token, **example)

    def prompt_for(
        self, response_text: str, *, only_ids: Sequence[str] | None = None, nonce: str
    ) -> Prompt:
        """Return the prompt about one response; see `judge_prompt`."""
        wanted = self.known if only_ids is None else self._in_order(only_ids)
        candidate = clean(response_text)
        suffix = self.template.fill(
            "suffix",
            nonce=nonce,
            response=without(nonce, candidate),
            wanted=json.dumps(wanted, ensure_ascii=False),
        )
        return Prompt(
            purpose="judge",
            prefix=self.prefix,
            suffix=suffix,
            schema=self.schema,
            schema_name="verdicts",
            inputs=JudgeInputs(self.task, self.lines, self.exemplar, candidate, wanted),
            prompt_version=version_of(self.template, self.task),
            pictures=self.task.pictures,
        )

    def _in_order(self, ids: Sequence[str]) -> tuple[str, ...]:
        asked = set(ids)
        if not asked or len(asked) != len(ids) or not asked <= set(self.known):
            raise ValueError("The ids asked for must be criteria of this rubric, each once.")
        return tuple(name for name in self.known if name in asked)


def judge_prompt(
    task: TaskText,
    criteria: Sequence[Criterion],
    exemplar: Exemplar | None,
    response_text: str,
    *,
    only_ids: Sequence[str] | None = None,
    nonce: str,
) -> Prompt:
    """Return the prompt that asks for verdicts on the criteria of one response.

    The wanted ids come after the response, so that asking again and asking line by line keep the
    same prefix.

    Args:
        exemplar: the scored example of a one-shot prompt; None for a zero-shot prompt.
        only_ids: the criteria to ask for; None for all.
        nonce: fences the response (see `nonce_for`).

    Raises:
        ValueError: an id is unknown or repeated, there are no criteria, or the nonce is too short
            or has other characters than letters and digits.
    """
    frame = JudgeFrame(task, criteria, exemplar)
    return frame.prompt_for(response_text, only_ids=only_ids, nonce=nonce)


def draft_prompt(
    task: TaskText, reference_answer: str, language: str = "", remarks: str = ""
) -> Prompt:
    """Return the prompt that asks for a draft of a rubric.

    Args:
        language: the language of the draft; "" for the task's.
        remarks: what the author wants done differently. They are fenced like the texts and may
            steer what is checked; the schema and the parser limit anything else they ask for.
    """
    language = language or task.language
    template = load("draft")
    reference = clean(reference_answer)
    remarks = clean(remarks).strip()
    values = task_values(task)
    token = token_of(*values.values(), reference, *([remarks] if remarks else []))
    return Prompt(
        purpose="draft",
        prefix=template.fill(
            "prefix", dimensions=", ".join(DIMENSIONS), language=language_name(language)
        ),
        suffix=template.fill(
            "suffix",
            token=token,
            domain=inline(task.domain) or "not said",
            reference=reference or NOTHING,
            **values,
        )
        + (template.fill("remarks", token=token, remarks=remarks) if remarks else "")
        + template.fill("end"),
        schema=_DRAFT_SCHEMA,
        schema_name="checklist",
        inputs=DraftInputs(task, reference, language, remarks),
        prompt_version=version_of(template, task),
        pictures=task.pictures,
    )


def lint_prompt(task: TaskText, reference_answer: str, lines: Sequence[Criterion]) -> Prompt:
    """Return the prompt that asks for opinions on the lines of a rubric."""
    template = load("lint")
    reference = clean(reference_answer)
    values = {
        **task_values(task),
        "reference": reference or NOTHING,
        "lines": "\n".join(_json({"id": line.id, "line": clean(line.text)}) for line in lines),
    }
    return Prompt(
        purpose="lint",
        prefix=template.fill("prefix", language=language_name(task.language)),
        suffix=template.fill(
            "suffix",
            token=token_of(*values.values()),
            domain=inline(task.domain) or "not said",
            **values,
        ),
        schema=_LINT_SCHEMA,
        schema_name="opinions",
        inputs=LintInputs(task, reference, tuple(lines)),
        prompt_version=version_of(template, task),
        pictures=task.pictures,
    )


def answer_prompt(task: TaskText) -> Prompt:
    """Return the prompt that asks a model to do the task, without the reference answer."""
    template = load("answer")
    suffix, version = template.fill("suffix", **task_values(task)), version_of(template, task)
    if task.answer_note:
        suffix = f"{suffix}\n{clean(task.answer_note)}\n"
        version = hashlib.sha256(f"{version} {task.answer_note}".encode()).hexdigest()
    return Prompt(
        purpose="answer",
        prefix=template.fill(
            "prefix",
            domain=inline(task.domain) or "the field",
            language=language_name(task.language),
        ),
        suffix=suffix,
        schema=None,
        schema_name="",
        inputs=AnswerInputs(task),
        prompt_version=version,
        pictures=task.pictures,
    )


def connection_prompt(*, structured: bool) -> Prompt:
    """Return the smallest prompt that shows whether a model can be asked as for a purpose.

    Args:
        structured: whether the purpose asks for JSON by a schema.
    """
    template = load("test")
    schema = {
        "type": "object",
        "properties": {"ready": {"type": "boolean"}},
        "required": ["ready"],
        "additionalProperties": False,
    }
    return Prompt(
        purpose="test",
        prefix=template.fill("prefix").strip(),
        suffix=template.fill("structured" if structured else "suffix").strip(),
        schema=schema if structured else None,
        schema_name="test",
        inputs=None,
        prompt_version=template.version,
    )


def _decisions(lines: Sequence[Criterion], exemplar: Exemplar) -> str:
    """Return the exemplar's verdicts in the order of the rubric and the format of a reply."""
    entries = []
    for line in lines:
        if line.id in exemplar.verdicts:
            met, why = exemplar.verdicts[line.id]
            decided = "true" if met else "false"
            name, reason = json_string(line.id), json_string(clean(why))
            entries.append(f'{{"id": {name}, "why": {reason}, "met": {decided}}}')
    return "\n".join(entries)


def _other_example(other: OtherExample) -> dict[str, str]:
    """Return the values of an example from another task.

    Its lines get ids of their own, as two rubrics may use the same ones.
    """
    names = {line.id: f"example-{n}" for n, line in enumerate(other.criteria, start=1)}
    lines = [replace(line, id=names[line.id]) for line in other.criteria]
    verdicts = {
        names[name]: said for name, said in other.exemplar.verdicts.items() if name in names
    }
    return {
        **task_values(other.task),
        "criteria": checklist_of(lines),
        "response": clean(other.exemplar.response_text),
        "verdicts": _decisions(lines, Exemplar("", verdicts)),
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _judge_schema(ids: Sequence[str]) -> Mapping[str, Any]:
    name: dict[str, Any] = {"type": "string"}
    if len(ids) <= _ENUM_LIMIT:
        name["enum"] = list(ids)
    return object_with_list(
        "verdicts",
        {
            "id": name,
            "why": {"type": "string"},
            "met": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
        },
    )


_DRAFT_SCHEMA = object_with_list(
    "lines",
    {
        "text": {"type": "string"},
        "importance": {"type": "string", "enum": list(IMPORTANCES)},
        "weight": {"type": "integer", "enum": list(range(1, 11))},
        "dimension": {"type": "string", "enum": list(DIMENSIONS)},
        "quote": {"type": "string"},
    },
)
_LINT_SCHEMA = object_with_list("opinions", {"id": {"type": "string"}, "says": {"type": "string"}})
