"""The prompt that asks for the failure modes of unmet lines, its reply, the offline rule."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from curation.base.text.language import terms
from judge.asking.prompts import load
from judge.asking.prompts.envelope import UnreadableError, read_list, tidy
from judge.asking.prompts.frames import object_with_list, task_values, token_of
from judge.asking.prompts.parts import clean, inline, version_of
from judge.asking.providers.base import Prompt
from judge.asking.providers.inputs import MethodInputs, TaskText

FEWEST = 2  # content terms that a definition shares with what was said of a line
LONGEST_WHY = 1000  # characters


@dataclass(frozen=True)
class Unmet:
    """A line that an answer does not meet: its number, its text, and what was said of it."""

    n: int
    text: str
    said: str


@dataclass(frozen=True)
class Mode:
    """A failure mode as a model reads it."""

    id: str
    name: str
    definition: str


def error_codes_prompt(
    task: TaskText, answer: str, lines: Sequence[Unmet], modes: Sequence[Mode]
) -> Prompt:
    """Return the prompt that asks which failure modes these lines of an answer show."""
    template = load("error_codes")
    values = {
        **task_values(task),
        "answer": clean(answer),
        "lines": _listed(
            {"line": one.n, "asks": inline(one.text), "said": clean(one.said)} for one in lines
        ),
        "codes": _listed(
            {"id": one.id, "name": inline(one.name), "when": clean(one.definition)} for one in modes
        ),
    }
    return Prompt(
        purpose="error_codes",
        prefix=template.fill("prefix"),
        suffix=template.fill("suffix", token=token_of(*values.values()), **values),
        schema=object_with_list(
            "errors",
            {
                "line": {"type": "integer"},
                "code": {"type": "string"},
                "why": {"type": "string"},
            },
        ),
        schema_name="errors",
        inputs=MethodInputs(
            task=task,
            response_text=answer,
            wanted=tuple(str(one.n) for one in lines),
            offline=lambda: {"errors": by_rule(lines, modes)},
        ),
        prompt_version=version_of(template, task),
    )


def _listed(rows: Any) -> str:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


def by_rule(lines: Sequence[Unmet], modes: Sequence[Mode]) -> list[dict[str, Any]]:
    """Return what the offline rule proposes: for each line the mode whose words it shares most.

    What was said of the line is compared with the definition; fewer than FEWEST common content
    terms are no proposal, and the earlier of two equal modes wins.
    """
    defined = [(mode, terms(f"{mode.name}\n{mode.definition}")) for mode in modes]
    found = []
    for line in lines:
        said = terms(line.said)
        shared = [(len(words & said), mode) for mode, words in defined]
        most = max((n for n, _mode in shared), default=0)
        if most >= FEWEST:
            mode = next(mode for n, mode in shared if n == most)
            found.append({"line": line.n, "code": mode.id, "why": line.said})
    return found


def parse_errors(
    text: str, lines: Collection[int], codes: Collection[str]
) -> list[tuple[int, str, str]] | None:
    """Parse a reply into (line, code, why); None if it is unreadable.

    Unknown lines and codes are left out, and so is an entry without a reason.
    """
    try:
        entries = read_list(text, "errors", [])
    except UnreadableError:
        return None
    found: dict[tuple[int, str], str] = {}
    for entry in entries:
        if not isinstance(entry, Mapping):
            continue
        line, code, why = entry.get("line"), entry.get("code"), entry.get("why")
        if type(line) is not int or not isinstance(code, str) or not isinstance(why, str):
            continue
        words = tidy(why).strip()
        if line in lines and code in codes and words:
            found.setdefault((line, code), words[:LONGEST_WHY])
    return [(line, code, why) for (line, code), why in found.items()]
