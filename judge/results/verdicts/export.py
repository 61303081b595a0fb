"""Export of a run's verdicts: sheets as `import_scores` reads them, or a table of lines.

Verdicts that rest on an earlier text of their task are left out, or written with a mark that
`import_scores` refuses.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import orjson
from django.db.models import QuerySet

from curation.base.web import csv_export
from judge.asking.candidates.earlier_text import ITEM_COLUMNS, code_of
from judge.asking.candidates.models import Response
from judge.base.gold_sets.task_sets import closed
from judge.methods.base import registry
from judge.results.verdicts.whole_scores import whole_scores
from judge.runs.engine.models import JudgeRun, Judgment, RunItem, Verdict
from judge.runs.engine.planning.skipping import NOT_ASKED
from rubrics.versions.models import Criterion
from rubrics.versions.queries import version_ids_that_count

SCORES = {Verdict.Outcome.MET.value: 1, Verdict.Outcome.UNMET.value: 0}
AT_ONCE = 500  # responses read together
HEAD = (
    "task", "response", "candidate", "rater", "line", "text", "importance", "weight", "dimension",
    "score", "outcome", "why", "findings", "stale",
)  # fmt: skip


class VerdictRow(NamedTuple):
    """What the judge said of one line of a response."""

    task: str
    response: str
    candidate: str
    line: str
    text: str
    importance: str
    weight: int
    dimension: str
    outcome: str
    why: str


@dataclass(frozen=True, slots=True)
class VerdictExport:
    """The verdicts of a run that can leave this installation.

    Attributes:
        judgments: ids in the order of the run.
        gaps: responses the judge was asked about without any verdict, as (response, version,
            reason).
        skipped: responses that a rule skipped, as (response, reason).
        outdated: judged responses left out, because their rubric has a newer version now.
        open: responses of the run that are left out, because they wait or have no rubric.
        stale_left_out: responses left out, because they or their rubric rest on an earlier text of
            the task, by the code of the reason (`earlier_text.LABELS`).
        marked: judgments among `judgments` that are stale -> the code of the reason.
        held_out: responses left out, because their task is in a closed held-out half.
        method: of the run. If its score does not follow from verdicts on lines, a line of the
            file carries score and findings, or the reason why there is no score.
    """

    rater: str
    judgments: tuple[int, ...]
    gaps: tuple[tuple[int, int | None, str], ...]
    skipped: tuple[tuple[int, str], ...]
    outdated: int
    open: int
    stale_left_out: Mapping[str, int]
    marked: Mapping[int, str]
    held_out: int = 0
    method: str = ""

    @property
    def _by_lines(self) -> bool:
        return registry.get(self.method).scored_by_lines

    def as_scores(self) -> Iterator[bytes]:
        """Yield one sheet for each response as a line of JSON, as `import_scores` reads it.

        An abstention is null. A failed line is left out: nothing is known of it. A response without
        any verdict, or with failed lines only, has null for every line, so that it stays a gap of
        this judge. A stale sheet has `stale` with the code of the reason, and cannot be imported.
        """
        if not self._by_lines:
            for whole in whole_scores(self.judgments, with_overrules=True):
                alone: dict[str, Any] = {
                    "task": whole.task,
                    "response": whole.response,
                    "rater": self.rater,
                    "kind": "judge",
                    **whole.said,
                }
                if whole.judgment in self.marked:
                    alone["stale"] = self.marked[whole.judgment]
                yield orjson.dumps(alone, option=orjson.OPT_APPEND_NEWLINE)
            yield from self._without_verdicts()
            return
        for judgment, rows in self._by_response():
            said = [row for row in rows if row.outcome != Verdict.Outcome.FAILED]
            sheet: dict[str, Any] = {
                "task": rows[0].task,
                "response": rows[0].response,
                "rater": self.rater,
                "kind": "judge",
                "scores": {row.line: SCORES.get(row.outcome) for row in said or rows},
            }
            reasons = {row.line: row.why for row in said if row.why}
            if reasons:
                sheet["rationales"] = reasons
            if judgment in self.marked:
                sheet["stale"] = self.marked[judgment]
            yield orjson.dumps(sheet, option=orjson.OPT_APPEND_NEWLINE)
        yield from self._without_verdicts()

    def _without_verdicts(self) -> Iterator[bytes]:
        """Yield the lines of responses without a judgment: gaps, and what a rule skipped."""
        lines: dict[int, list[str]] = defaultdict(list)
        for one, key in (
            Criterion.objects.filter(version__in={version for _pk, version, _why in self.gaps})
            .order_by("position", "id")
            .values_list("version_id", "key")
        ):
            lines[one].append(key)
        names = {
            pk: {"task": task, "response": key, "rater": self.rater, "kind": "judge"}
            for pk, task, key in Response.objects.filter(
                pk__in=[row[0] for row in (*self.gaps, *self.skipped)]
            ).values_list("pk", "task__key", "key")
        }
        for pk, version, reason in self.gaps:
            sheet: dict[str, Any] = dict(names[pk])
            if self._by_lines:
                sheet["scores"] = dict.fromkeys(lines[version or 0])
            else:
                sheet |= {"method": self.method, "failed": reason or "undecided"}
            yield orjson.dumps(sheet, option=orjson.OPT_APPEND_NEWLINE)
        for pk, reason in self.skipped:
            yield orjson.dumps({**names[pk], "skipped": reason}, option=orjson.OPT_APPEND_NEWLINE)

    def as_csv(self) -> Iterator[bytes]:
        """Yield the lines of a CSV file with one row for each verdict, failed ones included."""
        cells = (
            (
                row.task,
                row.response,
                row.candidate,
                self.rater,
                row.line,
                row.text,
                row.importance,
                row.weight,
                row.dimension,
                SCORES.get(row.outcome),
                row.outcome,
                row.why,
                "",
                self.marked.get(judgment, ""),
            )
            for judgment, rows in self._by_response()
            for row in rows
        )
        if not self._by_lines:
            label = registry.label_of(self.method)
            alone = (
                (
                    *(row.task, row.response, row.candidate, self.rater, "", label, "", "", ""),
                    row.said.get("score"),
                    "score" if "score" in row.said else Verdict.Outcome.FAILED.value,
                    row.said.get("failed", ""),
                    orjson.dumps(row.said.get("findings", {})).decode(),
                    self.marked.get(row.judgment, ""),
                )
                for row in whole_scores(self.judgments, with_overrules=True)
            )
            return (line.encode() for line in csv_export.lines(HEAD, chain(cells, alone)))
        return (line.encode() for line in csv_export.lines(HEAD, cells))

    def _by_response(self) -> Iterator[tuple[int, list[VerdictRow]]]:
        """Yield each judgment with its verdicts in the order of the rubric."""
        for start in range(0, len(self.judgments), AT_ONCE):
            part = self.judgments[start : start + AT_ONCE]
            found: dict[int, list[VerdictRow]] = {pk: [] for pk in part}
            verdicts: QuerySet[Verdict, Any] = (
                Verdict.objects.filter(judgment__in=part)
                .order_by("criterion__position", "criterion_id")
                .values_list(
                    "judgment_id",
                    "judgment__response__task__key",
                    "judgment__response__key",
                    "judgment__response__candidate__name",
                    "criterion__key",
                    "criterion__text",
                    "criterion__importance",
                    "criterion__weight",
                    "criterion__dimension",
                    "outcome",
                    "why",
                )
            )
            for judgment, *row in verdicts:
                found[judgment].append(VerdictRow(*row))
            yield from ((judgment, rows) for judgment, rows in found.items() if rows)


def verdicts_of(run: JudgeRun, *, rater: str = "", with_stale: bool = False) -> VerdictExport:
    """Return what a run has said so far, for export.

    Args:
        rater: the judge's name in the file; by default the model's with the run's number.
        with_stale: also what it said on an earlier text of a task, marked.
    """
    every: QuerySet[RunItem] = run.items.order_by("id")
    items = every.exclude(response__task__in=closed())
    judged = _with_codes(
        items.filter(judgment__isnull=False).exclude(judgment__state=Judgment.State.WAITING),
        "judgment_id",
    )
    without = _with_codes(
        items.filter(judgment__isnull=True, response__baseline=False)
        .filter(state__in=(RunItem.State.FAILED, RunItem.State.SKIPPED))
        .exclude(state=RunItem.State.SKIPPED, reason__in=NOT_ASKED),
        "response_id",
    )
    current = version_ids_that_count({row.task for row in [*judged, *without]})
    fresh = [row for row in judged if not row.stale]
    kept = {row.pk for row in fresh if current.get(row.task) == row.version}
    marked = {row.pk: row.stale for row in judged if row.stale} if with_stale else {}
    left_out = Counter(row.stale for row in without if row.stale)
    if not with_stale:
        left_out.update(row.stale for row in judged if row.stale)
    by_lines = registry.get(run.method).scored_by_lines
    gaps = tuple(
        (row.pk, current.get(row.task), row.reason)
        for row in without
        if (row.task in current or not by_lines) and not row.stale
    )
    skipped = tuple(
        items.filter(state=RunItem.State.SKIPPED, reason__in=NOT_ASKED, response__baseline=False)
        .exclude(reason="baseline")
        .values_list("response_id", "reason")
    )
    baselines = items.filter(judgment__isnull=True, response__baseline=True).count()
    return VerdictExport(
        rater=rater or f"{run.model}-run-{run.pk}",
        judgments=tuple(row.pk for row in judged if row.pk in kept or row.pk in marked),
        gaps=gaps,
        skipped=skipped,
        outdated=len(fresh) - len(kept),
        open=items.count()
        - len(judged)
        - len(gaps)
        - sum(1 for row in without if row.stale)
        - len(skipped)
        - baselines,
        stale_left_out=dict(left_out),
        marked=marked,
        held_out=every.filter(response__task__in=closed(), response__baseline=False).count(),
        method=run.method,
    )


class _Item(NamedTuple):
    """A response of a run; `stale` is the code of why it rests on an earlier text, or ""."""

    pk: int
    version: int | None
    task: int
    reason: str
    stale: str


def _with_codes(items: "QuerySet[RunItem]", pk: str) -> list[_Item]:
    """Return items with the id in the column `pk`, and why they are stale. One query."""
    rows = items.values_list(pk, "version_id", "response__task_id", "reason", *ITEM_COLUMNS)
    return [
        _Item(key, version, task, reason, code_of(*texts))
        for key, version, task, reason, *texts in rows
    ]
