"""How scorers' verdicts compare with what is known: of known sheets, and of practice."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.asking.candidates.earlier_text import rests_on_earlier_text
from judge.base.stats.drift import Pair
from judge.scoring.practice.known_models import KnownLine, KnownSheet
from judge.scoring.sheets.models import Sheet, SheetLine

Words = tuple[str, str]  # key and text of a line


@dataclass(frozen=True, slots=True)
class KnownResult:
    """A submitted known sheet: when, on which task, and (said, known) of each line."""

    sheet: int
    user: int
    domain: int
    task: int
    title: str
    language: str
    at: datetime
    pairs: tuple[Pair, ...]


def verdicts_of(sheets: Collection[int]) -> dict[int, dict[Words, bool]]:
    """Return sheet -> key and text of a line -> its verdict, in the order of the rubric."""
    found: dict[int, dict[Words, bool]] = defaultdict(dict)
    rows: Any = (
        SheetLine.objects.filter(sheet__in=sheets, met__isnull=False)
        .order_by("criterion__position", "criterion_id")
        .values_list("sheet_id", "criterion__key", "criterion__text", "met")
    )
    for sheet, key, text, met in rows:
        found[sheet][key, text] = met
    return found


def results(domain: int, user: int | None = None) -> list[KnownResult]:
    """Return the submitted known sheets of a domain, of one person or all, the oldest first.

    Three queries. Lines whose wording changed since the sheet was opened are left out, and so are
    sheets that rest on an earlier text of their task.
    """
    rows = KnownSheet.objects.filter(
        ~rests_on_earlier_text("sheet__response__", "sheet__version__"),
        domain=domain,
        sheet__state=Sheet.State.SUBMITTED,
    )
    if user is not None:
        rows = rows.filter(user=user)
    sheets = list(
        rows.select_related("sheet", "response__task").order_by("sheet__submitted_at", "pk")
    )
    known: dict[int, dict[Words, bool]] = defaultdict(dict)
    agreed = KnownLine.objects.filter(known_sheet__in=[row.pk for row in sheets])
    for row, key, text, met in agreed.values_list(
        "known_sheet_id", "criterion__key", "criterion__text", "met"
    ):
        known[row][key, text] = met
    said = verdicts_of([row.sheet_id for row in sheets if row.sheet_id])
    return [
        KnownResult(
            sheet=row.sheet_id,  # type: ignore[arg-type]  # a submitted one
            user=row.user_id,
            domain=row.domain_id,
            task=row.response.task_id,
            title=row.response.task.title or row.response.task.key,
            language=row.response.task.language,
            at=row.sheet.submitted_at,  # type: ignore[union-attr, arg-type]
            pairs=tuple(
                (met, known[row.pk][words])
                for words, met in said[row.sheet_id or 0].items()
                if words in known[row.pk]
            ),
        )
        for row in sheets
    ]
