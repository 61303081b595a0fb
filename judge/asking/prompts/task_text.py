"""The texts of tasks for prompts, with what models get of their files."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from curation.tasks.file_views.model_files import ModelFile, model_files
from curation.tasks.task.models import AnswerForm, Task
from judge.asking.providers import inputs

# Methods of judging say it, and they stand above the prompts: so they register here.


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


_KINDS = {
    ".pdf": "PDF", ".png": "picture", ".jpg": "picture", ".webp": "picture",
    ".docx": "Word document", ".xlsx": "Excel workbook", ".pptx": "PowerPoint presentation",
    ".csv": "CSV table", ".txt": "text", ".md": "text",
}  # fmt: skip
_PARTS = {
    "page": "Page {}",
    "slide": "Slide {}",
    "sheet": "Sheet {}",
    "hidden_sheet": "Sheet {}, hidden",
}
_CUT = {
    "characters": "{} of {} characters are given",
    "pages": "only the first {} of {} pages were read",
    "slides": "only the first {} of {} slides were read",
    "rows": "only the first {} of {} rows were read",
    "cells": "only the first {} cells were read",
    "pictures": "{} of {} pictures are given",
    "hidden": "{} of {} characters are seen by its readers; the others are not given",
}


def task_text(task: Task) -> inputs.TaskText:
    """Return the texts of a task that a model may see, without the reference answer.

    Three queries at most, one where the task has no files, and for another form of answer than a
    text those of the note on it.
    """
    return task_texts([task])[task.pk]


def task_texts(tasks: Iterable[Task]) -> dict[int, inputs.TaskText]:
    """Return the texts of tasks by primary key, with as many queries as for one task."""
    found = {task.pk: task for task in tasks}
    files, notes = model_files(found), notes_on(found.values())
    return {
        pk: inputs.TaskText(
            id=task.key,
            title=task.title,
            language=task.language,
            domain=task.domain.name,
            scenario=task.scenario,
            materials=task.materials,
            requirements=task.requirements,
            files=_files(files.get(pk, [])),
            answer_note=notes.get(pk, ""),
        )
        for pk, task in found.items()
    }


def _files(files: Iterable[ModelFile]) -> tuple[inputs.TaskFile, ...]:
    made: list[inputs.TaskFile] = []
    number = 0
    for file in files:
        pictures = []
        for picture in file.pictures:
            number += 1
            place = f", {picture.part} {picture.label}" if picture.part else ""
            pictures.append(
                inputs.Picture(
                    label=f"Picture {number} ({file.name}{place})",
                    content_type=picture.content_type,
                    sha256=picture.sha256,
                    size=picture.size,
                    width=picture.width,
                    height=picture.height,
                    read=picture.read,
                )
            )
        made.append(
            inputs.TaskFile(
                name=file.name,
                kind=_KINDS.get(file.ending, "file"),
                text="\n\n".join(_sections(file)),
                pictures=tuple(pictures),
                notes=tuple(_notes(file)),
                unread=file.reason,
            )
        )
    return tuple(made)


def _sections(file: ModelFile) -> Iterator[str]:
    for section in file.sections:
        title = _PARTS.get(section.part, "").format(section.label)
        yield f"[{title}]\n{section.text}" if title else section.text


def _notes(file: ModelFile) -> Iterator[str]:
    for what, (kept, of) in sorted(file.cut.items()):
        yield f"Left out: {_CUT[what].format(f'{kept:,}', f'{of or 0:,}')}"
    if file.unread_pictures:
        yield f"Left out: pictures and charts in the document ({file.unread_pictures})"
