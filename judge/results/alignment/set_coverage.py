"""The set of tasks that a report is about, and how many of its tasks are missing in it, and why."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.text.wording import clauses
from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.base.gold_sets import task_sets
from judge.base.gold_sets.task_sets import EVERY_OPEN_TASK, TaskSet
from judge.results.alignment.raters import Rater
from judge.runs.engine.held_out import Looks, looks_at
from judge.runs.engine.models import RunItem
from judge.scoring.sheets.models import Sheet

NO_RESPONSE, NOT_ASKED, PUT_ASIDE, NO_SHEET, NO_SCORE = (
    "no_response", "not_asked", "put_aside", "no_sheet", "no_score",
)  # fmt: skip

WHY: Mapping[str, Any] = {
    NO_RESPONSE: gettext_lazy("no candidate answered it"),
    NOT_ASKED: gettext_lazy("the judge was not asked about it"),
    PUT_ASIDE: gettext_lazy("the plan put its responses aside"),
    NO_SHEET: gettext_lazy("no expert scored a response to it"),
    NO_SCORE: gettext_lazy("none of its responses has a score"),
}


@dataclass(frozen=True, slots=True)
class SetCoverage:
    """How much of a set of tasks a report covers.

    Attributes:
        tasks: the set; None for everything that the judge was asked about.
        total: its number of tasks; None where the set is no fixed list.
        measured: tasks in the report.
        missing: code of the reason -> tasks of the set that are not in the report.
        looks: at the held-out ones among the tasks in the report.
        closed: those of them whose verdicts are not shown.
    """

    tasks: TaskSet | None
    total: int | None
    measured: int
    missing: Mapping[str, int]
    looks: Looks
    closed: frozenset[int]

    @property
    def label(self) -> str:
        """The set in words; "" for everything the judge was asked about."""
        return self.tasks.label if self.tasks else ""

    @property
    def sentence(self) -> str:
        """Say which set it is and what is missing; "" for everything the judge was asked about."""
        if self.tasks is None:
            return ""
        if self.total is None:
            return _("Tasks: %(set)s.") % {"set": self.label}
        number = sum(self.missing.values())
        words = {
            "set": self.label,
            "n": f"{self.measured:,}",
            "total": f"{self.total:,}",
            "missing": f"{number:,}",
            "why": clauses(
                _("%(n)s: %(why)s") % {"n": f"{n:,}", "why": WHY[code]}
                for code, n in self.missing.items()
            ),
        }
        if not number:
            return _("Tasks: %(set)s, all %(total)s of them.") % words
        return _("Tasks: %(set)s, %(n)s of %(total)s; %(missing)s missing (%(why)s).") % words

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "set": str(self.tasks) if self.tasks else None,
            "total": self.total,
            "measured": self.measured,
            "missing": dict(self.missing),
        }


def set_of_report(judge: Rater, name: str | None) -> TaskSet | None:
    """Return the set a report is about; None for everything the judge was asked about.

    Without a name a run is reported on the set it was planned on, and an imported judge on what is
    not held out.

    Raises:
        BadInput: the name names no set.
    """
    if name:
        return task_sets.parse(name)
    if judge.run is None:
        return EVERY_OPEN_TASK if task_sets.split_exists() else None
    try:
        planned = task_sets.parse(judge.run.task_set)
    except BadInput:  # no longer in this database
        return None
    return planned if planned.fixed else None


def cover(
    judge: Rater,
    tasks: TaskSet | None,
    measured: Collection[int],
    *,
    with_sheets: bool,
    domain: str | None = None,
) -> SetCoverage:
    """Compare a set with the tasks in a report. Nine queries at most.

    Args:
        measured: the tasks in the report.
        with_sheets: whether a task needs an expert's sheet to be in it.
        domain: key of the only domain the report is about.
    """
    looks, closed = _held_out_among(measured)
    if tasks is None or not tasks.fixed:
        return SetCoverage(tasks, None, len(measured), {}, looks, closed)
    wanted = Task.objects.filter(pk__in=tasks.members())
    if domain:
        wanted = wanted.filter(domain__key=domain)
    every = set(wanted.values_list("pk", flat=True))
    missing = every - set(measured)
    counts: Counter[str] = Counter()
    if missing:
        counts = _reasons(judge, tasks, missing, with_sheets=with_sheets)
    return SetCoverage(
        tasks,
        len(every),
        len(every) - len(missing),
        {code: counts[code] for code in WHY if counts[code]},
        looks,
        closed,
    )


def _reasons(judge: Rater, tasks: TaskSet, missing: set[int], *, with_sheets: bool) -> Counter[str]:
    """Say of each missing task the first thing that it lacks."""
    answered = set(
        tasks.within(Response.objects.filter(baseline=False).order_by()).values_list(
            "task_id", flat=True
        )
    )
    asked, planned = _asked(judge, tasks)
    counts: Counter[str] = Counter()
    for task in missing:
        if task not in answered:
            counts[NO_RESPONSE] += 1
        elif task in asked:
            counts[NO_SHEET if with_sheets else NO_SCORE] += 1
        else:
            counts[PUT_ASIDE if task in planned else NOT_ASKED] += 1
    return counts


def _asked(judge: Rater, tasks: TaskSet) -> tuple[set[int], set[int]]:
    """Return the tasks a judge was asked about, and those with a response in its plan."""
    if judge.run is not None:
        items = RunItem.objects.filter(run=judge.run).exclude(reason="baseline").order_by()
        rows = list(tasks.within(items, "response__task").values_list("response__task", "state"))
        asked = {task for task, state in rows if state != RunItem.State.SKIPPED}
        return asked, {task for task, _state in rows}
    sheets = Sheet.objects.filter(
        rater=judge.name, state=Sheet.State.SUBMITTED, response__baseline=False
    ).order_by()
    named = tasks.within(sheets, "response__task").values_list("response__task", "skipped")
    found = list(named)
    return {task for task, skipped in found if not skipped}, {task for task, _why in found}


def _held_out_among(measured: Collection[int]) -> tuple[Looks, frozenset[int]]:
    held = set(task_sets.held_out().values_list("task", flat=True)).intersection(measured)
    if not held:
        return Looks(), frozenset()
    rows = task_sets.held_out().filter(task__in=held)
    shut = task_sets.closed().filter(task__in=held).values_list("task", flat=True)
    return looks_at(rows), frozenset(shut)
