"""A sheet as its page shows it, without the names of model, baseline, author and judge."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from math import ceil
from statistics import median
from typing import Any

from django.db.models import Q

from curation.base.text import storable
from judge.asking.candidates import steering_rules
from judge.asking.candidates.models import Response
from judge.scoring.anchors.models import MetaEvaluation, MetaLine
from judge.scoring.sheets import rules
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion
from rubrics.versions.task_text import TaskText, task_text

# Seconds between two lines that count for the pace: a shorter time is filling in without reading, a
# longer one is a break.
_SHORTEST_STEP, _LONGEST_STEP = 5.0, 300.0
_MIN_STEPS = 4  # counted steps from which a pace is estimated
_WORDS_A_MINUTE = 230  # reading speed
_PREVIEW = 160  # characters


@dataclass(frozen=True)
class Line:
    """A line of a sheet as its scorer sees it."""

    pk: int
    n: int
    key: str
    text: str
    importance: str
    met: bool | None
    rationale: str
    done: bool
    version: int
    remark: str = ""  # the senior's, if the sheet was sent back
    revisit: bool = False  # not saved since that remark
    errors: tuple[tuple[str, str], ...] = ()  # (field, message) after a refused save

    @property
    def pk_text(self) -> str:
        """Return the id as text, for the template filter `add`."""
        return str(self.pk)

    @property
    def state(self) -> str:
        """Return "yes", "no" or "open", for the tick."""
        return "open" if not self.done else "yes" if self.met else "no"

    @property
    def met_error(self) -> str:
        """Return the error of the verdict; "" without one."""
        return dict(self.errors).get("met", "")

    @property
    def why_error(self) -> str:
        """Return the error of the rationale; "" without one."""
        return dict(self.errors).get("rationale", "")

    @property
    def preview(self) -> str:
        """Return the rationale on one row, shortened, with quotations in quotation marks."""
        rows = [
            f"“{row[2:].strip()}”" if row.startswith("> ") else row
            for row in self.rationale.splitlines()
            if row.strip()
        ]
        words = " ".join(rows)
        if len(words) <= _PREVIEW:
            return words
        cut = words[: _PREVIEW - 1]
        space = cut.rfind(" ")
        return (cut[:space] if space > 100 else cut).rstrip() + "…"


@dataclass(frozen=True)
class SheetPage:
    """A response to score with its lines."""

    pk: int
    letter: str
    response: str
    task: TaskText
    lines: tuple[Line, ...]
    purpose: str
    open: bool
    due_at: datetime | None
    saved_at: datetime | None
    submitted_at: datetime | None
    remarks: str  # the senior's, if the sheet was sent back
    minutes_left: int | None
    key: str  # the task's
    followed_at: datetime | None = None  # when the open sheet moved to a changed rubric
    practice: bool = False

    @property
    def title(self) -> str:
        """Return the title of the task, or the key of an imported task without one."""
        return self.task.title or self.key

    @property
    def words(self) -> int:
        return storable.word_count(self.response)

    @property
    def shown(self) -> str:
        """Return the response with its invisible characters spelt out."""
        return steering_rules.visible(self.response)

    @property
    def scored(self) -> int:
        return sum(line.done for line in self.lines)

    @property
    def met(self) -> int:
        return sum(line.state == "yes" for line in self.lines)

    @property
    def unmet(self) -> int:
        return sum(line.state == "no" for line in self.lines)

    @property
    def left(self) -> int:
        return len(self.lines) - self.scored

    @property
    def ticks(self) -> list[str]:
        return [line.state for line in self.lines]

    @property
    def always_why(self) -> bool:
        """Whether a TRUE needs a rationale too."""
        return rules.needs_reason(self.purpose, True)

    def current(self, wanted: int | None = None) -> Line | None:
        """Return the wanted line, else the first one to do or to revisit, else the first."""
        for line in self.lines:
            if line.pk == wanted:
                return line
        waiting = (line for line in self.lines if not line.done or line.revisit)
        return next(waiting, next(iter(self.lines), None))

    def with_errors(self, pk: int, fields: dict[str, Any], typed: dict[str, Any]) -> "SheetPage":
        """Return the page with one line as it was typed and refused."""
        errors = tuple((name, str(s)) for name, sentences in fields.items() for s in sentences)
        return replace(
            self,
            lines=tuple(
                replace(line, errors=errors, **typed) if line.pk == pk else line
                for line in self.lines
            ),
        )


@dataclass(frozen=True)
class SendBack:
    """The remarks of the check that sent a sheet back, on the whole and by key of the line."""

    remarks: str = ""
    line_remarks: Mapping[str, str] = field(default_factory=dict)
    at: datetime = datetime.min.replace(tzinfo=UTC)


def sheet_page(sheet: Sheet) -> SheetPage:
    """Return what a scorer sees of a sheet. Six queries, eight for an anchor that was sent back.

    Args:
        sheet: annotated with `task_id` and `task_key`.
    """
    task_id: int = sheet.task_id  # type: ignore[attr-defined]
    response = Response.objects.filter(pk=sheet.response_id).values_list("text", flat=True).get()
    lines = list(SheetLine.objects.filter(sheet=sheet))
    send_back = SendBack()
    if sheet.purpose == rules.ANCHOR and sheet.state == Sheet.State.OPEN:
        send_back = last_send_back(sheet.pk)
    asked = _lines(sheet, lines, send_back)
    return SheetPage(
        pk=sheet.pk,
        letter=rules.letter(task_id, rank_of(task_id, sheet.response_id)),
        response=response,
        task=task_text(task_id),
        lines=asked,
        purpose=sheet.purpose,
        open=sheet.state == Sheet.State.OPEN,
        due_at=sheet.due_at,
        saved_at=sheet.saved_at,
        submitted_at=sheet.submitted_at,
        remarks=send_back.remarks,
        minutes_left=_minutes_left(
            asked,
            [line.at for line in lines if line.met is not None],
            storable.word_count(response),
        ),
        key=sheet.task_key,  # type: ignore[attr-defined]
        followed_at=sheet.followed_at if sheet.state == Sheet.State.OPEN else None,
        practice=sheet.kind == Sheet.Kind.PRACTICE,
    )


def rank_of(task: int, response: int) -> int:
    """Return the number of responses the task had before this one."""
    return Response.objects.filter(task=task, pk__lt=response).count()


def lines_of(sheet: Sheet) -> tuple[Line, ...]:
    """Return a sheet's lines in the order of the rubric. Two queries."""
    return _lines(sheet, list(SheetLine.objects.filter(sheet=sheet)), SendBack())


def _lines(sheet: Sheet, lines: Sequence[SheetLine], send_back: SendBack) -> tuple[Line, ...]:
    have = {line.criterion_id: line for line in lines}
    found = []
    asked = Criterion.objects.filter(version=sheet.version_id).order_by("position", "id")
    rows = asked.values_list("pk", "key", "text", "importance")
    for n, (pk, key, words, importance) in enumerate(rows, start=1):
        line = have.get(pk)
        met, why = (line.met, line.rationale) if line else (None, "")
        found.append(
            Line(
                pk=pk,
                n=n,
                key=key,
                text=words,
                importance=importance,
                met=met,
                rationale=why,
                done=rules.is_done(sheet.purpose, met, why),
                version=rules.stamp(line.at if line else None),
                remark=send_back.line_remarks.get(key, ""),
                revisit=key in send_back.line_remarks
                and line is not None
                and line.at <= send_back.at,
            )
        )
    return tuple(found)


def last_send_back(sheet: int | None) -> SendBack:
    """Return the remarks of the check that last sent a sheet back; empty ones without any."""
    last = (
        MetaEvaluation.objects.filter(
            Q(sheet=sheet) | Q(second=sheet), verdict=MetaEvaluation.Verdict.SENT_BACK
        )
        .order_by("-number")
        .only("remarks", "at")
        .first()
    )
    if last is None:
        return SendBack()
    lines = MetaLine.objects.filter(evaluation=last).exclude(remark="")
    return SendBack(last.remarks, dict(lines.values_list("criterion__key", "remark")), last.at)


def _minutes_left(
    asked: Sequence[Line], times: Sequence[datetime], response_words: int
) -> int | None:
    """Estimate the minutes left at the scorer's own pace; None before it is known.

    The pace is the median time between two lines, without breaks and lines filled in at once. The
    estimate is at least the time to read the open lines and their share of the response.

    Args:
        asked: the sheet's lines.
        times: when its scored lines were saved, in any order.
    """
    moments = sorted(times)
    steps = [(b - a).total_seconds() for a, b in pairwise(moments)]
    worked = [seconds for seconds in steps if _SHORTEST_STEP <= seconds <= _LONGEST_STEP]
    unread = [line for line in asked if not line.done]
    if len(worked) < _MIN_STEPS or not unread:
        return None
    words = sum(storable.word_count(line.text) for line in unread)
    words += response_words * len(unread) // len(asked)
    return max(1, ceil(max(len(unread) * median(worked) / 60, words / _WORDS_A_MINUTE)))
