"""How fast verdicts and confirmations followed one another, for seniors and staff.

Somebody who reads a whole page first and then presses keys is as fast as somebody who does not
read at all: the figures say where to look, and nothing more.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text.storable import word_count
from curation.base.text.wording import sentences
from curation.tasks.task.models import Task
from review.rounds.assignment_models import LineReview
from rubrics.versions.models import Criterion, LineChange

WORDS_A_SECOND = 2 * 238 / 60
"""Twice the mean rate of silent reading of English, 238 words a minute (Brysbaert 2019, "How many
words do we read per minute?", Journal of Memory and Language 109, 104047)."""
NOTABLE = 5  # fewer fast steps are nothing to look into
APPROVE, CONFIRMED = LineReview.Verdict.APPROVE, LineChange.Kind.CONFIRMED

# (what it belongs to, when, whether it counts, the text that was to be read, the task's id)
Step = tuple[int, datetime, bool, str, int]


@dataclass(frozen=True)
class Pace:
    """Steps that took less time, since the step before, than reading their line does.

    Attributes:
        n, of: how many of how many; the first step of a round or a version is never too fast.
        tasks: ids of the tasks with such steps, the newest first.
    """

    n: int
    of: int
    tasks: tuple[int, ...]

    @property
    def is_notable(self) -> bool:
        """Whether at least half of the steps were too fast, and not only a few."""
        return self.n >= NOTABLE and 2 * self.n >= self.of


def pace_of(steps: Iterable[Step]) -> Pace:
    """Compare each step with the one before it in the same round or version."""
    n = of = 0
    tasks: set[int] = set()
    for _group, rows in groupby(sorted(steps, key=itemgetter(0, 1)), key=itemgetter(0)):
        before: datetime | None = None
        for _same, at, counts, text, task in rows:
            if counts:
                of += 1
                needed = word_count(text) / WORDS_A_SECOND
                if before is not None and (at - before).total_seconds() < needed:
                    n += 1
                    tasks.add(task)
            before = at
    return Pace(n, of, tuple(sorted(tasks, reverse=True)))


def approvals(most: int | None = None, **rounds: Any) -> Pace:
    """Return the pace of approvals; those carried over are nobody's step. One query.

    Args:
        most: the newest verdicts that are considered; None for all.
        rounds: lookups of `LineReview`.
    """
    rows = LineReview.objects.filter(carried_over=False, **rounds).order_by("-pk")[:most]
    return pace_of(
        (round, at, verdict == APPROVE, text, task)
        for round, at, verdict, text, task in rows.values_list(
            "round_id", "at", "verdict", "criterion__text", "round__review__task_id"
        )
    )


def confirmations(most: int | None = None, **changes: Any) -> Pace:
    """Return the pace at which drafted lines were kept as they are. Two queries.

    Only the first confirmation of a line counts: it is repeated when a text is amended.

    Args:
        most: the newest steps that are considered; None for all.
        changes: lookups of `LineChange`.
    """
    rows = list(
        LineChange.objects.filter(**changes)
        .order_by("-pk")[:most]
        .values_list("version_id", "at", "kind", "key", "version__task_id")
    )
    kept = {row[3:] for row in rows if row[2] == CONFIRMED}
    texts = {
        (key, task): text
        for key, task, text in Criterion.objects.filter(
            version__task__in={task for _key, task in kept}, key__in={key for key, _task in kept}
        )
        .order_by("version__number")
        .values_list("key", "version__task_id", "text")
    }
    steps: list[Step] = []
    seen: set[tuple[str, int]] = set()
    for version, at, kind, key, task in reversed(rows):
        counts = kind == CONFIRMED and (key, task) not in seen
        if counts:
            seen.add((key, task))
        steps.append((version, at, counts, texts.get((key, task), ""), task))
    return pace_of(steps)


def approved_fast(n: int, of: int) -> str:
    """Say how many approvals came too fast."""
    return ngettext(
        "%(n)s of %(of)s approvals was given faster than its line can be read.",
        "%(n)s of %(of)s approvals were given faster than their lines can be read.",
        n,
    ) % {"n": n, "of": of}


def confirmed_fast(n: int, of: int) -> str:
    """Say how many drafted lines were kept too fast."""
    return ngettext(
        "%(n)s of %(of)s drafted lines was kept faster than it can be read.",
        "%(n)s of %(of)s drafted lines were kept faster than they can be read.",
        n,
    ) % {"n": n, "of": of}


def of_author(task: Task) -> str:
    """Return what a reviewer should know of the author's pace; empty if nothing is notable."""
    return _warning(_kept(task))


def of_everybody(task: Task) -> str:
    """Return what a senior should know of the pace on a rubric; empty if nothing is notable."""
    found = approvals(round__review__task=task, round__finished_at__isnull=False)
    return _warning(_kept(task), approved_fast(found.n, found.of) if found.is_notable else "")


def _kept(task: Task) -> str:
    found = confirmations(version__task=task)
    return confirmed_fast(found.n, found.of) if found.is_notable else ""


def _warning(*facts: str) -> str:
    if not any(facts):
        return ""
    return sentences([*facts, _("Read each line yourself: perhaps nobody has read it before you.")])
