"""The prompt that asks which labels of the skills library a task has, and its reply."""

import json
from collections.abc import Sequence

from judge.asking.prompts import load
from judge.asking.prompts.envelope import UnreadableError, read_list
from judge.asking.prompts.frames import task_values, token_of
from judge.asking.prompts.parts import clean, inline, version_of
from judge.asking.providers.base import Prompt
from judge.asking.providers.inputs import LabelInputs, LabelText, TaskText

_SCHEMA = {
    "type": "object",
    "properties": {"labels": {"type": "array", "items": {"type": "string"}}},
    "required": ["labels"],
    "additionalProperties": False,
}


def labels_prompt(task: TaskText, labels: Sequence[LabelText]) -> Prompt:
    """Return the prompt that asks which of these labels a task has."""
    template = load("labels")
    listed = [
        {
            "id": label.id,
            "level": label.level,
            "label": inline(label.name),
            "when": clean(label.description),
        }
        for label in labels
    ]
    values = {
        **task_values(task),
        "labels": "\n".join(json.dumps(one, ensure_ascii=False) for one in listed),
    }
    return Prompt(
        purpose="labels",
        prefix=template.fill("prefix"),
        suffix=template.fill(
            "suffix",
            token=token_of(*values.values()),
            domain=inline(task.domain) or "not said",
            **values,
        ),
        schema=_SCHEMA,
        schema_name="labels",
        inputs=LabelInputs(task, tuple(labels)),
        prompt_version=version_of(template, task),
        pictures=task.pictures,
    )


def parse_labels(text: str, known: Sequence[str]) -> list[str] | None:
    """Parse the ids of the labels in a reply, in the order of `known`; None if it is unreadable.

    Unknown ids are left out: a model cannot invent a label.
    """
    try:
        entries = read_list(text, "labels", [])
    except UnreadableError:
        return None
    said = {entry.strip() for entry in entries if isinstance(entry, str)}
    return [name for name in known if name in said]
