"""The rows of a release: tasks, anchors, provenance, responses and sheets, as plain data.

People appear as an index within the release ("author-3"), in the order of the files: no name, no
address and no pseudonym that could be joined with another release. Rows come in chunks of tasks, so
that memory use stays constant.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
from django.db.models import F, Q, QuerySet

from curation.tasks.task.fields import TEXT_PARTS
from curation.tasks.task.models import Task
from judge.asking.candidates.earlier_text import answers_earlier_text, rests_on_earlier_text
from judge.asking.candidates.models import Response
from judge.gold.releases.attachments import attachment_rows
from judge.gold.releases.pool import Entry
from judge.gold.transfer.demand_line import stored_demands
from judge.gold.transfer.exact_line import stored_answers
from judge.gold.transfer.exporting import COLUMNS, task_line
from judge.results.verdicts.whole_scores import whole_scores
from judge.runs.engine.models import JudgeRun, Judgment, Verdict
from judge.scoring.anchors.models import Anchor, MetaEvaluation
from judge.scoring.sheets.models import COUNTED, Sheet, SheetLine
from review.rounds.assignment_models import Round
from review.senior_seats.models import SpotCheck
from rubrics.versions.models import Criterion

CHUNK = 200  # tasks at a time

Row = dict[str, Any]


@dataclass
class Chunk:
    """The rows of some tasks, by table."""

    tasks: list[Row] = field(default_factory=list)
    provenance: list[Row] = field(default_factory=list)
    anchors: list[Row] = field(default_factory=list)
    responses: list[Row] = field(default_factory=list)
    scores: list[Row] = field(default_factory=list)
    attachments: list[Row] = field(default_factory=list)
    stale_responses: int = 0  # left out, because they answer an earlier text of their task
    flagged_sheets: int = 0  # left out, because flags asked for them


class PersonIndex:
    """A numbering of people by role, in order of appearance."""

    def __init__(self) -> None:
        self._seen: dict[str, dict[Any, int]] = defaultdict(dict)

    def index(self, role: str, who: Any) -> str:
        """Return the person's number in a role; empty for nobody (a task from business)."""
        if who is None:
            return ""
        known = self._seen[role]
        return f"{role}-{known.setdefault(who, len(known) + 1)}"

    def count(self, role: str) -> int:
        return len(self._seen[role])


def chunks(
    entries: Sequence[Entry], people: PersonIndex, *, with_responses: bool
) -> Iterator[Chunk]:
    """Yield the rows of the entries in their order, some tasks at a time."""
    for start in range(0, len(entries), CHUNK):
        yield _chunk(entries[start : start + CHUNK], people, with_responses=with_responses)


def _chunk(entries: Sequence[Entry], people: PersonIndex, *, with_responses: bool) -> Chunk:
    pks = [entry.pk for entry in entries]
    tasks: dict[int, Mapping[str, Any]] = {
        row["pk"]: row
        for row in Task.objects.filter(pk__in=pks).values(*COLUMNS, "author_id", "rubric_author_id")
    }
    rubrics = _rubrics(entries)
    checked = set(
        SpotCheck.objects.filter(
            task__in=pks, verdict=SpotCheck.Verdict.ACCEPT, version__in=[e.version for e in entries]
        ).values_list("task_id", flat=True)
    )
    rounds: dict[int, set[tuple[int, int]]] = defaultdict(set)
    finished = Round.objects.filter(review__task__in=pks, finished_at__isnull=False).exclude(
        finished_at=F("opened_at")  # ended without being finished
    )
    for task, reviewer, number in finished.values_list("review__task_id", "review_id", "number"):
        rounds[task].add((reviewer, number))
    anchors = _anchors([entry.anchor for entry in entries if entry.anchor is not None])
    files = attachment_rows(pks)
    exact, demands = stored_answers(pks), stored_demands(pks)
    made = Chunk()
    for entry in entries:
        own = files.get(entry.pk, [])
        made.attachments += [{"task": entry.key, **file} for file in own]
        row, rubric = tasks[entry.pk], rubrics[entry.version.pk]
        made.tasks.append(_task(row, rubric, own, exact.get(entry.pk), demands.get(entry.pk)))
        anchor = anchors.get(entry.pk)
        if anchor is not None:
            made.anchors.append(_anchor_row(entry, anchor, rubric))
        done = rounds[entry.pk]
        made.provenance.append(
            {
                "task": entry.key,
                "title": row["title"],
                "author": people.index("author", row["author_id"]),
                # The same unless another expert took the rubric over.
                "rubric_author": people.index(
                    "author", row["rubric_author_id"] or row["author_id"]
                ),
                "minutes": row["minutes"],
                "rubric_version": entry.version.number,
                "rubric_sha256": entry.version.sha256,
                "text_sha256": _text_sha256(row),
                "lines": len(rubric),
                "reviewers": len({reviewer for reviewer, _ in done}),
                "review_rounds": len(done),
                "spot_checked": entry.pk in checked,
                "anchor": "validated" if anchor else "none",
                "anchor_scorings": anchor["scorings"] if anchor else 0,
            }
        )
    if with_responses:
        _add_responses(made, pks, people)
    return made


def _task(
    task: Mapping[str, Any],
    rubric: Sequence[Row],
    files: Sequence[Row],
    exact: Mapping[str, Any] | None,
    demand: Mapping[str, Any] | None,
) -> Row:
    return task_line(
        task,
        [
            {name: line[name] for name in ("id", "text", "importance", "weight", "dimension")}
            for line in rubric
        ],
        [{"name": file["name"], "file": file["file"]} for file in files],
        exact,
        demand,
    )


def _text_sha256(task: Mapping[str, Any]) -> str:
    parts = [task[name] for name in TEXT_PARTS]
    return hashlib.sha256(orjson.dumps(parts)).hexdigest()


def _rubrics(entries: Sequence[Entry]) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = defaultdict(list)
    for pk, version, key, text, importance, weight, dimension in (
        Criterion.objects.filter(version__in=[entry.version.pk for entry in entries])
        .order_by("version_id", "position", "id")
        .values_list("pk", "version_id", "key", "text", "importance", "weight", "dimension")
    ):
        found[version].append(
            {
                "pk": pk, "id": key, "text": text, "importance": importance,
                "weight": weight, "dimension": dimension,
            }
        )  # fmt: skip
    return found


def _anchors(pks: Sequence[int]) -> dict[int, Row]:
    """Return each task's anchor response with the verdicts of the validated sheet."""
    lines: dict[int, dict[str, tuple[bool, str]]] = defaultdict(dict)
    for anchor, key, met, rationale in SheetLine.objects.filter(
        sheet__anchor__in=pks, met__isnull=False
    ).values_list("sheet__anchor", "criterion__key", "met", "rationale"):
        lines[anchor][key] = (bool(met), rationale)
    scorings: dict[int, int] = defaultdict(int)
    rows = Anchor.objects.filter(pk__in=pks)
    # Count only checks of the released sheet's version: older ones are about other lines.
    checks = MetaEvaluation.objects.filter(
        anchor__in=pks, sheet__version=F("anchor__sheet__version")
    )
    for anchor in checks.exclude(verdict="").values_list("anchor", flat=True):
        scorings[anchor] += 1
    return {
        task: {
            "response": key,
            "model": model,
            "text": text,
            "lines": lines[pk],
            "scorings": max(1, scorings[pk]),
        }
        for pk, task, key, model, text in rows.values_list(
            "pk", "task_id", "response__key", "response__candidate__name", "response__text"
        )
    }


def _anchor_row(entry: Entry, anchor: Mapping[str, Any], rubric: Sequence[Row]) -> Row:
    verdicts = anchor["lines"]
    met = sum(line["weight"] for line in rubric if verdicts.get(line["id"], (False,))[0])
    total = sum(line["weight"] for line in rubric)
    return {
        "task": entry.key,
        "rubric_sha256": entry.version.sha256,
        "response": anchor["response"],
        "model": anchor["model"],
        "text": anchor["text"],
        "scores": {
            line["id"]: int(verdicts[line["id"]][0]) for line in rubric if line["id"] in verdicts
        },
        "rationales": {
            line["id"]: verdicts[line["id"]][1] for line in rubric if line["id"] in verdicts
        },
        "score_numerator": met,
        "score_denominator": total,
    }


# -- responses, on request ------------------------------------------------------------------------


def _add_responses(made: Chunk, pks: Sequence[int], people: PersonIndex) -> None:
    """Add responses, experts' sheets and judges' verdicts in the formats of the imports."""
    keys: dict[int, tuple[str, str]] = {}
    # A replaced baseline is neither a candidate's response nor an example.
    current = Response.objects.filter(task__in=pks, superseded_at__isnull=True)
    stale = answers_earlier_text()
    made.stale_responses = current.filter(stale).count()
    for pk, key, task, model, text, baseline, latency, cost in (
        current.filter(~stale)
        .order_by("task__key", "key")
        .values_list(
            "pk", "key", "task__key", "candidate__name", "text", "baseline", "latency_ms",
            "cost_micro",
        )
    ):  # fmt: skip
        keys[pk] = (task, key)
        row: Row = {"task": task, "id": key, "model": model, "text": text}
        if baseline:
            row["baseline"] = True
        if latency is not None:
            row["latency_s"] = latency / 1000
        if cost is not None:
            row["cost_usd"] = cost / 1_000_000
        made.responses.append(row)
    sheets = Sheet.objects.filter(
        ~rests_on_earlier_text(),
        response__in=keys,
        state=Sheet.State.SUBMITTED,
        kind__in=COUNTED,
    )
    for_flags = Q(flagged_item__isnull=False)
    made.flagged_sheets = sheets.filter(for_flags).count()
    made.scores.extend(_sheets(sheets.exclude(for_flags), pks, keys, people))
    made.scores.extend(_verdicts(keys))


def _sheets(
    sheets: QuerySet[Sheet],
    pks: Sequence[int],
    keys: Mapping[int, tuple[str, str]],
    people: PersonIndex,
) -> Iterable[Row]:
    # The sheets of anchors; scorers' own sheets are released beside a settled one.
    examples = set(Anchor.objects.filter(task__in=pks).values_list("sheet", flat=True))
    lines: dict[int, list[tuple[str, bool | None, str]]] = defaultdict(list)
    for sheet, key_of_line, met, why in (
        SheetLine.objects.filter(sheet__in=sheets)
        .order_by("sheet_id", "criterion__position", "criterion_id")
        .values_list("sheet_id", "criterion__key", "met", "rationale")
    ):
        lines[sheet].append((key_of_line, met, why))
    for pk, response, kind, purpose, user, rater, score, *whole in sheets.order_by(
        "response__task__key", "response__key", "rater"
    ).values_list(
        *("pk", "response_id", "kind", "purpose", "user_id", "rater", "score"),
        *("skipped", "method", "reason", "findings"),
    ):
        task, key = keys[response]
        if pk in examples:
            who = "anchor"
        elif purpose == Sheet.Purpose.SETTLED:
            continue  # settled for an older rubric
        else:
            who = rater if kind == Sheet.Kind.JUDGE else people.index("scorer", user or rater)
        row = _scores_row(task, key, who, kind, lines[pk], score)
        names = ("skipped", "method", "failed", "findings")
        row |= {name: said for name, said in zip(names, whole, strict=True) if said}
        yield row


def _verdicts(keys: Mapping[int, tuple[str, str]]) -> Iterable[Row]:
    """Yield the verdicts of finished runs; a failed or abstained one is null, never 0."""
    judgments = Judgment.objects.filter(
        ~rests_on_earlier_text(),
        response__in=keys,
        items__run__state=JudgeRun.State.FINISHED,
        state__in=(Judgment.State.COMPLETE, Judgment.State.INCOMPLETE),
    ).distinct()
    lines: dict[int, list[tuple[str, bool | None, str]]] = defaultdict(list)
    known = {Verdict.Outcome.MET.value: True, Verdict.Outcome.UNMET.value: False}
    for judgment, key, outcome, why in (
        Verdict.objects.filter(judgment__in=judgments)
        .order_by("judgment_id", "criterion__position", "criterion_id")
        .values_list("judgment_id", "criterion__key", "outcome", "why")
    ):
        lines[judgment].append((key, known.get(outcome), why))
    keys_of = [*judgments.values_list("pk", flat=True)]
    whole = {row.judgment: row.said for row in whole_scores(keys_of)}
    for pk, response, method, provider, model, run in judgments.order_by(
        "response__task__key", "response__key", "run_id", "pk"
    ).values_list(
        *("pk", "response_id", "method", "provider", "model", "run_id"),
    ):
        task, key = keys[response]
        who = f"run-{run} {method} {provider} {model}"
        if pk in whole:
            yield {"task": task, "response": key, "rater": who, "kind": "judge", **whole[pk]}
        else:
            yield _scores_row(task, key, who, "judge", lines[pk], None)


def _scores_row(
    task: str,
    response: str,
    rater: str,
    kind: str,
    lines: Sequence[tuple[str, bool | None, str]],
    score: float | None,
) -> Row:
    row: Row = {"task": task, "response": response, "rater": rater, "kind": kind}
    if not lines:
        return row if score is None else row | {"score": score}
    row["scores"] = {key: None if met is None else int(met) for key, met, _ in lines}
    rationales = {key: why for key, _, why in lines if why}
    return row | ({"rationales": rationales} if rationales else {})
