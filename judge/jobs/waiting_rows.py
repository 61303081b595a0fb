"""Rows that wait for a job: the waiting row is the queue."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Q, QuerySet

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
from judge.jobs.files import files_to_read, undone_files
from judge.line_reviews.models import OpinionRequest
from judge.product_index.stored import waiting_indexes
from judge.queue import leases
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
    LINT,
    OPINION,
    PROBE,
    READ,
    RUN,
)
from judge.skill_labels.models import LabelRequest
from rubrics.marks.stored import waiting_marks


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
    READ: undone_files,
    INDEX: waiting_indexes,
    LINT: waiting_marks,
}
"""Kind of machine work -> the rows whose work is not done; what a sweep may take."""

TAKABLE: Mapping[str, Callable[[], QuerySet[Any]]] = {
    GENERATE: waiting_generations,
    RUN: runs_to_work_on,
    READ: files_to_read,
}
"""Kind -> the rows that a worker can take now, where that is not all that waits."""
