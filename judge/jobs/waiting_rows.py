"""Rows that wait for a job: the waiting row is the queue."""

from collections.abc import Mapping

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from curation.base.process.lifecycle import AnchorStage, Stage
from curation.tasks.task.models import Task
from judge.asking.candidates.generating import waiting_generations
from judge.asking.candidates.generation_models import Generation
from judge.base.queue import leases
from judge.base.queue.failing import Kind
from judge.base.queue.send import (
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
from judge.gold.transfer.import_work import waiting_imports
from judge.jobs.files import files_to_read, undone_files
from judge.results.flags.error_code_models import CodeRequest
from judge.results.product_index.stored import waiting_indexes
from judge.runs.engine import pause_reasons
from judge.runs.engine.batches.models import Batch
from judge.runs.engine.models import JudgeRun
from judge.runs.engine.planning.blocked_runs import blocked_until_staff_act
from judge.runs.engine.work import WORKABLE
from judge.scoring.anchors.models import Anchor
from judge.suggesting.drafts.models import DraftRequest
from judge.suggesting.line_reviews import OpinionRequest
from judge.suggesting.skill_labels.models import LabelRequest
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


KINDS: Mapping[str, Kind] = {
    PROBE: Kind(_("Probing a task"), submitted_tasks, "staff-task"),
    DRAFT: Kind(_("Drafting a rubric"), tasks_in_drafting, "staff-task"),
    FURTHER: Kind(_("A further draft"), draft_requests, "staff-task", about="task"),
    OPINION: Kind(_("An opinion on lines"), opinion_requests, "staff-task", about="task"),
    LABELS: Kind(_("Labels for a task"), label_requests, "staff-task", about="task"),
    CODES: Kind(_("Error codes for a response"), code_requests, "staff-response", about="response"),
    ANSWER: Kind(_("A baseline response"), unanswered_anchors, "staff-task", about="task"),
    GENERATE: Kind(
        _("An order of answers"), waiting_orders, "staff-generation", takable=waiting_generations
    ),
    IMPORT: Kind(_("An import"), waiting_imports, "staff-import"),
    RUN: Kind(_("A judge run"), open_runs, "staff-run", takable=runs_to_work_on),
    CALL_OFF: Kind(_("Cancelling the batches of a run"), cancelled_runs, "staff-run"),
    READ: Kind(_("Reading a file"), undone_files, "attachment-view", takable=files_to_read),
    INDEX: Kind(_("An index over versions"), waiting_indexes),
    LINT: Kind(_("Marks of rubric lines"), waiting_marks, "staff-task", about="version__task"),
}
"""Kind of machine work -> its name, the rows that wait for it, and the page of what it is about."""
