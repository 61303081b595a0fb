"""Rows that wait for a job: the waiting row is the queue."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import QuerySet

from curation.process.lifecycle import AnchorStage, Stage
from curation.tasks.models import Task
from judge.anchors.models import Anchor
from judge.drafts.models import DraftRequest
from judge.error_codes.models import CodeRequest
from judge.generation.models import Generation
from judge.imports.work import waiting_imports
from judge.line_reviews.models import OpinionRequest
from judge.queue.send import (
    ANSWER,
    CODES,
    DRAFT,
    FURTHER,
    GENERATE,
    IMPORT,
    LABELS,
    OPINION,
    PROBE,
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
}
"""Kind of machine work -> the rows whose work is not done; what a sweep may take."""
