"""The messages of an import for the terminal."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

LINES_NAMED = 50


def summary(what: str, added: int, unchanged: int, revised: int = 0) -> str:
    """Return the sentences that say what was stored.

    Args:
        what: "tasks", "responses" or "sheets".
    """
    sentences = []
    if added or not (unchanged or revised):
        sentences.append(
            {
                "tasks": ngettext("%(n)s task added.", "%(n)s tasks added.", added),
                "responses": ngettext("%(n)s response added.", "%(n)s responses added.", added),
                "sheets": ngettext("%(n)s sheet added.", "%(n)s sheets added.", added),
            }[what]
            % {"n": f"{added:,}"}
        )
    if unchanged:
        sentences.append(
            {
                "tasks": ngettext(
                    "%(n)s task already there, unchanged.",
                    "%(n)s tasks already there, unchanged.",
                    unchanged,
                ),
                "responses": ngettext(
                    "%(n)s response already there, unchanged.",
                    "%(n)s responses already there, unchanged.",
                    unchanged,
                ),
                "sheets": ngettext(
                    "%(n)s sheet already there, unchanged.",
                    "%(n)s sheets already there, unchanged.",
                    unchanged,
                ),
            }[what]
            % {"n": f"{unchanged:,}"}
        )
    if revised:
        sentences.append(
            ngettext(
                "%(n)s task got a new version of its rubric.",
                "%(n)s tasks got a new version of their rubric.",
                revised,
            )
            % {"n": f"{revised:,}"}
        )
    return " ".join(sentences)


def replaced_text(counts: Mapping[int, int]) -> str:
    """Return the sentence on replaced characters; it lists at most LINES_NAMED lines.

    Args:
        counts: line -> number of characters replaced by U+FFFD.
    """
    total = sum(counts.values())
    found = ngettext(
        "%(n)s character that cannot be stored is U+FFFD now:",
        "%(n)s characters that cannot be stored are U+FFFD now:",
        total,
    ) % {"n": f"{total:,}"}
    lines = [
        _("%(n)s on line %(line)s") % {"n": f"{n:,}", "line": line}
        for line, n in sorted(counts.items())[:LINES_NAMED]
    ]
    if rest := len(counts) - len(lines):
        lines.append(
            ngettext("more on %(n)s further line", "more on %(n)s further lines", rest)
            % {"n": f"{rest:,}"}
        )
    return f"{found} {', '.join(lines)}."
