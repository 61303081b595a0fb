"""Kinds of failures of calls and responses, in words."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

from judge.asking.providers.base import ErrorKind, Stop
from judge.methods.base import registry

# kind of failure -> (its name, what was done about it)
_KINDS: Mapping[str, tuple[Any, Any]] = {
    ErrorKind.RATE_LIMITED: (
        gettext_lazy("Rate limited"),
        gettext_lazy("waited as told, fewer at once"),
    ),
    ErrorKind.TIMEOUT: (gettext_lazy("Timed out"), gettext_lazy("tried again")),
    ErrorKind.CONNECTION: (gettext_lazy("No connection"), gettext_lazy("tried again")),
    ErrorKind.SERVER: (gettext_lazy("Error of the provider"), gettext_lazy("tried again")),
    ErrorKind.CONTENT_FILTER: (
        gettext_lazy("Content filter"),
        gettext_lazy("cannot be tried again"),
    ),
    ErrorKind.CONTEXT_TOO_LONG: (
        gettext_lazy("Too long for the model"),
        gettext_lazy("cannot be tried again"),
    ),
    ErrorKind.PICTURE_GONE: (
        gettext_lazy("A picture of the task is gone"),
        gettext_lazy("cannot be tried again"),
    ),
    ErrorKind.AUTH: (gettext_lazy("Key refused"), gettext_lazy("the run pauses")),
    ErrorKind.UNKNOWN_MODEL: (gettext_lazy("Unknown model"), gettext_lazy("the run pauses")),
    ErrorKind.BAD_REQUEST: (
        gettext_lazy("Request refused"),
        gettext_lazy("before any answer, the run pauses; after one, it cannot be tried again"),
    ),
    Stop.TRUNCATED: (
        gettext_lazy("Needs more output tokens"),
        gettext_lazy("asked once more with twice as many, then in halves"),
    ),
    Stop.FILTERED: (
        gettext_lazy("Reply filtered"),
        gettext_lazy("cannot be tried again"),
    ),
    Stop.REFUSAL: (gettext_lazy("Refused to judge"), gettext_lazy("not asked again")),
    Stop.OTHER: (
        gettext_lazy("Ended for a reason we do not know"),
        gettext_lazy("read if it is whole, else asked again"),
    ),
    "unreadable": (
        gettext_lazy("Reply could not be read"),
        gettext_lazy("repaired, or asked again"),
    ),
    "missing": (gettext_lazy("Lines missing"), gettext_lazy("asked again for these lines only")),
    "conflicting": (
        gettext_lazy("Two verdicts on one line"),
        gettext_lazy("asked again for these lines only"),
    ),
    "batch_unanswered": (
        gettext_lazy("Not answered in a batch"),
        gettext_lazy("sent in the next batch"),
    ),
    "internal_error": (gettext_lazy("An error on our side"), gettext_lazy("recorded in the log")),
    **{
        code: (words, gettext_lazy("asked again, at most twice"))
        for code, words in registry.faults().items()
    },
}


def name_of(code: str) -> str:
    """Return a kind of failure in words; the code itself if it is unknown."""
    return str(_KINDS[code][0]) if code in _KINDS else code.replace("_", " ")


def done_about(code: str) -> str:
    """Return what is done about a kind of failure; "" if it is unknown."""
    return str(_KINDS[code][1]) if code in _KINDS else ""
