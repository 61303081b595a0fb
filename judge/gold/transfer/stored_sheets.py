"""Sheets that are stored already, and how a line of a file of scores differs from its sheet."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from curation.base.records.faults import Faults
from curation.base.records.json_lines import Record, as_path, quoted
from curation.base.text import storable
from judge.asking.candidates.models import Response
from judge.gold.transfer.responses import BATCH
from judge.scoring.sheets.models import Sheet, SheetLine


@dataclass(frozen=True)
class Stored:
    """A stored sheet with its lines: criterion key -> (1, 0 or None, rationale)."""

    sheet: Sheet
    lines: dict[str, tuple[int | None, str]]


def stored_sheets(
    responses: Iterable[Response], records: Iterable[Record]
) -> dict[tuple[str, str], Stored]:
    raters = {r.values["rater"] for r in records if "rater" in r.values}
    ids = [r.pk for r in responses]
    found: dict[tuple[str, str], Stored] = {}
    for start in range(0, len(ids), BATCH):
        rows = (
            Sheet.objects.filter(response__in=ids[start : start + BATCH])
            .select_related("response")
            .only(
                *("rater", "kind", "score", "skipped", "purpose", "response__key"),
                *("method", "findings", "reason"),
            )
        )
        for sheet in rows:
            if sheet.rater in raters:
                found[sheet.response.key, sheet.rater] = Stored(sheet, {})
    by_id = {stored.sheet.pk: stored for stored in found.values()}
    sheets = list(by_id)
    for start in range(0, len(sheets), BATCH):
        lines = SheetLine.objects.filter(sheet__in=sheets[start : start + BATCH])
        for pk, key, met, why in lines.values_list(
            "sheet_id", "criterion__key", "met", "rationale"
        ):
            by_id[pk].lines[key] = (_number(met), why)
    return found


def compare_sheet(
    record: Record, stored: Stored, contents: Collection[str], faults: Faults
) -> None:
    """Add a fault for each difference between a line and the stored sheet."""
    if "kind" not in record.values or not record.values.keys() & {*contents}:
        return  # the line has a fault of its own, which is added already
    sheet = stored.sheet
    old = {key: met for key, (met, _why) in stored.lines.items()}
    why = {key: words for key, (_met, words) in stored.lines.items() if words}
    new_why = {
        k: storable.clean(v) for k, v in record.get("rationales", {}).items() if storable.clean(v)
    }
    pairs = {
        "kind": (sheet.kind, record.get("kind")),
        "score": (sheet.score, record.get("score")),
        "skipped": (sheet.skipped, record.get("skipped", "")),
        "failed": (sheet.reason, record.get("failed", "")),
        "method": (sheet.method, record.get("method", "")),
        "findings": (sheet.findings, record.get("findings", {})),
        "scores": (old or None, record.get("scores")),
        "rationales": (why, new_why),
    }
    for name, (before, after) in pairs.items():
        if before == after:
            continue
        if isinstance(before, dict) and isinstance(after, dict):
            for key in [k for k in {**before, **after} if before.get(k, "-") != after.get(k, "-")]:
                faults.add(
                    record.line,
                    f"{name}.{as_path(key)}",
                    _("It differs from the stored sheet: %(old)s there, %(new)s here.")
                    % {"old": quoted(before.get(key)), "new": quoted(after.get(key))},
                    differs=True,
                )
        else:
            faults.add(record.line, name, _("It differs from the stored sheet."), differs=True)


def _number(met: bool | None) -> int | None:
    return None if met is None else int(met)
