"""Parameters that change the prompt instead of a field of the request, alike for every vendor."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from judge.asking.providers.base import Prompt

ASKS_FOR_JSON = (
    "Reply with one JSON object and nothing else: no words before or after it. It has to fit this "
    "JSON Schema:"
)
"""The sentence with which a model without structured output is asked for it."""


def stated(prompt: Prompt, parameters: Mapping[str, Any]) -> tuple[Prompt, dict[str, Any]]:
    """Return the prompt with what has to be said in words, and the parameters that are left.

    `system` stands before everything else. With `structured_output` False the schema is written
    at the end of the prefix, which stays the same for all candidates of a task.
    """
    left = dict(parameters)
    system = left.pop("system", "")
    structured = left.pop("structured_output", True)
    if system:
        prompt = replace(prompt, prefix=f"{system}\n\n{prompt.prefix}")
    if not structured and prompt.schema is not None:
        schema = json.dumps(prompt.schema, ensure_ascii=False)
        words = f"{prompt.prefix}\n\n{ASKS_FOR_JSON}\n{schema}"
        prompt = replace(prompt, prefix=words, schema=None)
    return prompt, left
