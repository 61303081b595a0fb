"""Parts of prompts: texts without hidden characters, names of languages, files of a task."""

import hashlib
import json
import re

from judge.asking.prompts import PromptFile, load
from judge.asking.providers.inputs import TaskFile, TaskText

# Control characters other than tab and newline; signs that change the reading direction or are
# invisible (tags and variation selectors have been used to hide orders from human readers); lone
# surrogates, which cannot be encoded.
_UNREADABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069"
    "\ufeff\U000e0000-\U000e007f\U000e0100-\U000e01ef\ud800-\udfff]"
)


def clean(text: str) -> str:
    """Return `text` with `\\n` line ends, without invisible and unencodable characters."""
    # Most texts have nothing to remove, and this test is twenty times faster than the pattern.
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return _UNREADABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def inline(text: str) -> str:
    """Return `text` clean, on one line."""
    return " ".join(clean(text).split())


_NAMES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "ja": "Japanese",
    "ko": "Korean",
    "pt": "Portuguese",
    "it": "Italian",
    "ru": "Russian",
}


def language_name(tag: str) -> str:
    """Return the name of a language by its tag; for one we do not know, that of the task."""
    return (
        "Simplified Chinese"
        if tag.lower().startswith("zh")
        else _NAMES.get(tag.lower().split("-")[0].split("_")[0], "the language of the task")
    )


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
