"""Rows that wait for a job: the waiting row is the queue."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Min, Q, QuerySet

from curation.attachments.models import Attachment
from curation.file_views.read_files import unread_files
from curation.process.lifecycle import AnchorStage, Stage
from curation.tasks.models import Task
from judge.anchors.models import Anchor
from judge.drafts.models import DraftRequest
from judge.engine import pause_reasons
from judge.engine.batches.models import Batch
from judge.engine.models import JudgeRun
from judge.engine.planning.blocked_runs import blocked_until_staff_act
from judge.engine.work import WORKABLE
from judge.error_codes.models import CodeRequest
from judge.generation.generate import waiting_generations
from judge.generation.models import Generation
from judge.imports.work import waiting_imports
from judge.line_reviews.models import OpinionRequest
from judge.product_index.stored import waiting_indexes
from judge.queue import leases
from judge.queue.models import MachineWork
from judge.queue.send import (
    ANSWER,
    CALL_OFF,
    CODES,
    DRAFT,
    FURTHER,
    GENERATE,
    IMPORT,
    INDEX,
    LABELS,
    OPINION,
    PROBE,
    READ,
    RUN,
)
from judge.skill_labels.models import LabelRequest


def submitted_tasks() -> QuerySet[Task]:
    return Task.objects.filter(stage=Stage.SUBMITTED)


def tasks_in_drafting() -> QuerySet[Task]:
    return Task.objects.filter(stage=Stage.DRAFTING)


def draft_requests() -> QuerySet[DraftRequest]:
    return DraftRequest.objects.filter(state=DraftRequest.State.WAITING)


def opinion_requests() -> QuerySet[OpinionRequest]:
    return OpinionRequest.objects.filter(state=OpinionRequest.State.WAITING)


def label_requests() -> QuerySet[LabelRequest]:
    return LabelRequest.objects.filter(state=LabelRequest.State.WAITING)


def code_requests() -> QuerySet[CodeRequest]:
    return CodeRequest.objects.filter(state=CodeRequest.State.WAITING)


def unanswered_anchors() -> QuerySet[Anchor]:
    return Anchor.objects.filter(stage=AnchorStage.ANSWERING)


def waiting_orders() -> QuerySet[Generation]:
    """Return the orders of answers that go on by themselves, at once or after a pause."""
    return Generation.objects.filter(state=Generation.State.WAITING)


def open_runs() -> QuerySet[JudgeRun]:
    """Return the runs that are worked on or wait for it, or that their worker did not survive."""
    aside = Q(state=JudgeRun.State.PAUSED, reason=pause_reasons.ENDED_ITS_WORKERS)
    return JudgeRun.objects.filter(Q(state__in=WORKABLE) | aside)


def runs_to_work_on() -> QuerySet[JudgeRun]:
    """Return the runs that a worker can take now; the others are held, or wait for staff."""
    held = JudgeRun.objects.filter(state__in=WORKABLE).values_list(
        "pk", "state", "lease", "lease_until"
    )
    free = {pk: state for pk, state, lease, until in held if leases.is_free(lease, until)}
    waiting = (pk for pk, state in free.items() if state == JudgeRun.State.WAITING)
    return JudgeRun.objects.filter(pk__in=set(free) - set(blocked_until_staff_act(waiting)))


def cancelled_runs() -> QuerySet[JudgeRun]:
    """Return the cancelled runs with a batch that the provider still works on."""
    open_ = Batch.objects.filter(state__in=(Batch.State.PREPARED, Batch.State.SENT))
    return JudgeRun.objects.filter(state=JudgeRun.State.CANCELLED, pk__in=open_.values("run"))


def files_to_read() -> QuerySet[Attachment]:
    """Return the next file to read of each person who has none that is being read.

    So many files, or files that take long, hold up only those of the person who added them. Files
    that came with imported tasks have no person and count as one's.
    """
    served = [owner for _pk, owner in _being_read()]
    waiting = unread_files().exclude(pk__in=leases.unavailable(READ))
    firsts = waiting.order_by().values("uploaded_by").annotate(first=Min("pk"))
    return Attachment.objects.filter(
        pk__in=[row["first"] for row in firsts if row["uploaded_by"] not in served]
    )


def another_is_read(row: Attachment) -> bool:
    """Return whether another file of the same person is being read now."""
    return any(pk != row.pk and owner == row.uploaded_by_id for pk, owner in _being_read())


def _being_read() -> list[tuple[int, int | None]]:
    """Return file and person of each file that a worker reads now."""
    held = MachineWork.objects.filter(kind=READ).exclude(lease="")
    rows = held.values_list("object_id", "lease", "lease_until")
    being = [pk for pk, lease, until in rows if not leases.is_free(lease, until)]
    return list(Attachment.objects.filter(pk__in=being).values_list("pk", "uploaded_by"))


WAITING: Mapping[str, Callable[[], QuerySet[Any]]] = {
    PROBE: submitted_tasks,
    DRAFT: tasks_in_drafting,
    FURTHER: draft_requests,
    OPINION: opinion_requests,
    LABELS: label_requests,
    CODES: code_requests,
    ANSWER: unanswered_anchors,
    GENERATE: waiting_orders,
    IMPORT: waiting_imports,
    RUN: open_runs,
    CALL_OFF: cancelled_runs,
    READ: unread_files,
    INDEX: waiting_indexes,
}
"""Kind of machine work -> the rows whose work is not done; what a sweep may take."""

TAKABLE: Mapping[str, Callable[[], QuerySet[Any]]] = {
    GENERATE: waiting_generations,
    RUN: runs_to_work_on,
    READ: files_to_read,
}
"""Kind -> the rows that a worker can take now, where that is not all that waits."""
