"""What a senior makes of an anchor's sheets where they change a line or two scorers differ.

The scorers' sheets are never touched: the result is a sheet of its own, and it is the anchor's.
"""

from collections.abc import Collection, Mapping
from typing import Any

from django.utils import timezone

from curation.tasks.models import Task
from curation.text import storable
from judge.agreement.models import Adjudication
from judge.agreement.units import Kind, rulings
from judge.anchors.models import Anchor, MetaEvaluation
from judge.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion

RATER = "settled"  # whose word a settled sheet is


def differing(first: Sheet, second: Sheet | None) -> frozenset[int]:
    """The ids of the lines on which two scorers' verdicts differ."""
    if second is None:
        return frozenset()
    said = [dict(sheet.lines.values_list("criterion_id", "met")) for sheet in (first, second)]
    return frozenset(pk for pk, met in said[0].items() if said[1].get(pk) != met)


def settle_anchor(
    *,
    actor: Any,
    evaluation: MetaEvaluation,
    sheet: Sheet,
    said: Mapping[int, tuple[bool, str]],
    counts: Mapping[int, bool],
) -> Sheet:
    """Write the sheet that counts: corrected lines with the senior's verdict and reason.

    The others keep the (first) scorer's. Runs inside the senior's decision.

    Args:
        said: criterion id -> (agrees, remark).
        counts: criterion id -> the senior's verdict.
    """
    now = timezone.now()
    settled = Sheet.objects.create(
        response=sheet.response,
        version=sheet.version,
        kind=Sheet.Kind.EXPERT,
        purpose=Sheet.Purpose.SETTLED,
        rater=RATER,
        user=actor,
        state=Sheet.State.SUBMITTED,
        saved_at=now,
        submitted_at=now,
    )
    SheetLine.objects.bulk_create(
        SheetLine(
            sheet=settled,
            criterion_id=line.criterion_id,
            met=counts.get(line.criterion_id, line.met),
            rationale=storable.clean(said[line.criterion_id][1])
            if line.criterion_id in counts
            else line.rationale,
            at=now,
        )
        for line in sheet.lines.order_by("criterion__position", "criterion_id")
    )
    return settled


def rule_on(
    *,
    actor: Any,
    anchor: Anchor,
    disputed: Collection[int],
    said: Mapping[int, tuple[bool, str]],
    counts: Mapping[int, bool],
) -> None:
    """Record the senior's verdicts on lines where two scorers differ, among all other rulings."""
    if not disputed:
        return
    last = rulings(Kind.SHEET, Task.objects.filter(pk=anchor.task_id))
    lines = Criterion.objects.in_bulk(list(disputed))
    for pk in sorted(disputed):
        line = lines[pk]
        before = last.get((anchor.task_id, anchor.response_id, line.key, line.text))
        Adjudication.objects.create(
            kind=Kind.SHEET,
            task_id=anchor.task_id,
            response_id=anchor.response_id,
            criterion=line,
            number=before.number + 1 if before else 1,
            ruling=Adjudication.Ruling.MET if counts[pk] else Adjudication.Ruling.UNMET,
            reason=storable.clean(said[pk][1]),
            senior=actor,
        )
