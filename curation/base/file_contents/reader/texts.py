"""Plain text and Markdown."""

from curation.base.file_contents.reader.found import Found, TextBudget


def read(data: bytes) -> Found:
    """Read a text in UTF-8."""
    return _read(data, "text")


def read_markdown(data: bytes) -> Found:
    """Read a text in UTF-8 that is Markdown."""
    return _read(data, "markdown")


def _read(data: bytes, kind: str) -> Found:
    found = Found()
    text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    TextBudget(found).add(kind, text)
    if not found.sections:
        found.reason = "empty"
    return found
