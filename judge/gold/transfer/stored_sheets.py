"""Sheets that are stored already, what a line of a file of scores may say, and how both differ."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from django.utils.translation import gettext as _
from pydantic import AfterValidator

from curation.base.records.faults import Faults
from curation.base.records.json_lines import Record, as_path, quoted, text_problem
from curation.base.records.kind import AT_ONCE, in_parts
from curation.base.text import storable
from judge.asking.candidates.models import Response
from judge.methods.base import registry
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.queries import versions_that_count


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
    for part in in_parts(ids):
        rows = (
            Sheet.objects.filter(response__in=part)
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
    for part in in_parts(sheets):
        lines = SheetLine.objects.filter(sheet__in=part)
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


# --- one grade for a whole response --------------------------------------------------------------
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
    for part in in_parts(ids):
        rows = GradedSheet.objects.filter(response__in=part)
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
        batch_size=AT_ONCE,
    )


# --- a score, or a failure, of a method of judging -----------------------------------------------
FIELDS = ("method", "failed", "findings")
MOST_TEXTS = 20_000  # in the findings of one response
DEEPEST = 20


def texts_in(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield all texts within a JSON value. Raises ValueError for one that is nested too deep."""
    if depth > DEEPEST:
        raise ValueError(_("This is nested too deep."))
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from texts_in(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner, depth + 1)


def _storable(findings: dict[str, Any]) -> dict[str, Any]:
    for n, text in enumerate(texts_in(findings)):
        if n >= MOST_TEXTS:
            raise ValueError(_("At most %(n)s texts.") % {"n": f"{MOST_TEXTS:,}"})
        if problem := text_problem(text):
            raise ValueError(problem)
    return findings


Findings = Annotated[dict[str, Any], AfterValidator(_storable)]


def check_whole(records: Iterable[Record], faults: Faults) -> None:
    """Add a fault where method, findings and reason of a line do not go with the rest of it."""
    for record in records:
        line, names = record.line, record.values.keys()
        whole = "score" in names or "failed" in names
        if "method" in names and not whole:
            faults.add(line, "method", _("A method goes with one score, or “failed”."))
        if "findings" in names and "method" not in names:
            faults.add(line, "findings", _("Say by which method they were found."))
        if "failed" in names and record.get("kind") == Sheet.Kind.EXPERT:
            faults.add(line, "failed", _("Only a judge fails on a response."))
        method = registry.METHODS.get(record.get("method", ""))
        if method is None or "score" not in names:
            continue
        if not method.scored_by_lines and not 0 <= record.values["score"] <= 1:
            faults.add(line, "score", _("A score of this method is from 0 to 1."))


def stored_values(record: Record) -> dict[str, Any]:
    """Return the columns of a sheet that a line fills."""
    return {
        "method": record.get("method", ""),
        "findings": record.get("findings", {}),
        "reason": record.get("failed", ""),
    }
