"""A set of tasks by name: all, those not held out, a draw, a release, or a half of either.

Runs, orders of answers, reports and commands name their tasks by these names alone, so that a
name means the same tasks everywhere: `all`, `open`, `draw:3`, `release:2`,
`draw:3/development`, `release:2/held-out`.
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Count, Exists, Model, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.web.refusals import BadInput
from judge.base.gold_sets.models import (
    GoldDraw,
    GoldDrawItem,
    GoldItem,
    GoldRelease,
    GoldSplit,
    Half,
    TaskHalf,
)

ALL, OPEN, DRAW, RELEASE = "all", "open", "draw", "release"
OFFERED = 50  # draws, and releases, in a list of choices; older ones can be named all the same

_NAME = re.compile(
    r"(?P<kind>draw|release):(?P<number>[1-9][0-9]{0,17})(?:/(?P<half>development|held-out))?"
)

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class TaskSet:
    """A set of tasks by its name.

    Attributes:
        kind: `open` (all tasks that no split holds out), `all`, `draw` or `release`.
        number: the number of the draw or release, 0 for the others.
        half: one of `Half`, or "" for both halves.
    """

    kind: str = OPEN
    number: int = 0
    half: str = ""

    def __str__(self) -> str:
        if not self.number:
            return self.kind
        return f"{self.kind}:{self.number}{f'/{self.half}' if self.half else ''}"

    @property
    def label(self) -> str:
        """The set in the reader's language, without a count."""
        if self.kind == ALL:
            return _("All tasks, those held out included")
        if self.kind == OPEN:
            return _("All tasks that are not held out") if split_exists() else _("All tasks")
        words = _("Draw %(n)s") if self.kind == DRAW else _("Release %(n)s")
        name = words % {"n": self.number}
        if not self.half:
            return name
        return _("%(set)s, %(half)s") % {"set": name, "half": Half(self.half).label}

    @property
    def fixed(self) -> bool:
        """Whether it is a draw, a release or a half: a list of tasks that never changes."""
        return bool(self.number)

    def within(self, rows: "QuerySet[M]", path: str = "task") -> "QuerySet[M]":
        """Narrow a query to the tasks of this set.

        Args:
            path: the field that leads to the task; "pk" for a query of tasks.
        """
        if self.kind == ALL:
            return rows
        if self.kind == OPEN:
            return rows.exclude(**{f"{path}__in": held_out()})
        return rows.filter(**{f"{path}__in": self.members()})

    def members(self) -> "QuerySet[Any]":
        """Select the keys of the tasks in a draw, a release or a half of it."""
        if self.kind == DRAW:
            rows: QuerySet[Any] = GoldDrawItem.objects.filter(draw=self.number)
        else:
            rows = GoldItem.objects.filter(release__number=self.number)
        if self.half:
            rows = rows.filter(task__half__half=self.half)
        return rows.order_by().values("task")


EVERY_OPEN_TASK = TaskSet()
EVERY_TASK = TaskSet(ALL)


def parse(text: str, *, field: str = "tasks") -> TaskSet:
    """Read the name of a set; "" is `open`.

    Args:
        field: the form's field or the command's option, for the refusal.

    Raises:
        BadInput: no such name, draw or release, or one that was never split.
    """
    text = text.strip()
    if text in ("", OPEN):
        return EVERY_OPEN_TASK
    if text == ALL:
        return TaskSet(ALL)
    match = _NAME.fullmatch(text)
    if match is None:
        raise _refusal(
            field,
            _(
                "“%(name)s” names no set of tasks. Write all, open, draw:3, release:2, or a half: "
                "draw:3/development, draw:3/held-out."
            )
            % {"name": text[:80]},
        )
    found = TaskSet(match["kind"], int(match["number"]), match["half"] or "")
    if found.kind == DRAW:
        known = GoldDraw.objects.filter(pk=found.number).exists()
        missing = _("There is no draw %(n)s.")
    else:
        known = GoldRelease.objects.filter(number=found.number).exists()
        missing = _("There is no release %(n)s.")
    if not known:
        raise _refusal(field, missing % {"n": found.number})
    if found.half and split_of(found) is None:
        words = (
            _("Draw %(n)s was not split into halves. Split it on its page first.")
            if found.kind == DRAW
            else _("Release %(n)s was not split into halves. Split it on its page first.")
        )
        raise _refusal(field, words % {"n": found.number})
    return found


def label_of(name: str) -> str:
    """Return a stored name in words; the name itself where its draw or release is gone."""
    try:
        return parse(name).label if name else ""
    except BadInput:
        return name


def is_name(text: str) -> bool:
    """Return whether a text is written like the name of a set, whether or not it exists."""
    return text in (ALL, OPEN) or _NAME.fullmatch(text) is not None


def split_of(tasks: TaskSet) -> GoldSplit | None:
    """Return the split of a draw or release; a release has that of the draw it came from."""
    if tasks.kind == DRAW:
        return GoldSplit.objects.filter(draw=tasks.number).first()
    own = Q(release__number=tasks.number) | Q(draw__releases__number=tasks.number)
    return GoldSplit.objects.filter(own).first()


# -- halves ---------------------------------------------------------------------------------------


def held_out() -> "QuerySet[Any]":
    """Select the keys of all tasks that some split holds out."""
    return TaskHalf.objects.filter(half=Half.HELD_OUT).order_by().values("task")


def closed() -> "QuerySet[Any]":
    """Select the keys of held-out tasks whose half staff have not opened."""
    return held_out().filter(split__opening__isnull=True)


def split_exists() -> bool:
    """Return whether any draw or release was split."""
    return GoldSplit.objects.exists()


def is_closed(task: int) -> bool:
    """Return whether a task is held out and its half was not opened. One query."""
    return closed().filter(task=task).exists()


def closed_of(path: str) -> Exists:
    """Return a condition: the task that this field of a row leads to is held out and closed."""
    return Exists(closed().filter(task=OuterRef(path)))


def why_closed() -> str:
    """Say why verdicts on a task are not shown, and what to do."""
    return _(
        "This task is in a held-out half that is closed: its verdicts count in the reports, and "
        "nobody reads them while judges are tuned. Staff can open the half on the page of its draw "
        "or release."
    )


# -- choices --------------------------------------------------------------------------------------


def choices(*, with_held_out: bool = True) -> list[tuple[str, str]]:
    """Return the sets a page offers as (name, label with its count). Four queries at most.

    Args:
        with_held_out: also offer sets that hold tasks of a held-out half; without, a set is
            offered only where none of its tasks is held out, as tuning needs it.
    """
    releases = _counts(
        GoldItem.objects.filter(release__in=GoldRelease.objects.values("pk")[:OFFERED]),
        "release__number",
    )
    draws = _counts(
        GoldDrawItem.objects.filter(draw__in=GoldDraw.objects.values("pk")[:OFFERED]), "draw_id"
    )
    if not releases and not draws:
        return [("", _open_label(0))]
    out = held_out().count()
    splits = GoldSplit.objects.values_list("draw_id", "release__number", "draw__releases__number")
    kinds = (DRAW, RELEASE, RELEASE)
    split = {(kind, n) for row in splits for kind, n in zip(kinds, row, strict=True)}
    rows = [("", _open_label(out))]
    if out and with_held_out:
        rows.append((ALL, _("All tasks, those held out included")))
    rows += _choices_of(RELEASE, releases, split, with_held_out=with_held_out)
    rows += _choices_of(DRAW, draws, split, with_held_out=with_held_out)
    return rows


def _open_label(out: int) -> str:
    if not out:
        return _("All tasks")
    return ngettext("All tasks but the %(n)s held out", "All tasks but the %(n)s held out", out) % {
        "n": f"{out:,}"
    }


_Counts = dict[int, dict[str, int]]  # number of a draw or release -> half or "" -> tasks


def _counts(items: "QuerySet[Any]", number: str) -> _Counts:
    counts: _Counts = defaultdict(dict)
    for pk, half, n in (
        items.order_by().values_list(number, "task__half__half").annotate(n=Count("id"))
    ):
        counts[pk][half or ""] = n
    return counts


def _choices_of(
    kind: str, counts: _Counts, split: set[tuple[str, int]], *, with_held_out: bool
) -> list[tuple[str, str]]:
    rows = []
    for pk in sorted(counts, reverse=True):
        halves = counts[pk]
        if with_held_out or Half.HELD_OUT.value not in halves:
            rows.append(_choice(TaskSet(kind, pk), sum(halves.values())))
        for half in Half.values if (kind, pk) in split else ():
            if halves.get(half) and (with_held_out or half == Half.DEVELOPMENT):
                rows.append(_choice(TaskSet(kind, pk, half), halves[half]))
    return rows


def _choice(tasks: TaskSet, number: int) -> tuple[str, str]:
    words = ngettext("%(set)s: %(n)s task", "%(set)s: %(n)s tasks", number)
    return str(tasks), words % {"set": tasks.label, "n": f"{number:,}"}


def _refusal(field: str, sentence: str) -> BadInput:
    return BadInput(sentence, code="unknown_task_set", fields={field: [sentence]})
