"""What candidates are told about the form of their answer, where a task asks for more than a text.

Methods of judging say it, and they stand above the prompts: so they register here.
"""

from collections.abc import Callable, Iterable, Mapping

from curation.tasks.task.models import AnswerForm, Task

Notes = Callable[[Iterable[Task]], Mapping[int, str]]
_sources: list[Notes] = []


def register(notes: Notes) -> None:
    """Add a source of notes: tasks -> note by primary key. Idempotent."""
    if notes not in _sources:
        _sources.append(notes)


def notes_on(tasks: Iterable[Task]) -> Mapping[int, str]:
    """Return the notes on tasks by primary key; a task that asks for a text has none."""
    others = [task for task in tasks if task.answer_form != AnswerForm.TEXT]
    return {pk: note for source in _sources if others for pk, note in source(others).items()}
