"""Markup as tests compare it: what a browser shows does not depend on how a template is broken."""

import re


def one_line(page: str) -> str:
    """Return markup without line breaks: none between tags, one space between attributes."""
    text = re.sub(r"(?<=>)[ \t]*\n\s*|[ \t]*\n\s*(?=<|/?>)", "", page)
    return re.sub(r"\s*\n\s*", " ", text)


def words_of(markup: str) -> str:
    """Return the words of markup as a browser shows them, with single spaces."""
    return re.sub(r"[ \t\r\n]+", " ", re.sub(r"<[^>]+>", "", markup)).strip()


def without_tokens(page: str) -> str:
    """Return a page without its form tokens, as their letters may hold any short word."""
    page = re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", page)
    return re.sub(r'"X-CSRFToken": "[^"]+"', "", page)
