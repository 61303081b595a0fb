"""Store what was read of responses: verdicts on lines, and findings.

Verdicts go by a hand-written statement, as a response has some seventeen of them.

`bulk_create` makes an expression of every value; for verdicts, which have no defaults, that costs
as much as all other writing of a run (docs/decisions/0001-stack.md has the figures).
"""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from django.db import connection

from judge.asking.calls.record import storable, storable_data
from judge.methods.base.values import FAILED
from judge.runs.engine.events import Ended, Found
from judge.runs.engine.models import Finding

ROWS = 4_000  # in one statement of SQLite, which takes 32,766 values


class Row(NamedTuple):
    """One line's verdict, in the order of the columns."""

    judgment: int
    criterion: int
    outcome: str
    why: str = ""
    reason: str = ""


_INSERT = "INSERT INTO judge_verdict (judgment_id, criterion_id, outcome, why, reason) "
_LISTS = "SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::text[])"


def insert(rows: Sequence[Row]) -> None:
    """Insert verdicts; call it in the transaction that stores their calls."""
    if not rows:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_INSERT + _LISTS, [list(column) for column in zip(*rows, strict=True)])
            return
        for start in range(0, len(rows), ROWS):
            part = rows[start : start + ROWS]
            values = ", ".join(["(%s, %s, %s, %s, %s)"] * len(part))
            cursor.execute(f"{_INSERT}VALUES {values}", list(chain.from_iterable(part)))


def store(found: Sequence[Found], ended: Sequence[Ended]) -> None:
    """Store what was read, and what failed; call it in the transaction that stores their calls."""
    verdicts = [row for one in found for row in _verdicts(one)]
    findings = [
        Finding(judgment_id=one.job.judgment, name=name, data=storable_data(data))
        for one in found
        for name, data in one.findings.items()
    ]
    for event in ended:
        pks, judgment = event.job.material.line_pks, event.job.judgment
        for name, reason in event.reasons.items():
            if name in pks:
                verdicts.append(Row(judgment, pks[name], FAILED, reason=reason))
            else:
                findings.append(Finding(judgment_id=judgment, name=name, reason=reason))
    insert(verdicts)
    if findings:
        Finding.objects.bulk_create(findings)


def _verdicts(found: Found) -> list[Row]:
    pks = found.job.material.line_pks
    return [
        Row(found.job.judgment, pks[name], outcome, storable(why))
        for name, (outcome, why) in found.verdicts.items()
    ]
