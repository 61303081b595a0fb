"""The prompts to models: one text file per purpose.

A file has sections, each opened by a line `=== name ===`, and placeholders `$name` that the builder
fills in. The hash of the file is stored with every call, so that any change of a prompt shows.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

PURPOSES = ("judge", "draft", "answer", "lint", "labels", "error_codes", "test")
OTHER_EXAMPLE = "judge_other_example"  # stands in a judge's prompt in place of its own exemplar
PARTS = (OTHER_EXAMPLE, "files")  # within the prompts of every purpose

_HERE = Path(__file__).parent
_SECTION = re.compile(r"^=== (\w+) ===\n", re.MULTILINE)


@dataclass(frozen=True)
class PromptFile:
    """A template in sections; `version` is the SHA-256 of its whole text."""

    purpose: str
    sections: dict[str, str]
    version: str

    def fill(self, section: str, **values: str) -> str:
        """Return a section with its placeholders filled; a `$` inside a value stays as it is.

        Raises:
            KeyError: a placeholder has no value.
        """
        return Template(self.sections[section]).substitute(values)


@cache
def load(purpose: str) -> PromptFile:
    """Return the template file of a purpose, or of a part that several purposes share.

    Raises:
        ValueError: there is no such purpose.
    """
    if purpose not in (*PURPOSES, *PARTS):
        raise ValueError(f"There is no prompt for “{purpose}”; there are {', '.join(PURPOSES)}.")
    return parse(purpose, (_HERE / f"{purpose}.txt").read_text("utf-8"))


def parse(purpose: str, content: str) -> PromptFile:
    """Read the text of a template into its sections."""
    parts = _SECTION.split(content)[1:]
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    return PromptFile(purpose, sections, hashlib.sha256(content.encode()).hexdigest())
