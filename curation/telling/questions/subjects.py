"""What a question can be about besides a task: lines of its rubric, and rules.

Rubrics and the rules of the linter are in an app above, which registers how they are found.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from curation.telling.guidelines.models import Guideline, GuidelineVersion

_HEADING = re.compile(r"^#{1,4}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
RULE_LIMIT = 200  # characters
GUIDELINE, LINTER = "guideline", "linter"


@dataclass(frozen=True)
class LineOfTask:
    """A line of a rubric: its key, its number from 1, and its words."""

    key: str
    number: int
    text: str


LinesSource = Callable[[Any, Any], list[LineOfTask]]
TextsSource = Callable[[Any], list[str]]
RulesSource = Callable[[], dict[str, Any]]
_lines: list[LinesSource] = []
_texts: list[TextsSource] = []
_rules: list[RulesSource] = []


def register(lines: LinesSource, texts: TextsSource, rules: RulesSource) -> None:
    """Register the sources of lines and of the linter's rules.

    Args:
        lines: person and task -> the lines this person may read; empty where it is none.
        texts: task -> the words of all its lines, whoever may read them.
        rules: () -> code of a rule -> its name.
    """
    if lines not in _lines:
        _lines.append(lines)
        _texts.append(texts)
        _rules.append(rules)


def lines_for(user: Any, task: Any) -> list[LineOfTask]:
    """Return the lines of a task's rubric that a person may read."""
    return [line for source in _lines for line in source(user, task)]


def all_line_texts(task: Any) -> list[str]:
    """Return the words of all lines of a task, to compare a text with; never to be shown."""
    return [text for source in _texts for text in source(task)]


def linter_rules() -> dict[str, Any]:
    """Return the linter's rules: code -> name in the reader's language."""
    return {code: name for source in _rules for code, name in source().items()}


def headings(text: str) -> list[str]:
    """Return the headings of a guideline in order, each once."""
    found = (match.group(1).strip()[:RULE_LIMIT] for match in _HEADING.finditer(text))
    return list(dict.fromkeys(found))


def guideline_rules(domain: int) -> list[str]:
    """Return the rules that hold in a domain: headings of its guideline and the programme's.

    Two queries.
    """
    mine = Guideline.objects.filter(domain=domain) | Guideline.objects.filter(domain=None)
    current = dict(mine.filter(current__gt=0).values_list("pk", "current"))
    rows = GuidelineVersion.objects.filter(guideline__in=current).order_by("guideline__domain")
    texts = [row.text for row in rows if row.number == current[row.guideline_id]]
    return list(dict.fromkeys(rule for text in texts for rule in headings(text)))
