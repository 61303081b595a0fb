"""Usage: python -m curation.base.file_contents.reader COMMAND ARGUMENT <FILE >JSON.

Commands: read ENDING, page NUMBER, sheets - (the argument is not used).
"""

import base64
import json
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module

from curation.base.file_contents import limits
from curation.base.file_contents.reader.found import Found

# Module and function; only what a file needs is imported, since every reading starts again.
READERS = {
    ".pdf": ("pdf", "read"),
    ".docx": ("office", "read_document"),
    ".pptx": ("office", "read_slides"),
    ".xlsx": ("workbooks", "read"),
    ".csv": ("tables", "read"),
    ".txt": ("texts", "read"),
    ".md": ("texts", "read_markdown"),
    ".png": ("pictures", "read"),
    ".jpg": ("pictures", "read"),
    ".webp": ("pictures", "read"),
}


def main(command: str, argument: str) -> None:
    """Read the file on standard input and write what was found as JSON."""
    if command == "sheets":
        _write_sheets()
        return
    read = _reader(command, argument)  # imported before the limits, so that Python may cache it
    _limit_this_process(limits.PAGE_SECONDS if command == "page" else limits.SECONDS)
    data = sys.stdin.buffer.read()
    try:
        found = read(data)
    except Exception:  # damaged in a way no library has a name for; the file is refused, not us
        found = Found(reason="unreadable")
    written = {
        "sections": [[s.kind, s.part, s.label, s.text] for s in found.sections],
        "pages": found.pages,
        "cut": found.cut,
        "reason": found.reason,
        "unread_pictures": found.unread_pictures,
        "elsewhere": found.elsewhere,
        "pictures": [
            {
                "number": p.number,
                "content_type": p.content_type,
                "width": p.width,
                "height": p.height,
                "place": p.place,
                "data": base64.b64encode(p.data).decode(),
            }
            for p in found.pictures
        ],
    }
    sys.stdout.write(json.dumps(written))


def _write_sheets() -> None:
    from curation.base.file_contents.reader import sheets

    _limit_this_process(limits.SECONDS)
    found: dict[str, object] = {"sheets": [], "reason": ""}
    try:
        found["sheets"] = sheets.read(sys.stdin.buffer.read())
    except sheets.TooLargeError:
        found["reason"] = "too_large"
    except Exception:  # damaged in a way no library has a name for
        found["reason"] = "unreadable"
    sys.stdout.write(json.dumps(found))


def _reader(command: str, argument: str) -> Callable[[bytes], Found]:
    if command == "page":
        from curation.base.file_contents.reader import pdf

        return partial(pdf.page, number=int(argument))
    module, function = READERS[argument]
    found: Callable[[bytes], Found] = getattr(
        import_module(f"curation.base.file_contents.reader.{module}"), function
    )
    return found


def _limit_this_process(seconds: int) -> None:
    try:
        import resource
    except ImportError:  # Windows: the caller's time limit remains
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (limits.MEMORY, limits.MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # it writes no file
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # nor what it had in memory, if it crashes
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))  # it starts no process; root is exempt


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
