"""The records of finished work that may be paid, and the entries made of them.

The nouns above register theirs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery

from curation.base.process.lifecycle import Stage
from curation.joining.people import User
from curation.qualifying.exams.models import SittingQuestion
from curation.qualifying.trials.models import Trial
from curation.screening.panels.models import ReferenceCheck, ScreeningVote, Solve
from curation.staff.honoraria.models import Honorarium, HonorariumRate, HonorariumStep, Work
from curation.tasks.business.reverification_models import Reverification
from curation.tasks.task.models import Task, TaskEvent

State = Honorarium.State


@dataclass(frozen=True)
class PaidSource:
    """A record of finished work.

    Attributes:
        kind: of work; each kind has one record.
        rows: selects the rows that are finished, each of which is one piece.
        person, finished_at: the paths from a row to who did it, and to when.
        task, domain: the paths to the task ("" without one), and to the domain.
        seconds: the path to the time that the product measured; "" where it measures none.
    """

    kind: Work
    rows: Callable[[], "QuerySet[Any]"]
    person: str
    finished_at: str
    task: str
    domain: str
    seconds: str = ""


_sources: dict[str, PaidSource] = {}


def register(*sources: PaidSource) -> None:
    """Register records. Idempotent.

    Raises:
        ValueError: the kind has another record.
    """
    for source in sources:
        if _sources.setdefault(source.kind, source) is not source:
            raise ValueError(f"the work {source.kind} is registered twice")


def all_sources() -> list[PaidSource]:
    """Return the registered records, in the order of the kinds of work."""
    return [_sources[kind] for kind in Work if kind in _sources]


def is_still_finished(kind: str, key: int | None) -> bool:
    """Return whether the record still tells a piece as finished. One query; none by hand."""
    source = _sources.get(kind)
    if key is None:
        return True
    return source is not None and source.rows().filter(pk=key).exists()


# --- entering it ----------------------------------------------------------------------------------
def live_rates() -> "QuerySet[HonorariumRate]":
    """Return the rates that were not taken back."""
    return HonorariumRate.objects.filter(taken_back_at__isnull=True)


def decided_entries() -> "QuerySet[Honorarium]":
    """Return what staff approved, refused or paid."""
    return Honorarium.objects.exclude(state=State.WAITING)


def own_entries(person: User) -> "QuerySet[Honorarium]":
    """Return the work of a person."""
    return Honorarium.objects.filter(person=person)


def in_use() -> bool:
    """Return whether the programme pays honoraria: a rate is set, or something was decided."""
    return live_rates().exists() or decided_entries().exists()


def collect_finished_work() -> int:
    """Enter the work that was finished since the last sweep (a periodic job).

    An entry that nobody decided on yet goes when its record is no longer finished, such as a sheet
    that was opened again. Nothing happens until staff set a first rate.

    Returns:
        how many entries came or went.
    """
    if not in_use():
        return 0
    return sum(_enter_new(source) + _take_out(source) for source in all_sources())


def _enter_new(source: PaidSource) -> int:
    entered = Honorarium.objects.filter(kind=source.kind, source=OuterRef("pk"))
    rows = source.rows().filter(
        ~Exists(entered),
        **{f"{source.domain}__external": False, f"{source.person}__isnull": False},
    )
    columns = [source.person, source.finished_at, source.domain]
    columns += [name for name in (source.task, source.seconds) if name]
    found = [
        _entry(source, dict(row))
        for row in rows.order_by("pk").values("pk", *columns)
        if row[source.finished_at] is not None
    ]
    # Another sweep at the same moment enters the same pieces: the database keeps one of each.
    Honorarium.objects.bulk_create(found, ignore_conflicts=True, batch_size=500)
    return len(found)


def _entry(source: PaidSource, row: dict[str, Any]) -> Honorarium:
    seconds = row[source.seconds] if source.seconds else None
    return Honorarium(
        kind=source.kind,
        source=row["pk"],
        person_id=row[source.person],
        task_id=row[source.task] if source.task else None,
        domain_id=row[source.domain],
        finished_at=row[source.finished_at],
        measured_minutes=-(-seconds // 60) if seconds else None,
    )


def _take_out(source: PaidSource) -> int:
    """Delete waiting entries without a step of staff whose record is not finished any more."""
    with transaction.atomic():
        waiting = Honorarium.objects.select_for_update().filter(
            ~Exists(HonorariumStep.objects.filter(entry=OuterRef("pk"))),
            kind=source.kind,
            state=State.WAITING,
        )
        finished = source.rows().values("pk")
        gone = list(waiting.exclude(source__in=finished).values_list("pk", flat=True))
        Honorarium.objects.filter(pk__in=gone).delete()
    return len(gone)


# --- what curation knows itself -------------------------------------------------------------------
_VERIFIED = (Reverification.State.CONFIRMED, Reverification.State.AMENDED)


def passed_screening() -> QuerySet[Task]:
    """Return the tasks that people wrote here and a panel kept, with when it did first."""
    kept = TaskEvent.objects.filter(
        task=OuterRef("pk"), from_stage=Stage.SCREENING, to_stage=Stage.DRAFTING
    )
    first = Subquery(kept.order_by("at", "pk").values("at")[:1])
    return Task.objects.annotate(kept_at=first).filter(kept_at__isnull=False)


SOURCES = (
    PaidSource(Work.TASK, passed_screening, "author", "kept_at", "pk", "domain"),
    PaidSource(Work.VOTE, ScreeningVote.objects.all, "member", "at", "task", "task__domain"),
    PaidSource(
        Work.CHECK,
        lambda: ReferenceCheck.objects.exclude(verdict=""),
        *("checker", "decided_at", "task", "task__domain", "seconds"),
    ),
    PaidSource(
        Work.SOLVE,
        lambda: Solve.objects.exclude(verdict=""),
        *("solver", "decided_at", "task", "task__domain", "seconds"),
    ),
    PaidSource(
        Work.VERIFY,
        lambda: Reverification.objects.filter(state__in=_VERIFIED),
        *("expert", "ended_at", "task", "task__domain"),
    ),
    PaidSource(
        Work.TRIAL,
        lambda: Trial.objects.exclude(verdict=""),
        *("senior", "decided_at", "", "application__domain"),
    ),
    PaidSource(
        Work.MARKING,
        # An answer that a machine graded has nobody who did.
        lambda: SittingQuestion.objects.filter(
            marked_by__isnull=False, points__isnull=False
        ).exclude(marked_by=F("sitting__application__user")),
        *("marked_by", "marked_at", "", "sitting__application__domain"),
    ),
)
