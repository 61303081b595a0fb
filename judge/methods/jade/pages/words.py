"""Verdicts, answers and gaps of JADE in words."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from judge.methods.evidence.search.interface import Gap, Note
from judge.methods.jade.reading.claims import (
    CONTRADICTS,
    DOES_NOT_SAY,
    NONE_CITED,
    NOT_FOUND,
    NOT_READABLE,
    SUPPORTS,
)
from judge.methods.jade.scoring import Verification, Why

VERDICTS: dict[str, Any] = {
    Verification.SUPPORTED: pgettext_lazy("a claim", "supported"),
    Verification.REFUTED: pgettext_lazy("a claim", "refuted"),
    Verification.UNVERIFIABLE: pgettext_lazy("a claim", "cannot be verified"),
}
NOT_VERIFIED = pgettext_lazy("a claim", "not verified")  # the verifier failed
SHAPES: dict[str, tuple[str, str]] = {  # verdict -> icon, tone
    Verification.SUPPORTED: ("check", "yes"),
    Verification.REFUTED: ("cross", "no"),
    Verification.UNVERIFIABLE: ("ring", "wait"),
}
ANSWERS: dict[str, Any] = {
    "yes": pgettext_lazy("an answer", "yes"),
    "partly": pgettext_lazy("an answer", "partly"),
    "no": pgettext_lazy("an answer", "no"),
}
FLAWS: dict[str, Any] = {  # the answers to a critical flaw
    "yes": pgettext_lazy("a flaw", "there"),
    "partly": pgettext_lazy("a flaw", "partly there"),
    "no": pgettext_lazy("a flaw", "not there"),
}
ENTAILMENTS: dict[str, Any] = {
    SUPPORTS: _("The cited page says so."),
    CONTRADICTS: _("The cited page says something else."),
    DOES_NOT_SAY: _("The cited page does not say so."),
    NOT_FOUND: _("Not found in what was read of the cited page, which was not read whole."),
    NOT_READABLE: _("The cited page cannot be read."),
    NONE_CITED: _("No source is cited."),
}
WHY: dict[str, Any] = {
    Why.NOT_TAKEN_APART: _(
        "The model failed to take the response apart. Continue the run to ask again."
    ),
    Why.NO_EVIDENCE: _("The response has no claim that could be verified, which counts as 0."),
    Why.NO_OUTCOME: _(
        "The verifier failed on a claim. Continue the run to ask again, or decide on the claim "
        "yourself."
    ),
    Why.NO_ANSWER: _(
        "The judge failed on an item. Continue the run to ask again, or answer the item yourself."
    ),
    Why.NO_POSITIVE_WEIGHT: _("No item has a positive weight, so there is nothing to score."),
}
NOTES: dict[str, Any] = {
    Note.INSTRUCTIONS: _("It gives orders to the judge."),
    Note.HIDDEN: _("It has text that readers do not see."),
    Note.INVISIBLE: _("It has characters that nobody sees."),
    Note.CUT: _("Only its beginning was read."),
    Note.ENCODING: _("Its encoding is not the one it names."),
    Note.CHANGED: _("An earlier copy says something else."),
    Note.ALTERED: _("The stored file is not the one that was fetched."),
    Note.REDIRECTED: _("The address led to another one."),
}
GAPS: dict[str, Any] = {
    Gap.NOT_STORED: _("It is not in the source of documents."),
    Gap.DEAD: _("It gave nothing when it was fetched."),
    Gap.PRIVATE: _("It leads into a private network and is never read."),
    Gap.NO_WEB_ADDRESS: _("It is no web address."),
    Gap.LOOP: _("It leads back to itself."),
    Gap.TOO_LARGE: _("It is too large."),
    Gap.UNREADABLE: _("It is of a kind that is not read, or damaged."),
    Gap.EMPTY: _("It has no text."),
    Gap.OUTSIDE: _("Its file lies outside of the source."),
}


def word(words: dict[str, Any], code: str) -> str:
    """Return the words for a code; the code itself for one that is no longer known."""
    return str(words.get(code, code))
