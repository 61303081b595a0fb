"""The lines of a file of scores that give one grade for a whole response."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from curation.base.records.faults import Faults
from curation.base.records.json_lines import Record, quoted
from curation.base.text import storable
from judge.asking.candidates.models import Response
from judge.gold.transfer.responses import BATCH
from judge.scoring.graded_sheets.models import GradedSheet
from rubrics.versions.queries import versions_that_count

Key = tuple[str, str]  # response, rater


def is_graded(record: Record) -> bool:
    return "grade" in record.values


def stored_grades(
    responses: Iterable[Response], records: Sequence[Record]
) -> dict[Key, GradedSheet]:
    """Return the stored graded sheets of the records' raters on these responses."""
    raters = {record.values["rater"] for record in records if "rater" in record.values}
    ids = [response.pk for response in responses]
    found: dict[Key, GradedSheet] = {}
    for start in range(0, len(ids), BATCH):
        rows = GradedSheet.objects.filter(response__in=ids[start : start + BATCH])
        for sheet in rows.select_related("response"):
            if sheet.rater in raters:
                found[sheet.response.key, sheet.rater] = sheet
    return found


def compare_grade(record: Record, stored: GradedSheet, faults: Faults) -> None:
    """Add a fault for each difference between a line and the stored graded sheet."""
    pairs = {
        "kind": (stored.kind, record.get("kind")),
        "grade": (stored.grade, record.get("grade")),
        "analysis": (stored.analysis, storable.clean(record.get("analysis", ""))),
    }
    for name, (before, after) in pairs.items():
        if before != after:
            faults.add(
                record.line,
                name,
                _("It differs from the stored sheet: %(old)s there, %(new)s here.")
                % {"old": quoted(before), "new": quoted(after)},
                differs=True,
            )


def store_grades(
    records: Sequence[Record], responses: Mapping[str, Response], now: datetime
) -> None:
    """Store the graded sheets of new lines, with the rubric versions that count now.

    Args:
        now: the time of the import.
    """
    if not records:
        return
    versions = versions_that_count(
        {responses[record.values["response"]].task_id for record in records}
    )
    GradedSheet.objects.bulk_create(
        [
            GradedSheet(
                response=response,
                version=versions.get(response.task_id),
                answer_version=response.task.version,
                kind=record.values["kind"],
                rater=record.values["rater"],
                state=GradedSheet.State.SUBMITTED,
                grade=record.values["grade"],
                analysis=storable.clean(record.get("analysis", "")),
                opened_at=now,
                submitted_at=now,
            )
            for record in records
            for response in [responses[record.values["response"]]]
        ],
        batch_size=BATCH,
    )
