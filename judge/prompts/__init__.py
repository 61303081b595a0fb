"""What we say to models: one text file per purpose.

A file holds sections, each opened by a line `=== name ===`; `$name` marks what the builder fills
in. The hash of the whole file is stored with every call, so a changed word is a changed prompt.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

PURPOSES = ("judge", "draft", "answer", "lint")

_HERE = Path(__file__).parent
_SECTION = re.compile(r"^=== (\w+) ===\n", re.MULTILINE)


@dataclass(frozen=True)
class PromptFile:
    """A template file, cut into sections; `version` is the SHA-256 of its bytes."""

    purpose: str
    sections: dict[str, str]
    version: str

    def fill(self, section: str, **values: str) -> str:
        """The section with every placeholder filled. Raises `KeyError` if one is left over.

        Values are not read again, so a `$` inside them stays what it is.
        """
        return Template(self.sections[section]).substitute(values)


@cache
def load(purpose: str) -> PromptFile:
    """The template file of a purpose. Raises `ValueError` for a purpose there is none for."""
    if purpose not in PURPOSES:
        raise ValueError(f"There is no prompt for “{purpose}”; there are {', '.join(PURPOSES)}.")
    content = (_HERE / f"{purpose}.txt").read_bytes()
    parts = _SECTION.split(content.decode("utf-8"))[1:]
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    return PromptFile(purpose, sections, hashlib.sha256(content).hexdigest())
