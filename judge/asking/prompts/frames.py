"""What the prompts to judges are made of: the task's texts, lists, fences and schemas.

Everything that others wrote stands between fences `<<<NAME code` and `code NAME>>>`, whose code the
text between them cannot hold: before the candidate's response it is a hash of the texts, around
the response it is the call's nonce.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from judge.asking.prompts.parts import clean, inline, with_files
from judge.asking.providers.inputs import Criterion, TaskText

NOTHING = "(none given)"
_NONCE = re.compile(r"[A-Za-z0-9]{12,64}")


def without(nonce: str, text: str) -> str:
    """Return a clean text that does not hold the nonce, so that nothing in it ends its fence.

    Raises:
        ValueError: the nonce is too short or long, or has other signs than letters and digits.
    """
    if not _NONCE.fullmatch(nonce):
        raise ValueError("A nonce has 12 to 64 letters and digits.")
    # The test saves compiling a pattern. It does not cover "i", "k" and "s", which also match
    # other Unicode letters when case is ignored.
    folded = nonce.casefold()
    if folded in text.casefold() or not set(folded).isdisjoint("iks"):
        return re.sub(re.escape(nonce), "[removed]", text, flags=re.IGNORECASE)
    return text


def task_values(task: TaskText) -> dict[str, str]:
    """Return the texts of a task as templates name them."""
    return {
        "title": inline(task.title) or NOTHING,
        "scenario": clean(task.scenario).strip() or NOTHING,
        "materials": with_files(clean(task.materials).strip(), task) or NOTHING,
        "requirements": clean(task.requirements).strip() or NOTHING,
    }


def checklist_of(lines: Sequence[Criterion]) -> str:
    """Return the words of lines, one JSON object for each."""
    return "\n".join(
        f'{{"id": {json_string(line.id)}, "line": {json_string(clean(line.text))}}}'
        for line in lines
    )


# Encodes a string as `json.dumps` does, which creates an encoder on each call: for the lines of a
# rubric that was most of the time of building a prompt.
json_string = json.JSONEncoder(ensure_ascii=False).encode


def token_of(*texts: str) -> str:
    """Return the code of the fences around texts: no author can know a hash of them all."""
    return hashlib.sha256(
        json.dumps(texts, ensure_ascii=False).encode("utf-8", "replace")
    ).hexdigest()[:16]


def object_with_list(name: str, properties: dict[str, Any]) -> Mapping[str, Any]:
    """Return the schema of an object with one list of objects; every property is required."""
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
