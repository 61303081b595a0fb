"""Prompts of methods with a template of their own, and what their readers share."""

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from judge.asking.prompts import PromptFile, parse
from judge.asking.prompts.frames import task_values, token_of, without
from judge.asking.prompts.parts import clean, inline, language_name, version_of
from judge.asking.providers.base import Prompt
from judge.asking.providers.inputs import MethodInputs
from judge.methods.base.material import Material

ELSEWHERE = "not_in_response"  # a fault of a reply: it names what the response does not hold
ELSEWHERE_WORDS = _("Reply names what the response does not hold")

Offline = Callable[[str, tuple[str, ...]], Mapping[str, Any]]  # response, parts -> reply


@cache
def template_of(name: str, file: str = "prompt") -> PromptFile:
    """Return the template of a method's prompts, from the folder of its package.

    Args:
        file: "prompt" for its judge, "draft" for the draft of a rubric.
    """
    path = Path(__file__).parents[1] / name / f"{file}.txt"
    return parse("judge", path.read_text("utf-8"))


class MethodFrame:
    """The common part of a method's prompts about one task.

    Args:
        values: texts for the placeholders of the template's prefix, beside those of the task. They
            are fenced by a code that is a hash of them all.
        offline: the rules that stand in for a model.
    """

    def __init__(
        self,
        material: Material,
        template: PromptFile,
        *,
        values: Mapping[str, str],
        schema: Mapping[str, Any],
        schema_name: str,
        offline: Offline,
    ) -> None:
        task = material.task
        filled = {
            "domain": inline(task.domain) or "the field",
            "language": language_name(task.language),
            **task_values(task),
            **values,
        }
        self.material, self.template = material, template
        self.schema, self.schema_name, self.offline = schema, schema_name, offline
        self.prefix = template.fill("prefix", token=token_of(*filled.values()), **filled)

    def prompt_for(
        self, response_text: str, *, only_ids: Sequence[str] | None = None, nonce: str
    ) -> Prompt:
        """Return the prompt about one response; see `judge.methods.base.material.Frame`."""
        parts = self.material.parts
        wanted = parts if only_ids is None else tuple(p for p in parts if p in set(only_ids))
        candidate = clean(response_text)
        suffix = self.template.fill(
            "suffix",
            nonce=nonce,
            response=without(nonce, candidate),
            wanted=json.dumps(wanted, ensure_ascii=False),
        )
        task = self.material.task
        return Prompt(
            purpose="judge",
            prefix=self.prefix,
            suffix=suffix,
            schema=self.schema,
            schema_name=self.schema_name,
            inputs=MethodInputs(task, candidate, wanted, partial(self.offline, candidate, wanted)),
            prompt_version=version_of(self.template, task),
            pictures=task.pictures,
        )


def object_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with these properties, all required."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


_MARKUP = re.compile(r"[*_`#>|~]+")
_QUOTES = re.compile("[\"'“”„‟‘’‚‛«»‹›「」『』〝〞＂＇]")
_SPACE = re.compile(r"\s+")


def plain(text: str) -> str:
    """Return a text as it is compared: without Markdown, quotes, case and width of signs.

    Full-width letters, digits and punctuation become the usual ones (NFKC), white space is one
    space.
    """
    folded = unicodedata.normalize("NFKC", clean(text)).casefold()
    return _SPACE.sub(" ", _QUOTES.sub("", _MARKUP.sub(" ", folded))).strip()


def occurs(quoted: str, plain_response: str) -> bool:
    """Return whether a response holds a passage, whatever its Markdown, quotes, case and width.

    Args:
        plain_response: the response through `plain`. An ellipsis at an end of the passage is no
            part of it. A passage of punctuation alone never occurs.
    """
    wanted = plain(quoted).strip(" .…")
    return any(map(str.isalnum, wanted)) and wanted in plain_response


ECHO = "The reply repeats what the response wrote for the judge."


def echoes(reply: str, response: str) -> bool:
    """Return whether the object of a reply stands in the response: then it says nothing of it.

    Replies of methods with few fields can be foreseen, so a response may hold a whole one.
    """
    if "{" not in response:
        return False
    body = plain(reply[reply.find("{") : reply.rfind("}") + 1])
    return any(map(str.isalnum, body)) and body in plain(response)
