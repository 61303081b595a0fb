"""The periodic job that looks for attempts to steer a judge in new responses."""

import time
from dataclasses import asdict

from django.db import transaction

from judge.asking.candidates import steering_rules
from judge.asking.candidates.models import Response

AT_ONCE = 50  # responses whose texts are held in memory, and stored in one transaction
SECONDS = 2.0  # of one sweep, so that a large import does not hold up other work


def look_for_steering() -> int:
    """Store the marks of responses that the present rules have not seen; return their number."""
    until, looked = time.monotonic() + SECONDS, 0
    while True:
        rows = Response.objects.filter(marks_version__lt=steering_rules.VERSION)
        found = list(rows.order_by("marks_version").values_list("pk", "text")[:AT_ONCE])
        # Run the rules outside the transaction, because they take long.
        seen = [(pk, steering_rules.marks(text)) for pk, text in found]
        with transaction.atomic():
            for pk, marks in seen:
                Response.objects.filter(pk=pk).update(
                    marks=[asdict(mark) for mark in marks],
                    marked=bool(marks),
                    marks_version=steering_rules.VERSION,
                )
        looked += len(found)
        if len(found) < AT_ONCE or time.monotonic() > until:
            return looked
