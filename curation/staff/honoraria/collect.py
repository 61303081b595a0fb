"""Enter finished work as pieces that may be paid, and take out what is finished no more."""

from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from curation.joining.people import User
from curation.staff.honoraria.models import Honorarium, HonorariumRate, HonorariumStep
from curation.staff.honoraria.sources import PaidSource, all_sources

State = Honorarium.State


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
