"""The drafts of one rubric, and the progress of the one being written."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Count
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.tasks.task.models import Task
from judge.asking.calls.models import Call
from judge.base.queue.models import MachineWork
from judge.base.queue.queries import is_awake, last_heartbeat
from judge.base.queue.send import DRAFT, FURTHER
from judge.suggesting.drafts.models import DraftRequest
from rubrics.versions.models import RubricVersion


@dataclass(frozen=True)
class Progress:
    """The progress of the draft that is being written.

    Attributes:
        first: whether it is the first draft, for which the rubric waits.
        since: when it was asked for.
        begun: when a worker claimed it; None while it waits for a worker.
        failed_calls: number of calls that failed so far.
        awake: whether a worker is running.
    """

    first: bool
    since: datetime
    begun: datetime | None
    failed_calls: int
    awake: bool

    @property
    def step(self) -> str:
        """Return a name that changes when there is something new to show."""
        begun = "working" if self.begun else "waiting"
        return f"{begun}-{self.failed_calls}-{int(self.awake)}"


@dataclass(frozen=True)
class Drafting:
    """The drafts of a rubric as its author sees them.

    Attributes:
        last: the newest request in any state; None without one.
        progress: None if nothing is being written.
        drafted: the drafts with lines, oldest first, each with `line_count`.
    """

    last: DraftRequest | None
    progress: Progress | None
    drafted: list[RubricVersion]

    @property
    def most(self) -> int:
        return settings.DRAFTS_PER_TASK

    @property
    def left(self) -> int:
        """Return how many more drafts the author may ask for."""
        return max(0, self.most - len(self.drafted))

    @property
    def news(self) -> DraftRequest | None:
        """Return the last request if it ended and the author has not seen that, else None."""
        last = self.last
        return last if last is not None and last.ended_at and not last.seen_at else None

    @property
    def token(self) -> str:
        """Return a token that changes when the page has something new to show."""
        if self.progress is not None:
            return self.progress.step
        return f"{self.last.state}-{self.last.pk}" if self.news and self.last else "none"


def drafting_of(task: Task) -> Drafting:
    """Return the drafts of a task and the one being written. Five queries at most."""
    last = DraftRequest.objects.filter(task=task).select_related("version").order_by("-id").first()
    drafted = (
        task.rubric_versions.filter(origin=RubricVersion.Origin.DRAFT)
        .select_related("request")
        .annotate(line_count=Count("criteria"))
        .filter(line_count__gt=0)
        .order_by("number")
    )
    return Drafting(last, _progress(task, last), list(drafted))


def _progress(task: Task, last: DraftRequest | None) -> Progress | None:
    if task.stage == Stage.DRAFTING:
        return _of(task, DRAFT, task.pk, task.stage_since)
    if last is not None and last.state == DraftRequest.State.WAITING:
        return _of(task, FURTHER, last.pk, last.asked_at)
    return None


def _of(task: Task, kind: str, object_id: int, since: datetime) -> Progress:
    work = MachineWork.objects.filter(
        kind=kind, object_id=object_id, lease_until__gt=timezone.now()
    ).first()
    return Progress(
        first=kind == DRAFT,
        since=since,
        begun=work.updated_at if work is not None and work.lease else None,
        failed_calls=Call.objects.filter(task=task, purpose=Call.Purpose.DRAFT, at__gte=since)
        .exclude(error="")
        .count(),
        awake=is_awake(last_heartbeat()),
    )
