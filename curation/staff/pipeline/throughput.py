"""What the programme got done, week by week."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Case, Count, Exists, F, IntegerField, OuterRef, Q, Value, When
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.tasks.task.models import THROUGH_THE_PROCESS, TaskEvent

WEEKS = 8


@dataclass(frozen=True, slots=True)
class Week:
    """Tasks that were submitted, and tasks approved for the first time, in the week of this Monday.

    `whole` is false for the week that is not over.
    """

    start: date
    submitted: int
    approved: int
    whole: bool

    @property
    def submitted_bar(self) -> list[tuple[int, str, str]]:
        return [(self.submitted, "age-2", "")]

    @property
    def approved_bar(self) -> list[tuple[int, str, str]]:
        return [(self.approved, "yes", "")]


def weekly(weeks: int = WEEKS) -> list[Week]:
    """Return the whole weeks before this one and this one, oldest first. One query.

    A task that is submitted twice in a week counts once. An approval counts the first time only:
    what is taken back from a discard, or approved again, is no further task.
    """
    today = timezone.localdate()
    monday = today - timedelta(days=today.weekday())
    starts = [monday - timedelta(weeks=n) for n in range(weeks, -1, -1)]
    moments = [timezone.make_aware(datetime.combine(start, time.min)) for start in starts]
    week = Case(
        *(When(at__gte=moment, then=Value(n)) for n, moment in reversed([*enumerate(moments)])),
        output_field=IntegerField(),
    )
    before = TaskEvent.objects.filter(
        task=OuterRef("task"), to_stage=Stage.APPROVED, at__lt=OuterRef("at")
    ).exclude(from_stage=F("to_stage"))
    rows = (
        TaskEvent.objects.filter(
            Q(to_stage=Stage.SUBMITTED) | Q(~Exists(before), to_stage=Stage.APPROVED),
            at__gte=moments[0],
            task__origin__in=THROUGH_THE_PROCESS,
        )
        .exclude(from_stage=F("to_stage"))
        .annotate(week=week)
        .order_by()
        .values_list("week", "to_stage")
        .annotate(n=Count("task", distinct=True))
    )
    counted = defaultdict[tuple[int, str], int](int)
    for number, stage, n in rows:
        counted[number, stage] = n
    return [
        Week(start, counted[n, Stage.SUBMITTED], counted[n, Stage.APPROVED], start < monday)
        for n, start in enumerate(starts)
    ]
