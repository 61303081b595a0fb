"""How the files of a task stand in a prompt: within the materials, each between markers."""

import hashlib
import json

from judge.asking.prompts import PromptFile, load
from judge.asking.prompts.cleaning import clean, inline
from judge.asking.providers.inputs import TaskFile, TaskText


def with_files(materials: str, task: TaskText) -> str:
    """Return the materials and after them the files; the same bytes as before without files.

    Args:
        materials: the materials as written, clean; "" if there are none.
    """
    if not task.files:
        return materials
    template = load("files")
    texts = [_facts(file) for file in task.files]
    token = hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]
    files = "\n\n".join(
        template.fill("file", token=token, name=name, kind=kind, notes=notes, text=text).strip()
        for name, kind, notes, text in texts
    )
    shown = template.fill(
        "files",
        token=token,
        files=files,
        pictures=template.sections["pictures"].rstrip("\n") if task.pictures else "",
    )
    return f"{materials}\n\n{shown}".strip()


def version_of(template: PromptFile, task: TaskText) -> str:
    """Return the version of a prompt about a task: with files, two templates made it."""
    if not task.files:
        return template.version
    return hashlib.sha256(f"{template.version} {load('files').version}".encode()).hexdigest()


def _facts(file: TaskFile) -> tuple[str, str, str, str]:
    labels = ", ".join(picture.label for picture in file.pictures)
    notes = [f"Shown as: {labels}", *file.notes] if labels else file.notes
    return (
        inline(file.name),
        file.kind,
        "".join(f"\n{inline(note)}" for note in notes),
        clean(file.text).strip() or ("(see the picture)" if labels else "(no text)"),
    )
