"""Builds the prompts, from plain facts and from nothing else.

Order of the judge's prompt: instructions, task, checklist, exemplar, candidate. All of it before
the candidate is the same bytes for every candidate of a task; the random code appears only after
that point. No function here has a parameter through which an expert's opinion of a candidate
could come.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from judge.prompts import load
from judge.providers.base import Prompt
from judge.providers.inputs import (
    DIMENSIONS,
    IMPORTANCES,
    AnswerInputs,
    Criterion,
    DraftInputs,
    Exemplar,
    JudgeInputs,
    LintInputs,
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
    "TaskText",
    "answer_prompt",
    "clean",
    "draft_prompt",
    "judge_prompt",
    "lint_prompt",
    "nonce_for",
]

# OpenAI's strict schemas take at most 250 values of an enum without further conditions.
_ENUM_LIMIT = 250
_NONCE = re.compile(r"[A-Za-z0-9]{12,64}")
_NOTHING = "(none given)"

# Control characters other than tab and newline; marks that turn the reading direction or cannot
# be seen (tags and variation selectors have been used to smuggle orders past human readers); lone
# surrogates, which no encoder takes.
_UNREADABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069"
    "\ufeff\U000e0000-\U000e007f\U000e0100-\U000e01ef\ud800-\udfff]"
)


def clean(text: str) -> str:
    """`text` with `\\n` line ends and without characters a reader cannot see or a wire carry."""
    # Nothing to take out of most texts, and looking is twenty times faster than the pattern.
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return _UNREADABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def nonce_for(secret: str, *parts: str) -> str:
    """A code for `judge_prompt`: the same for the same call, unguessable without the secret.

    A purely random code would make the bytes of a repeated call differ, and a resumed run could
    not recognise what it has already asked. HMAC-SHA256, 24 hexadecimal digits.
    """
    message = json.dumps(parts).encode()
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()[:24]


class JudgeFrame:
    """What the judge's prompts about one task have in common, built once for all its candidates.

    `exemplar` makes it one-shot, `None` zero-shot. Raises `ValueError` for no criteria, or for two
    with one id.
    """

    def __init__(
        self, task: TaskText, criteria: Sequence[Criterion], exemplar: Exemplar | None
    ) -> None:
        self.task, self.lines, self.exemplar = task, tuple(criteria), exemplar
        self.known = tuple(line.id for line in self.lines)
        if not self.known or len(set(self.known)) != len(self.known):
            raise ValueError("A judge needs criteria, each with an id of its own.")
        self.template = load("judge")
        self.schema = _judge_schema(self.known)
        values = {
            "domain": _inline(task.domain) or "the field",
            "language": _language(task.language),
            **_task_values(task),
            "criteria": "\n".join(
                f'{{"id": {_string(line.id)}, "line": {_string(clean(line.text))}}}'
                for line in self.lines
            ),
        }
        shown = "" if exemplar is None else clean(exemplar.response_text)
        decisions = "" if exemplar is None else _decisions(self.lines, exemplar)
        # A fence no author can write: it depends on everything it surrounds.
        token = _token(*values.values(), shown, decisions)
        self.prefix = self.template.fill("prefix", token=token, **values)
        if exemplar is not None:
            self.prefix += self.template.fill(
                "exemplar", token=token, response=shown, verdicts=decisions
            )

    def about(
        self, response_text: str, *, only_ids: Sequence[str] | None = None, nonce: str
    ) -> Prompt:
        """The prompt about one response; see `judge_prompt`."""
        if not _NONCE.fullmatch(nonce):
            raise ValueError("A nonce has 12 to 64 letters and digits.")
        wanted = self.known if only_ids is None else self._in_order(only_ids)
        candidate = clean(response_text)
        fenced = candidate
        # Compiling the pattern costs more than looking; "i", "k" and "s" have doubles in Unicode.
        folded = nonce.casefold()
        if folded in candidate.casefold() or not set(folded).isdisjoint("iks"):
            fenced = re.sub(re.escape(nonce), "[removed]", candidate, flags=re.IGNORECASE)
        suffix = self.template.fill(
            "suffix", nonce=nonce, response=fenced, wanted=json.dumps(wanted, ensure_ascii=False)
        )
        return Prompt(
            purpose="judge",
            prefix=self.prefix,
            suffix=suffix,
            schema=self.schema,
            schema_name="verdicts",
            inputs=JudgeInputs(self.task, self.lines, self.exemplar, candidate, wanted),
            prompt_version=self.template.version,
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
    """Asks for a verdict on every criterion, or on `only_ids`, of one response.

    `exemplar` makes it one-shot, `None` zero-shot. `nonce` fences the response (see `nonce_for`).
    Which lines are wanted is said after the response, so that re-asking and the per-criterion
    mode keep the prefix. Raises `ValueError` for an unknown or repeated id, no criteria, or a
    nonce that could be guessed.
    """
    return JudgeFrame(task, criteria, exemplar).about(response_text, only_ids=only_ids, nonce=nonce)


def draft_prompt(
    task: TaskText, reference_answer: str, language: str = "", remarks: str = ""
) -> Prompt:
    """Asks for a rubric; `language` defaults to the task's.

    `remarks` are what the author wants done differently. They are fenced like the texts: they may
    steer what is checked, and nothing else. What else they ask for meets the schema and the parser.
    """
    language = language or task.language
    template = load("draft")
    reference = clean(reference_answer)
    remarks = clean(remarks).strip()
    values = _task_values(task)
    token = _token(*values.values(), reference, *([remarks] if remarks else []))
    return Prompt(
        purpose="draft",
        prefix=template.fill(
            "prefix", dimensions=", ".join(DIMENSIONS), language=_language(language)
        ),
        suffix=template.fill(
            "suffix",
            token=token,
            domain=_inline(task.domain) or "not said",
            reference=reference or _NOTHING,
            **values,
        )
        + (template.fill("remarks", token=token, remarks=remarks) if remarks else "")
        + template.fill("end"),
        schema=_DRAFT_SCHEMA,
        schema_name="checklist",
        inputs=DraftInputs(task, reference, language, remarks),
        prompt_version=template.version,
    )


def lint_prompt(task: TaskText, reference_answer: str, lines: Sequence[Criterion]) -> Prompt:
    """Asks what a second reader would change about the lines of a rubric."""
    template = load("lint")
    reference = clean(reference_answer)
    values = {
        **_task_values(task),
        "reference": reference or _NOTHING,
        "lines": "\n".join(_json({"id": line.id, "line": clean(line.text)}) for line in lines),
    }
    return Prompt(
        purpose="lint",
        prefix=template.fill("prefix", language=_language(task.language)),
        suffix=template.fill(
            "suffix",
            token=_token(*values.values()),
            domain=_inline(task.domain) or "not said",
            **values,
        ),
        schema=_LINT_SCHEMA,
        schema_name="opinions",
        inputs=LintInputs(task, reference, tuple(lines)),
        prompt_version=template.version,
    )


def answer_prompt(task: TaskText) -> Prompt:
    """Asks a model to do the task. The reference answer is out of reach."""
    template = load("answer")
    return Prompt(
        purpose="answer",
        prefix=template.fill(
            "prefix",
            domain=_inline(task.domain) or "the field",
            language=_language(task.language),
        ),
        suffix=template.fill("suffix", **_task_values(task)),
        schema=None,
        schema_name="",
        inputs=AnswerInputs(task),
        prompt_version=template.version,
    )


def _task_values(task: TaskText) -> dict[str, str]:
    return {
        "title": _inline(task.title) or _NOTHING,
        "scenario": clean(task.scenario).strip() or _NOTHING,
        "materials": clean(task.materials).strip() or _NOTHING,
        "requirements": clean(task.requirements).strip() or _NOTHING,
    }


def _decisions(lines: Sequence[Criterion], exemplar: Exemplar) -> str:
    """The anchor's outcome in rubric order, in the shape the judge is to answer in."""
    entries = []
    for line in lines:
        if line.id in exemplar.verdicts:
            met, why = exemplar.verdicts[line.id]
            decided = "true" if met else "false"
            entries.append(
                f'{{"id": {_string(line.id)}, "why": {_string(clean(why))}, "met": {decided}}}'
            )
    return "\n".join(entries)


def _inline(text: str) -> str:
    return " ".join(clean(text).split())


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


# A string as `_json` writes it. An encoder is made anew for each call of `dumps`; for the lines of
# a rubric that is most of the work of building a prompt.
_string = json.JSONEncoder(ensure_ascii=False).encode


def _token(*texts: str) -> str:
    return hashlib.sha256(_json(texts).encode("utf-8", "replace")).hexdigest()[:16]


def _language(tag: str) -> str:
    return (
        "Simplified Chinese"
        if tag.lower().startswith("zh")
        else _LANGUAGES.get(tag.lower().split("-")[0].split("_")[0], "the language of the task")
    )


_LANGUAGES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "ja": "Japanese",
    "ko": "Korean",
    "pt": "Portuguese",
    "it": "Italian",
    "ru": "Russian",
}


def _judge_schema(ids: Sequence[str]) -> Mapping[str, Any]:
    name: dict[str, Any] = {"type": "string"}
    if len(ids) <= _ENUM_LIMIT:
        name["enum"] = list(ids)
    return _object_with_list(
        "verdicts",
        {
            "id": name,
            "why": {"type": "string"},
            "met": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
        },
    )


def _object_with_list(name: str, properties: dict[str, Any]) -> Mapping[str, Any]:
    item = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {name: {"type": "array", "items": item}},
        "required": [name],
        "additionalProperties": False,
    }


_DRAFT_SCHEMA = _object_with_list(
    "lines",
    {
        "text": {"type": "string"},
        "importance": {"type": "string", "enum": list(IMPORTANCES)},
        "weight": {"type": "integer", "enum": list(range(1, 11))},
        "dimension": {"type": "string", "enum": list(DIMENSIONS)},
        "quote": {"type": "string"},
    },
)
_LINT_SCHEMA = _object_with_list("opinions", {"id": {"type": "string"}, "says": {"type": "string"}})
