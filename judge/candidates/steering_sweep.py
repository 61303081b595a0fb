"""A chore: responses that nobody has looked at for attempts to steer a judge, or by older rules."""

import time
from dataclasses import asdict

from django.db import transaction

from judge.candidates import steering_rules
from judge.candidates.models import Response

AT_ONCE = 50  # responses whose texts are held in memory, and stored in one transaction
SECONDS = 2.0  # of one sweep: what an import brings is looked at soon, and other work goes on


def look_for_steering() -> int:
    """Mark responses for people to look at; how many were looked at. Verdicts are untouched."""
    until, looked = time.monotonic() + SECONDS, 0
    while True:
        rows = Response.objects.filter(marks_version__lt=steering_rules.VERSION)
        found = list(rows.order_by("marks_version").values_list("pk", "text")[:AT_ONCE])
        # The rules take their time: no transaction is open meanwhile.
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
