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

PURPOSES = ("judge", "draft", "answer", "lint", "test")

_HERE = Path(__file__).parent
_SECTION = re.compile(r"^=== (\w+) ===\n", re.MULTILINE)


@dataclass(frozen=True)
class PromptFile:
    """A template file in sections; `version` is the SHA-256 of its bytes."""

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
    """Return the template file of a purpose.

    Raises:
        ValueError: there is no such purpose.
    """
    if purpose not in PURPOSES:
        raise ValueError(f"There is no prompt for “{purpose}”; there are {', '.join(PURPOSES)}.")
    content = (_HERE / f"{purpose}.txt").read_bytes()
    parts = _SECTION.split(content.decode("utf-8"))[1:]
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    return PromptFile(purpose, sections, hashlib.sha256(content).hexdigest())
