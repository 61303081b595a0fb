"""A task as a line of a file has it, checked and in the form in which it is stored."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from django.utils.text import Truncator

from curation.tasks.task.models import AnswerForm
from judge.gold.transfer import exact_line
from judge.gold.transfer.exact_line import Exact
from judge.gold.transfer.task_files import FoundFile


@dataclass(frozen=True)
class Wanted:
    """A task as the file has it."""

    line: int
    key: str
    domain: str
    category: str
    language: str
    labels: list[str]
    texts: dict[str, str]
    facts: dict[str, Any]  # title, minutes, …: those that the line has
    rubric: tuple[dict[str, Any], ...]
    form: str  # of the answer
    exact: Exact | None  # for a task with an exact answer
    demand: dict[str, Any] | None
    files: tuple[FoundFile, ...] | None  # None: the line says nothing of files

    @property
    def sha256(self) -> str:
        content: list[Any] = [self.domain, self.category, self.language, self.labels]
        content += [self.texts, self.rubric]
        # Appended only where there are any, so that the hashes of older imports still match.
        content += [self.facts] if self.facts else []
        content += [[file.mark for file in self.files]] if self.files is not None else []
        content += [exact_line.plain(self.exact)] if self.exact is not None else []
        if self.form not in (AnswerForm.TEXT, AnswerForm.EXACT):
            content += [self.form, self.demand]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    @property
    def title(self) -> str:
        """The beginning of the requirements, for a line without a title."""
        return Truncator(" ".join(self.texts["requirements"].split())).chars(80)

    @property
    def draft_texts(self) -> dict[str, str]:
        """The texts of a draft; the words of an exact answer are written with the answer."""
        exact = self.exact is not None
        return {n: text for n, text in self.texts.items() if not exact or n != "reference_answer"}
