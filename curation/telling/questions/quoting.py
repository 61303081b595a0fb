"""Finds in a text for everybody what would tell of which task it speaks. Pure."""

import re
from collections.abc import Iterable

from django.utils.translation import gettext as _

from curation.base.text import storable
from curation.base.text.personal_data import people_named

RUN = 8  # words in a row, or Chinese characters, that count as a quotation
_TOKEN = re.compile(r"[\u3040-\u9fff]|[^\W_]+")
_PSEUDONYM = re.compile(r"\b(?:Expert|Staff)\s+\d+\b|(?:专家|工作人员)\s*\d+", re.IGNORECASE)


def problem_with(text: str, sources: Iterable[str]) -> str:
    """Say in a sentence why a text must not be shared with a domain; "" if nothing was found.

    Args:
        sources: the texts of the task, its lines and its title.
    """
    if _PSEUDONYM.search(text) or storable.addresses(text) or people_named(text):
        return _("Name nobody here, not by a pseudonym either.")
    quoted = quotation(text, sources)
    if quoted:
        return _(
            "This quotes the task (“… %(words)s …”). Say it in words that fit any task: others "
            "may still have to work on this one without knowing it."
        ) % {"words": quoted}
    return ""


def quotation(text: str, sources: Iterable[str]) -> str:
    """Return the first run of words that a text has in common with a source; "" if none.

    A source of fewer words than a run counts where the text has the whole of it, from four words.
    """
    tokens = _tokens(text)
    for source in sources:
        theirs = _tokens(source)
        size = min(RUN, len(theirs))
        if size < 4:
            continue
        runs = {tuple(theirs[n : n + size]) for n in range(len(theirs) - size + 1)}
        for n in range(len(tokens) - size + 1):
            run = tuple(tokens[n : n + size])
            if run in runs:
                return ("" if len(run[0]) == 1 else " ").join(run)
    return ""


def _tokens(text: str) -> list[str]:
    return [match.group().casefold() for match in _TOKEN.finditer(text)]
