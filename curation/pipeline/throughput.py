"""What the programme got done, week by week."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Count, Exists, F, OuterRef, Q
from django.db.models.functions import TruncWeek
from django.utils import timezone

from curation.process.lifecycle import Stage
from curation.tasks.models import THROUGH_THE_PROCESS, TaskEvent

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
    since = timezone.make_aware(datetime.combine(starts[0], time.min))
    before = TaskEvent.objects.filter(
        task=OuterRef("task"), to_stage=Stage.APPROVED, at__lt=OuterRef("at")
    ).exclude(from_stage=F("to_stage"))
    rows = (
        TaskEvent.objects.filter(
            Q(to_stage=Stage.SUBMITTED) | Q(~Exists(before), to_stage=Stage.APPROVED),
            at__gte=since,
            task__origin__in=THROUGH_THE_PROCESS,
        )
        .exclude(from_stage=F("to_stage"))
        .annotate(week=TruncWeek("at"))
        .order_by()
        .values_list("week", "to_stage")
        .annotate(n=Count("task", distinct=True))
    )
    counted: dict[tuple[date, str], int] = defaultdict(int)
    for week, stage, n in rows:
        counted[timezone.localtime(week).date(), stage] = n
    return [
        Week(start, counted[start, Stage.SUBMITTED], counted[start, Stage.APPROVED], start < monday)
        for start in starts
    ]
