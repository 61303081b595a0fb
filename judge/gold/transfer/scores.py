"""Import of sheets: experts' verdicts, or the verdicts of an external judge."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import AfterValidator, Field

from curation.base.records.faults import Faults
from curation.base.records.json_lines import (
    LONGEST,
    Line,
    Record,
    a_name,
    accepted,
    as_path,
    quoted,
)
from curation.base.records.kind import AT_ONCE, Outcome, RecordKind, in_parts
from curation.base.text import storable
from judge.asking.candidates.models import Response
from judge.base.queue.locks import Lock, take_lock
from judge.gold.transfer.reply import summary
from judge.gold.transfer.responses import known_tasks
from judge.gold.transfer.rubrics import insert_many
from judge.gold.transfer.stored_sheets import (
    Findings,
    check_whole,
    compare_grade,
    compare_sheet,
    is_graded,
    store_grades,
    stored_grades,
    stored_sheets,
    stored_values,
)
from judge.runs.engine import held_out
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.graded_sheets.scale import HIGHEST, LOWEST
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion
from rubrics.versions.queries import versions_that_count

CONTENTS = ("scores", "score", "grade", "skipped", "failed")  # a line has one of them
KINDS = (Sheet.Kind.EXPERT.value, Sheet.Kind.JUDGE.value)  # the others are sheets written here
_OWN_RATER = re.compile(r"(expert|practice|known)-\d+")  # the names of our own experts' sheets


def _met(met: Any) -> int | None:
    if met is None or (type(met) is int and met in (0, 1)):
        return met
    raise ValueError(_("A line is scored 1, 0 or null, not %(value)s.") % {"value": quoted(met)})


def _grade(grade: Any) -> int:
    if type(grade) is int and LOWEST <= grade <= HIGHEST:
        return grade
    raise ValueError(_("A grade is 1 to 5, not %(value)s.") % {"value": quoted(grade)})


def _rationale(why: Any) -> str:
    return accepted(why, storable.problem_with(why, limit=LONGEST))


def _kind(kind: Any) -> str:
    if kind in KINDS:
        return kind
    raise ValueError(
        _("This must be one of %(options)s, not %(value)s.")
        % {"options": ", ".join(KINDS), "value": quoted(kind)}
    )


def _stale(_why: str) -> str:
    raise ValueError(
        _(
            "This rests on an earlier text of its task, so it is not imported. Export the scores "
            "without --with-stale."
        )
    )


class ScoreLine(Line):
    """A line of a file of scores, which is one sheet."""

    task: Annotated[str, a_name(120)]
    response: Annotated[str, a_name(200)]
    rater: Annotated[str, a_name(120)]
    kind: Annotated[Any, AfterValidator(_kind)]
    scores: Annotated[dict[str, Annotated[Any, AfterValidator(_met)]], Field(min_length=1)] = {}
    rationales: dict[str, Annotated[Any, AfterValidator(_rationale)]] = {}
    score: Annotated[float, Field(ge=-1.7e308, le=1.7e308, allow_inf_nan=False)] = 0
    grade: Annotated[Any, AfterValidator(_grade)] = 0
    analysis: Annotated[Any, AfterValidator(_rationale)] = ""
    skipped: Annotated[str, a_name(60)] = ""
    method: Annotated[str, a_name(20)] = ""
    findings: Findings = {}
    failed: Annotated[str, a_name(60)] = ""
    stale: Annotated[str, AfterValidator(_stale)] = ""


class Scores(RecordKind):
    """Sheets filled elsewhere.

    A line has either `scores` for criteria of the version that counts, or one `score`, or one
    `grade` from 1 to 5, or, of a judge, why there is none: `skipped`, it was not asked about the
    response, or `failed`. A score may name its `method` and what this found. What a judge said of
    held-out tasks is a look at them.

    Args:
        held_out_reason: why a judge looks at held-out tasks; needed if it does.
    """

    name = "sheets"
    line = ScoreLine

    def __init__(self, *, held_out_reason: str = "") -> None:
        self.held_out_reason = held_out_reason

    def check(self, records: Sequence[Record], faults: Faults) -> None:
        """Look up tasks, responses and raters."""
        take_lock(Lock.IMPORT)
        self.tasks = known_tasks(records, faults)
        _check_form(records, faults)
        check_whole(records, faults)
        self.responses = _known_responses(records, faults)
        self.criteria = _criteria(self.tasks.values())
        _check_raters(records, faults)

    def compare(
        self, records: Sequence[Record], faults: Faults
    ) -> tuple[Collection[int], Collection[int]]:
        """Return the lines whose sheets are stored; a difference is a fault."""
        graded = [record for record in records if is_graded(record)]
        others = [record for record in records if not is_graded(record)]
        by_grade = stored_grades(self.responses.values(), graded)
        stored = stored_sheets(self.responses.values(), others)
        there = set()
        for record in records:
            key = (record.get("response", ""), record.get("rater", ""))
            if is_graded(record):
                if key in by_grade:
                    compare_grade(record, by_grade[key], faults)
            elif key in stored:
                compare_sheet(record, stored[key], CONTENTS, faults)
            else:
                rubric = self.criteria.get(self.tasks.get(record.get("task", ""), 0))
                _check_keys(record, rubric, faults)
            if key in (by_grade if is_graded(record) else stored):
                there.add(record.line)
        return there, ()

    def store(self, new: Sequence[Record], changed: Sequence[Record], faults: Faults) -> None:
        """Store the new sheets.

        Raises:
            BadInput: `held_out`, sheets of a judge are on held-out tasks and no reason is given.
        """
        take_lock(Lock.SPLIT, shared=True)  # no split may pass between the check and the sheets
        judged = _judged(new, self.responses)
        judges, reason = held_out.checked_import(judged, self.held_out_reason)
        if self.dry_run:
            return
        now = timezone.now()
        lines = [record for record in new if not is_graded(record)]
        _store(lines, self.responses, self.criteria, now)
        graded = [record for record in new if is_graded(record)]
        store_grades(graded, self.responses, now)
        held_out.record_import(judges, reason, now)

    def summary(self, done: Outcome) -> str:
        """Return what was stored."""
        return summary("sheets", done.added, done.unchanged)


def _check_form(records: Iterable[Record], faults: Faults) -> None:
    refused = {(f.line, f.field.split(".")[0]) for f in faults.found}
    first: dict[tuple[str, str], int] = {}
    for record in records:
        line = record.line
        has = [name for name in CONTENTS if name in record.values or (line, name) in refused]
        if has == ["scores", "score"]:
            faults.add(line, "score", _("A line has either scores or one score, not both."))
        elif len(has) > 1 and "grade" in has:
            faults.add(line, "grade", _("A line with a grade has no other score."))
        elif len(has) > 1:
            name = has[-1]
            faults.add(line, name, _("A line with scores was neither skipped nor failed."))
        elif not has and (line, "line") not in refused:
            faults.add(line, "scores", _("A line needs scores, or one score."))
        if "rationales" in record.values and has and has != ["scores"]:
            faults.add(line, "rationales", _("Rationales go with scores, line by line."))
        if "analysis" in record.values and has and has != ["grade"]:
            faults.add(line, "analysis", _("An analysis goes with a grade."))
        if has == ["skipped"] and record.get("kind") == Sheet.Kind.EXPERT:
            faults.add(line, "skipped", _("Only a judge skips a response."))
        if {"response", "rater"} <= record.values.keys():
            sheet = (record.values["response"], record.values["rater"])
            if sheet in first:
                faults.add(
                    line,
                    "rater",
                    _("This rater's sheet for this response is already on line %(n)s.")
                    % {"n": first[sheet]},
                )
            first.setdefault(sheet, line)


def _known_responses(records: Sequence[Record], faults: Faults) -> dict[str, Response]:
    keys = list({r.values["response"] for r in records if "response" in r.values})
    found: dict[str, Response] = {}
    for part in in_parts(keys):
        rows = Response.objects.select_related("task").only(
            "key", "baseline", "task__key", "task__version"
        )
        found.update({r.key: r for r in rows.filter(key__in=part)})
    for record in records:
        key = record.get("response")
        if key is None:
            continue
        if key not in found:
            faults.add(
                record.line,
                "response",
                _("There is no response %(id)s here. Import the responses first.")
                % {"id": quoted(key)},
            )
        elif record.get("task") not in (None, found[key].task.key):
            faults.add(
                record.line,
                "response",
                _("This response belongs to the task %(id)s.")
                % {"id": quoted(found[key].task.key)},
            )
    return found


def _check_raters(records: Iterable[Record], faults: Faults) -> None:
    """Add a fault for each rater named like an own expert or run, or known as the other kind."""
    kinds: dict[str, str] = {}
    for rows in (
        Sheet.objects.filter(purpose=Sheet.Purpose.IMPORTED),
        GradedSheet.objects.filter(user__isnull=True),
    ):
        kinds |= dict(rows.order_by().values_list("rater", "kind").distinct())  # type: ignore[attr-defined]
    for record in records:
        rater, kind = record.get("rater"), record.get("kind")
        if rater is None or kind is None:
            continue
        if _OWN_RATER.fullmatch(rater):
            faults.add(
                record.line,
                "rater",
                _("Names like %(name)s belong to the experts of this programme.")
                % {"name": quoted(rater)},
            )
        elif kind == Sheet.Kind.JUDGE and storable.whole_number(rater) is not None:
            faults.add(
                record.line,
                "rater",
                _("Numbers are kept for runs. Give this judge a name with a letter in it."),
            )
        elif kinds.setdefault(rater, kind) != kind:
            faults.add(
                record.line,
                "kind",
                _("%(rater)s is already recorded as the other kind.") % {"rater": quoted(rater)},
            )


def _criteria(tasks: Iterable[int]) -> dict[int, tuple[int, dict[str, int]]]:
    """Return task id -> (version that counts, its criteria: key -> id)."""
    versions = versions_that_count(tasks)
    found: dict[int, tuple[int, dict[str, int]]] = {
        task: (version.pk, {}) for task, version in versions.items()
    }
    by_version = dict(found.values())
    ids = list(by_version)
    for part in in_parts(ids):
        rows = Criterion.objects.filter(version__in=part)
        for version, key, pk in rows.values_list("version_id", "key", "pk"):
            by_version[version][key] = pk
    return found


def _check_keys(
    record: Record, rubric: tuple[int, Mapping[str, int]] | None, faults: Faults
) -> None:
    scores = record.get("scores")
    if scores is None:
        return
    if rubric is None:
        faults.add(record.line, "scores", _("The task has no rubric, so no line can be scored."))
        return
    for key in scores:
        if key not in rubric[1]:
            faults.add(
                record.line,
                f"scores.{as_path(key)}",
                _("The task's rubric has no line with this id."),
            )
    for key in record.get("rationales", {}):
        if key not in scores:
            faults.add(
                record.line,
                f"rationales.{as_path(key)}",
                _("There is no score with this id to explain."),
            )


def _judged(new: Iterable[Record], responses: Mapping[str, Response]) -> dict[str, set[int]]:
    """Return judge -> the tasks of the candidates' responses on which it says something."""
    found: dict[str, set[int]] = {}
    for record in new:
        response = responses[record.values["response"]]
        asked = record.values["kind"] == Sheet.Kind.JUDGE and "skipped" not in record.values
        if asked and not response.baseline:
            found.setdefault(record.values["rater"], set()).add(response.task_id)
    return found


def _store(
    new: Sequence[Record],
    responses: Mapping[str, Response],
    criteria: Mapping[int, tuple[int, Mapping[str, int]]],
    now: datetime,
) -> None:
    sheets = Sheet.objects.bulk_create(
        [
            Sheet(
                response=responses[r.values["response"]],
                version_id=(
                    criteria[responses[r.values["response"]].task_id][0]
                    if "scores" in r.values
                    else None
                ),
                answer_version=(
                    None if "scores" in r.values else responses[r.values["response"]].task.version
                ),
                kind=r.values["kind"],
                purpose=Sheet.Purpose.IMPORTED,
                rater=r.values["rater"],
                state=Sheet.State.SUBMITTED,
                score=r.get("score"),
                **stored_values(r),
                skipped=r.get("skipped", ""),
                opened_at=now,
                submitted_at=now,
            )
            for r in new
        ],
        batch_size=AT_ONCE,
    )
    insert_many(
        SheetLine,
        same={"at": now},
        varying=("sheet_id", "criterion_id", "met", "rationale"),
        rows=(
            (
                sheet.pk,
                criteria[sheet.response.task_id][1][key],
                None if met is None else bool(met),
                storable.clean(record.get("rationales", {}).get(key, "")),
            )
            for sheet, record in zip(sheets, new, strict=True)
            for key, met in record.get("scores", {}).items()
        ),
    )
