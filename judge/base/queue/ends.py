"""How a worker ended that did not give its work back: a short code, stored, and its words."""

import signal
from typing import Any

from django.utils.translation import gettext as _

from judge.base.queue import exit_statuses

FROZEN = "frozen"
SEVERAL = "several"  # several workers ended, not seen how


def end_of(status: int) -> str:
    """Return the code of an exit status, negative for a signal, as `subprocess` gives it."""
    if status in (exit_statuses.FROZEN, exit_statuses.FROZEN_INTERPRETER):
        return FROZEN
    return f"signal {-status}" if status < 0 else f"status {status}"


def end_in_words(code: str) -> Any:
    """Say how the worker ended, in a sentence for staff."""
    how, _space, number = code.partition(" ")
    if code == f"signal {signal.SIGKILL:d}":
        return _("The system killed its process, as it does when memory runs out.")
    if how == "signal":
        return _("Its process crashed with signal %(n)s.") % {"n": number}
    if how == "status":
        return _("Its process ended by itself, with status %(n)s.") % {"n": number}
    if code == FROZEN:
        return _("It computed too long without a sign of life, so its process was ended.")
    return _("Several workers ended while they had it.")
