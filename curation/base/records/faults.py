"""The faults of a file, with their lines and fields."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from curation.base.web.refusals import BadInput


class Advised(str):
    """A sentence of a fault that ends with advice for the command line.

    Attributes:
        fault: the sentence without the advice.
        option: the option of the command that would help.
    """

    fault: str
    option: str

    def __new__(cls, fault: str, advice: str, option: str) -> "Advised":
        made = super().__new__(cls, f"{fault} {advice}")
        made.fault, made.option = fault, option
        return made


@dataclass(frozen=True)
class Problem:
    """A fault with its file, line and field.

    Attributes:
        differs: whether the line differs from what is stored under its id.
    """

    file: str
    line: int
    field: str
    sentence: str
    differs: bool = False

    @property
    def fault(self) -> str:
        """The sentence without advice for the command line."""
        return self.sentence.fault if isinstance(self.sentence, Advised) else self.sentence

    @property
    def option(self) -> str:
        """The option of the command that would help; "" for none."""
        return self.sentence.option if isinstance(self.sentence, Advised) else ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.field}: {self.sentence}"


class FileRefused(BadInput):
    """A file cannot be imported, and nothing of it was stored.

    Attributes:
        counts: how many of its lines are new, stored already or changed; empty where that was not
            found out.
    """

    code = "file_refused"

    def __init__(
        self, problems: Iterable[Problem], counts: Mapping[str, int] | None = None
    ) -> None:
        self.problems = sorted(problems, key=lambda p: p.line)
        self.counts = dict(counts or {})
        super().__init__("\n".join(map(str, self.problems)))


@dataclass
class Faults:
    """The faults found so far in one file."""

    file: str
    found: list[Problem] = field(default_factory=list)

    def add(self, line: int, name: str, sentence: object, *, differs: bool = False) -> None:
        words = sentence if isinstance(sentence, Advised) else str(sentence)
        self.found.append(Problem(self.file, line, name, words, differs))

    def refuse(self, counts: Mapping[str, int] | None = None) -> None:
        """Refuse the file if it has any fault.

        Args:
            counts: as in `FileRefused`.

        Raises:
            FileRefused: there is a fault.
        """
        if self.found:
            raise FileRefused(self.found, counts)

    def counts(
        self, lines: Iterable[int], stored: Collection[int], revised: Collection[int] = ()
    ) -> dict[str, int]:
        """Return how many lines are new, stored as they are, and changed.

        Lines with a fault other than a difference are not counted.

        Args:
            lines: their numbers.
            stored: the numbers of those whose id is stored already.
            revised: the numbers of those that change what is stored, as wanted.
        """
        changed = {problem.line for problem in self.found if problem.differs} | set(revised)
        faulty = {problem.line for problem in self.found if not problem.differs}
        counted = Counter(
            "added" if line not in stored else "changed" if line in changed else "unchanged"
            for line in lines
            if line not in faulty
        )
        return {name: counted[name] for name in ("added", "unchanged", "changed")}


MANY = 20  # faults; more are also told by their kinds
_FIRST_LINES = 5
# What differs between two faults of a kind: quoted values and numbers.
_VALUE = re.compile(r'"[^"]*"?|“[^”]*”|\d[\d,.]*')
_INDEX = re.compile(r"\[\d+\]|(?<=[a-z])\..*")


def by_kind(faults: Iterable[tuple[int, str, str]]) -> list[dict[str, Any]]:
    """Return the kinds of faults, the most frequent first, each with its first lines.

    Args:
        faults: line, field and sentence of each.
    """
    kinds: dict[tuple[str, str], list[tuple[int, str, str]]] = {}
    for line, name, sentence in faults:
        kind = (_INDEX.sub("", name), _VALUE.sub("", sentence))
        kinds.setdefault(kind, []).append((line, name, sentence))
    found = []
    for (name, _kind), held in sorted(kinds.items(), key=lambda one: -len(one[1])):
        lines = list(dict.fromkeys(line for line, _name, _sentence in held))
        shown = ", ".join(map(str, lines[:_FIRST_LINES]))
        more = ", …" if len(lines) > _FIRST_LINES else ""
        found.append(
            {"count": len(held), "field": name, "sentence": held[0][2], "lines": shown + more}
        )
    return found
