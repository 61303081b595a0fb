"""Plain text and Markdown."""

from curation.file_contents.reader.found import Found, TextBudget


def read(data: bytes) -> Found:
    """Read a text in UTF-8."""
    found = Found()
    text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    TextBudget(found).add("text", text)
    if not found.sections:
        found.reason = "empty"
    return found
