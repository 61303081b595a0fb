"""The lines and rules that somebody can ask about."""

from typing import Any

from curation.base.access.permissions import allows
from curation.tasks.task.queries import writes_its_rubric
from curation.telling.questions import subjects
from curation.telling.questions.subjects import LineOfTask
from rubrics.linter.rules import RULES
from rubrics.versions.queries import lines_of, version_to_read, working_version


def lines_of_task(user: Any, task: Any) -> list[LineOfTask]:
    """Return the lines a person may read: their own version for its author, else a closed one."""
    if not allows(user, "rubric.view", task):
        return []
    mine = working_version(task) if writes_its_rubric(user, task) else None
    lines = lines_of(mine or version_to_read(task))
    return [LineOfTask(line.key, n, line.text) for n, line in enumerate(lines, start=1)]


def texts_of_task(task: Any) -> list[str]:
    """Return the words of the lines in force, and of those that are being refined."""
    versions = (version_to_read(task), working_version(task))
    return [line.text for version in versions for line in lines_of(version)]


def linter_rules() -> dict[str, Any]:
    """Return the rules of the linter: code -> name."""
    return {rule.code: rule.name for rule in RULES}


subjects.register(lines_of_task, texts_of_task, linter_rules)
