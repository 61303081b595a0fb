"""Why a call failed, in the reader's language: our own sentences; a vendor's stay as they came."""

import re
from collections.abc import Mapping
from datetime import datetime

from django.utils.translation import gettext, gettext_noop

from curation.base.web.dates import day
from judge.asking.providers.base import ErrorKind

# As `judge.asking.providers` writes them; (…) marks what changes from call to call.
_SENTENCES = (
    gettext_noop("No connection to the provider (%(fault)s)."),
    gettext_noop("No complete reply within %(seconds)s s."),
    gettext_noop("The provider's address or key cannot be used (%(fault)s)."),
    gettext_noop("The provider's address answers with a redirect (%(status)s)."),
    gettext_noop("The provider answered with a web page instead of a reply."),
    gettext_noop("The reply is not complete JSON."),
    gettext_noop("The reply is JSON, but not an object."),
    gettext_noop("The reply could not be decoded."),
    gettext_noop("The reply could not be read: %(fault)s"),
    gettext_noop("The reply needs more output tokens than it may have."),
    gettext_noop("All output tokens went into the model's thoughts: it needs more of them."),
    gettext_noop("The reply has no content."),
    gettext_noop("The reply has no message."),
    gettext_noop("The provider broke the reply off."),
    gettext_noop("HTTP 200 with an error: %(fault)s"),
    gettext_noop("The address leads into a private network, so it was not called."),
    gettext_noop("%(variable)s is not set."),
    gettext_noop("The call broke on our side."),
)

# `reason_of` puts the kind of the failure before the sentence, which says as much.
_KINDS = f"(?:{'|'.join(kind.replace('_', ' ') for kind in ErrorKind)})"


def _pattern(sentence: str) -> re.Pattern[str]:
    parts = re.split(r"%\((\w+)\)s", sentence)
    named = [f"(?P<{part}>.+)" if n % 2 else re.escape(part) for n, part in enumerate(parts)]
    return re.compile(f"(?:{_KINDS}: )?" + "".join(named), re.DOTALL)


_KNOWN = [(sentence, _pattern(sentence)) for sentence in _SENTENCES]


def in_words(detail: str) -> str:
    """Return a stored fault, translated where the sentence is our own.

    Args:
        detail: the detail of a call, or what `judge.asking.calls.record.reason_of` made of it.
    """
    for sentence, pattern in _KNOWN:
        if found := pattern.fullmatch(detail):
            return gettext(sentence) % found.groupdict()
    return gettext(detail) if detail else ""


def facts_in_words(facts: Mapping[str, object]) -> dict[str, object]:
    """Return the facts of a stored reason with its fault, if there is one, as `in_words`.

    A time under “until” (ISO 8601) is shown in the reader's time zone.
    """
    return {
        name: _fact(name, fact) if isinstance(fact, str) else fact for name, fact in facts.items()
    }


def _fact(name: str, fact: str) -> str:
    if name == "until":
        return day(datetime.fromisoformat(fact), with_clock=True, with_zone=True)
    return in_words(fact) if name in ("detail", "problem") else fact
