"""The seniors' queue and page, and the achieved rate of the draw."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Domain
from curation.joining.people import cached_conflicts_of
from curation.tasks.task.models import Seat, Task, TaskEvent
from review.rounds import pace
from review.rounds.assignment_models import Comment, Suggestion
from review.rounds.closing import rounds_over
from review.rounds.threads import SpeakerNames, threads
from review.senior_seats.models import OF_THE_STAGE, standing_seats
from rubrics.lines.threads import Remark
from rubrics.versions import balance
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.task_text import TaskText, task_text


@dataclass(frozen=True)
class CheckedLine:
    """A line of the rubric with its number, from 1, and its thread."""

    n: int
    line: Criterion
    remarks: tuple[Remark, ...]


@dataclass(frozen=True)
class SpotCheckPage:
    """The rubric and its task, as a senior sees them.

    Attributes:
        pace: a warning that it was approved faster than it can be read; usually empty.
    """

    task: TaskText
    version: int
    lines: tuple[CheckedLine, ...]
    rounds: int
    pace: str = ""

    @property
    def importance(self) -> list[balance.Part]:
        return balance.by_importance([row.line for row in self.lines])

    @property
    def dimensions(self) -> list[balance.Part]:
        return balance.by_dimension([row.line for row in self.lines])

    @property
    def total(self) -> int:
        return sum(row.line.weight for row in self.lines)


def threads_of(task: Task) -> dict[str, list[Remark]]:
    """Return line key -> all remarks of finished rounds, with roles only, for a senior."""
    return threads(
        Comment.objects.filter(task_id=task.pk).exclude(
            round__isnull=False, round__finished_at__isnull=True
        ),
        Suggestion.objects.filter(
            line__round__review__task=task.pk, line__round__finished_at__isnull=False
        ),
        SpeakerNames(),
    )


def spot_check_page(task: Task, version: RubricVersion) -> SpotCheckPage:
    """Load everything a senior reads before the verdict, with roles instead of names."""
    remarks = threads_of(task)
    lines = version.criteria.order_by("position", "id")
    return SpotCheckPage(
        task=task_text(task.pk),
        version=version.number,
        lines=tuple(
            CheckedLine(n, line, tuple(remarks.get(line.key, ())))
            for n, line in enumerate(lines, start=1)
        ),
        rounds=rounds_over(task),
        pace=pace.of_everybody(task),
    )


def queue(user: Any, *stages: Stage) -> QuerySet[Any]:
    """Return tasks that wait for a senior at these stages and that this senior holds or may take.

    `is_mine` tells whether they hold it. Only tasks in their domains, without another seat of
    theirs, not by an author they have a conflict with, and not held by a colleague.
    """
    standing = standing_seats().filter(task=OuterRef("pk"))
    other = Seat.objects.filter(task=OuterRef("pk"), user=user).exclude(OF_THE_STAGE)
    taken = standing.exclude(user=user).filter(
        user__is_active=True,
        user__qualifications__domain_id=OuterRef("domain_id"),
        user__qualifications__active=True,
        user__qualifications__senior=True,
    )
    return (
        Task.objects.filter(stage__in=stages, domain_id__in=user.senior_domain_ids())
        .exclude(author_id=user.pk)
        .exclude(author_id__in=cached_conflicts_of(user))
        .exclude(rubric_author_id__in=cached_conflicts_of(user))
        .annotate(
            is_mine=Exists(standing.filter(user=user)),
            has_other_seat=Exists(other),
            is_taken=Exists(taken),
        )
        .filter(has_other_seat=False, is_taken=False)
        .select_related("domain", "category")
        .only("title", "language", "stage", "stage_since", "domain", "category")
        .order_by("-is_mine", "stage_since", "pk")
    )


def rates() -> list[dict[str, Any]]:
    """Return for each domain its name, tasks `closed`, those `drawn`, and the `share` (0 to 1).

    A task that was reviewed again counts once, because its draw never changes. Two queries.
    """
    rows = (
        TaskEvent.objects.filter(
            from_stage__in=[Stage.IN_REVIEW, Stage.DECIDING],
            to_stage__in=[Stage.SPOT_CHECK, Stage.APPROVED],
        )
        .values(domain=F("task__domain_id"))
        .annotate(
            closed=Count("task", distinct=True),
            drawn=Count("task", distinct=True, filter=Q(to_stage=Stage.SPOT_CHECK)),
        )
    )
    names = {domain.pk: str(domain) for domain in Domain.objects.all()}
    return sorted(
        (
            {
                "domain": names[row["domain"]],
                "closed": row["closed"],
                "drawn": row["drawn"],
                "share": row["drawn"] / row["closed"],
            }
            for row in rows
        ),
        key=lambda row: row["domain"],
    )
