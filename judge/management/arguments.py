"""Types of the commands' options."""

import argparse
from decimal import Decimal, InvalidOperation

from django.utils.translation import gettext as _

from curation.base.text.storable import problem_with
from judge.asking.calls.cost import MILLION


def names(text: str) -> list[str]:
    """Parse a comma-separated list, without blanks and repetitions."""
    problem = problem_with(text)
    if problem:
        raise argparse.ArgumentTypeError(problem)
    found = [part.strip() for part in text.split(",") if part.strip()]
    if not found:
        raise argparse.ArgumentTypeError(_("Name at least one, separated by commas."))
    return list(dict.fromkeys(found))


def dollars(text: str) -> int:
    """Parse an amount of dollars into micro-dollars."""
    try:
        amount = Decimal(text.strip().lstrip("$"))
    except InvalidOperation:
        amount = Decimal("nan")
    if not amount.is_finite() or amount < 0 or amount > 10**9:
        raise argparse.ArgumentTypeError(
            _("“%(text)s” is not an amount of dollars.") % {"text": text}
        )
    return int(amount * MILLION)
