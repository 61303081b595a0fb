"""A sheet, read for its page: frozen values in which no model, baseline, author or judge occurs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from math import ceil
from statistics import median
from typing import Any

from django.db.models import Q

from curation.text import storable
from judge.anchors.models import MetaEvaluation, MetaLine
from judge.candidates import steering_rules
from judge.candidates.models import Response
from judge.sheets import rules
from judge.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion
from rubrics.versions.task_text import TaskText, task_text

# Of the time between two lines: less was filled in without reading, more was a break, not work.
_SHORTEST_STEP, _LONGEST_STEP = 5.0, 300.0  # seconds
_STEPS_OF_A_PACE = 4  # so many lines one after the other tell how fast somebody scores
_WORDS_A_MINUTE = 230  # of somebody who reads and does nothing else
_PREVIEW = 160  # characters


@dataclass(frozen=True)
class Line:
    """One line of a sheet as its scorer sees it."""

    pk: int
    n: int
    key: str
    text: str
    importance: str
    met: bool | None
    rationale: str
    done: bool
    version: int
    remark: str = ""  # the senior's, where the sheet came back
    revisit: bool = False  # not looked at since that remark
    errors: tuple[tuple[str, str], ...] = ()  # (field, sentence), after a refused save

    @property
    def pk_text(self) -> str:
        """The id as text, for the templates' `add`."""
        return str(self.pk)

    @property
    def state(self) -> str:
        """The tick's word: yes, no or open."""
        return "open" if not self.done else "yes" if self.met else "no"

    @property
    def met_error(self) -> str:
        """What is wrong with the verdict."""
        return dict(self.errors).get("met", "")

    @property
    def why_error(self) -> str:
        """What is wrong with the reason."""
        return dict(self.errors).get("rationale", "")

    @property
    def preview(self) -> str:
        """The reason on one row, quotations in quotation marks."""
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
    """A response to be scored, and the lines to score it by."""

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
    remarks: str  # the senior's, where the sheet came back
    minutes_left: int | None
    key: str  # the task's
    followed_at: datetime | None = None  # when the rubric changed under the open sheet

    @property
    def title(self) -> str:
        """The task's title; tasks of another benchmark have none."""
        return self.task.title or self.key

    @property
    def words(self) -> int:
        return storable.word_count(self.response)

    @property
    def shown(self) -> str:
        """The response with signs that nobody would see spelt out."""
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
        """Whether a TRUE needs its reason too."""
        return rules.needs_reason(self.purpose, True)

    def current(self, wanted: int | None = None) -> Line | None:
        """The line asked for, else the first one not done or remarked on, else the first."""
        for line in self.lines:
            if line.pk == wanted:
                return line
        waiting = (line for line in self.lines if not line.done or line.revisit)
        return next(waiting, next(iter(self.lines), None))

    def with_errors(self, pk: int, fields: dict[str, Any], typed: dict[str, Any]) -> "SheetPage":
        """The same page with one line as it was typed and refused."""
        told = tuple((name, str(s)) for name, sentences in fields.items() for s in sentences)
        return replace(
            self,
            lines=tuple(
                replace(line, errors=told, **typed) if line.pk == pk else line
                for line in self.lines
            ),
        )


@dataclass(frozen=True)
class Check:
    """What a senior wrote to the scorer: as a whole, by line's key, and when."""

    remarks: str = ""
    said: Mapping[str, str] = field(default_factory=dict)
    at: datetime = datetime.min.replace(tzinfo=UTC)


def sheet_page(sheet: Sheet) -> SheetPage:
    """Everything a scorer sees on a sheet. Six queries, eight for an anchor that came back.

    Args:
        sheet: with `task_id` and `task_key` of its task annotated.
    """
    task_id: int = sheet.task_id  # type: ignore[attr-defined]
    response = Response.objects.filter(pk=sheet.response_id).values_list("text", flat=True).get()
    lines = list(SheetLine.objects.filter(sheet=sheet))
    check = Check()
    if sheet.purpose == rules.ANCHOR and sheet.state == Sheet.State.OPEN:
        check = came_back(sheet.pk)
    asked = _lines(sheet, lines, check)
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
        remarks=check.remarks,
        minutes_left=_minutes_left(
            asked,
            [line.at for line in lines if line.met is not None],
            storable.word_count(response),
        ),
        key=sheet.task_key,  # type: ignore[attr-defined]
        followed_at=sheet.followed_at if sheet.state == Sheet.State.OPEN else None,
    )


def rank_of(task: int, response: int) -> int:
    """How many responses the task had before this one."""
    return Response.objects.filter(task=task, pk__lt=response).count()


def lines_of(sheet: Sheet) -> tuple[Line, ...]:
    """A sheet's lines in the order of the rubric. Two queries."""
    return _lines(sheet, list(SheetLine.objects.filter(sheet=sheet)), Check())


def _lines(sheet: Sheet, lines: Sequence[SheetLine], check: Check) -> tuple[Line, ...]:
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
                remark=check.said.get(key, ""),
                revisit=key in check.said and line is not None and line.at <= check.at,
            )
        )
    return tuple(found)


def came_back(sheet: int | None) -> Check:
    """The check that sent a sheet back last; an empty one where there is none."""
    last = (
        MetaEvaluation.objects.filter(
            Q(sheet=sheet) | Q(second=sheet), verdict=MetaEvaluation.Verdict.SENT_BACK
        )
        .order_by("-number")
        .only("remarks", "at")
        .first()
    )
    if last is None:
        return Check()
    lines = MetaLine.objects.filter(evaluation=last).exclude(remark="")
    return Check(last.remarks, dict(lines.values_list("criterion__key", "remark")), last.at)


def _minutes_left(
    asked: Sequence[Line], times: Sequence[datetime], response_words: int
) -> int | None:
    """The time left at the scorer's own pace; None before there is one.

    A break does not count, nor does what was filled in at once. Reading alone takes some time:
    the open lines, and for each of them its share of the response.

    Args:
        asked: the sheet's lines.
        times: when its scored lines were saved, in any order.
    """
    moments = sorted(times)
    steps = [(b - a).total_seconds() for a, b in pairwise(moments)]
    worked = [seconds for seconds in steps if _SHORTEST_STEP <= seconds <= _LONGEST_STEP]
    unread = [line for line in asked if not line.done]
    if len(worked) < _STEPS_OF_A_PACE or not unread:
        return None
    words = sum(storable.word_count(line.text) for line in unread)
    words += response_words * len(unread) // len(asked)
    return max(1, ceil(max(len(unread) * median(worked) / 60, words / _WORDS_A_MINUTE)))
