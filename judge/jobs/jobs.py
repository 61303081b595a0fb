"""Background jobs. The row is the truth: a lost or repeated message does no harm.

Each job claims its row before it works; the sweep queues every waiting row that nobody has claimed.
A machine stage never blocks people: work that fails repeatedly is skipped or done by the offline
rules, and the reason is recorded.
"""

import logging
from collections.abc import Callable
from typing import Any

from celery import shared_task
from django.utils import timezone

from curation.base.process import periodic_jobs
from curation.base.web.refusals import Conflict
from curation.tasks.file_views import read_files
from judge.asking import providers
from judge.asking.calls import model_client
from judge.asking.candidates.generating import generate, give_up
from judge.asking.candidates.generation_models import Generation
from judge.base.queue import leases, watchdog
from judge.base.queue.models import Heartbeat
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
    register,
    send,
)
from judge.gold.transfer import import_work as imports
from judge.jobs.claims import claimed
from judge.jobs.files import claim_in_turn, files_to_read
from judge.jobs.run_claims import work_on_claimed
from judge.jobs.waiting_rows import (
    KINDS,
    cancelled_runs,
    code_requests,
    draft_requests,
    label_requests,
    opinion_requests,
    submitted_tasks,
    unanswered_anchors,
)
from judge.results.flags import error_code_proposals as error_codes
from judge.results.product_index import stored
from judge.runs.engine.batches.cancel import cancel_batches
from judge.runs.engine.models import JudgeRun
from judge.runs.engine.work import WORKABLE
from judge.scoring.anchors import baseline
from judge.suggesting import probes
from judge.suggesting.drafts.generate import (
    NO_LINES,
    draft_for,
    end_request,
    tasks_waiting_for_draft,
    write_requested_draft,
)
from judge.suggesting.drafts.models import DraftRequest
from judge.suggesting.line_reviews import fail_request, read_requested_lines
from judge.suggesting.skill_labels import generate as skill_labels
from rubrics.marks import stored as stored_marks
from rubrics.versions.actions import record_draft

log = logging.getLogger(__name__)

MOST_ATTEMPTS = 3  # of work that breaks; errors of a provider are retried within one attempt
SWEEP_EXPIRES = 90  # seconds; by then another sweep has queued the same work

# -- the jobs -------------------------------------------------------------------------------------


@shared_task(name="judge.jobs.probe_task", ignore_result=True)
def probe_task(pk: int) -> bool:
    """Check a submitted task for duplicates, probe models with it, and pass it to its panel."""
    with claimed(PROBE, submitted_tasks().select_related("domain"), pk) as claim:
        if claim is None:
            return False
        work, task = claim.work, claim.row
        skip = ""
        if work.attempts > MOST_ATTEMPTS:
            skip = f"Probing skipped: it broke {work.attempts - 1} times. {work.problem}".strip()

        def heartbeat() -> None:
            if not claim.renew():
                raise Conflict("Another worker has taken this over.", code="lease_lost")

        probes.screen(task, skip=skip, heartbeat=heartbeat)
        return True


@shared_task(name="judge.jobs.draft_task", ignore_result=True)
def draft_task(pk: int) -> bool:
    """Draft the rubric of a task that waits for it."""
    with claimed(DRAFT, tasks_waiting_for_draft(), pk) as claim:
        if claim is None:
            return False
        work, task = claim.work, claim.row
        if work.attempts > 2 * MOST_ATTEMPTS and not task.external:
            # The offline rules failed too: let the author start from an empty rubric.
            record_draft(task=task, lines=[], drafted_by="", reason=NO_LINES, problem=work.problem)
        else:
            who = model_client.offline() if work.attempts > MOST_ATTEMPTS else None
            draft_for(task, who)
        return True


@shared_task(name="judge.jobs.further_draft", ignore_result=True)
def further_draft(pk: int) -> bool:
    """Write the further draft that an author asked for."""
    with claimed(FURTHER, draft_requests(), pk) as claim:
        if claim is None:
            return False
        work, request = claim.work, claim.row
        if work.attempts > MOST_ATTEMPTS:
            end_request(request, failure=DraftRequest.Failure.BROKE, problem=work.problem)
        else:
            write_requested_draft(request)
        return True


@shared_task(name="judge.jobs.read_lines", ignore_result=True)
def read_lines(pk: int) -> bool:
    """Have a model remark on the lines of a rubric whose author asked for it."""
    with claimed(OPINION, opinion_requests(), pk) as claim:
        if claim is None:
            return False
        work, request = claim.work, claim.row
        if work.attempts > MOST_ATTEMPTS:
            fail_request(request, work.problem or "it broke")
        else:
            read_requested_lines(request)
        return True


@shared_task(name="judge.jobs.propose_labels", ignore_result=True)
def propose_labels(pk: int) -> bool:
    """Have a model propose labels for a task."""
    with claimed(LABELS, label_requests(), pk) as claim:
        if claim is None:
            return False
        work, request = claim.work, claim.row
        if work.attempts > MOST_ATTEMPTS:
            skill_labels.fail_request(request, work.problem or "it broke")
        else:
            skill_labels.read_for_labels(request)
        return True


@shared_task(name="judge.jobs.propose_error_codes", ignore_result=True)
def propose_error_codes(pk: int) -> bool:
    """Have a model propose error codes for a response."""
    with claimed(CODES, code_requests(), pk) as claim:
        if claim is None:
            return False
        work, request = claim.work, claim.row
        if work.attempts > MOST_ATTEMPTS:
            error_codes.fail_request(request, work.problem or "it broke")
        else:
            error_codes.read_for_codes(request)
        return True


@shared_task(name="judge.jobs.answer_anchor", ignore_result=True)
def answer_anchor(pk: int) -> bool:
    """Ask a model for the baseline response of an anchor, or use one that exists."""
    with claimed(ANSWER, unanswered_anchors(), pk) as claim:
        if claim is None:
            return False
        baseline.answer(claim.row)
        return True


@shared_task(name="judge.jobs.generate_responses", ignore_result=True)
def generate_responses(pk: int) -> bool:
    """Have a candidate answer tasks until none waits, the budget is spent, or staff stop it."""
    waiting = Generation.objects.filter(state=Generation.State.WAITING)
    with claimed(GENERATE, waiting, pk) as claim:
        if claim is None:
            return False
        work, generation = claim.work, claim.row
        if work.attempts > MOST_ATTEMPTS:
            give_up(generation, work.problem)
            return False

        def heartbeat(handled: int) -> None:
            # Progress resets the attempts, so only work that never advances is given up.
            if not claim.renew(progress=handled > 0):
                raise Conflict("Another worker has taken this over.", code="lease_lost")

        return generate(generation, heartbeat=heartbeat) > 0


@shared_task(name="judge.jobs.work_on_import", ignore_result=True)
def work_on_import(pk: int) -> bool:
    """Check an upload, or import it."""
    with claimed(IMPORT, imports.waiting_imports().select_related("asked_by"), pk) as claim:
        if claim is None:
            return False
        work, row = claim.work, claim.row
        if work.attempts > MOST_ATTEMPTS:
            imports.give_up(row, work.problem)
        else:
            imports.work_on(row, heartbeat=claim.renew)
        return True


@shared_task(name="judge.jobs.run_judge", ignore_result=True)
def run_judge(pk: int) -> bool:
    """Work on a judge run until it is finished, stopped, paused or cancelled."""
    with claimed(RUN, JudgeRun.objects.filter(state__in=WORKABLE), pk) as claim:
        return claim is not None and work_on_claimed(claim, beat)


@shared_task(name="judge.jobs.call_off_batches", ignore_result=True)
def call_off_batches(pk: int) -> bool:
    """Cancel the batches of a run that staff cancelled."""
    with claimed(CALL_OFF, cancelled_runs(), pk) as claim:
        api = providers.get(claim.row.provider).batches if claim else None
        if claim is None or api is None:
            return False
        cancel_batches(claim.row, api)
        return True


@shared_task(name="judge.jobs.read_file", ignore_result=True)
def read_file(pk: int) -> bool:
    """Read a file that somebody added, one of each person at a time, and begin with their next."""
    row = read_files.unread_files().filter(pk=pk).first()
    if row is None:
        return False
    with claimed(READ, read_files.unread_files(), pk, claim_in_turn) as claim:
        if claim is not None and claim.work.attempts > MOST_ATTEMPTS:
            read_files.give_up_reading(claim.row)
        elif claim is not None:
            read_files.read_file(claim.row)
    for following in files_to_read().filter(uploaded_by=row.uploaded_by_id):
        send("read_file", following.pk)
    return claim is not None


@shared_task(name="judge.jobs.compute_index", ignore_result=True)
def compute_index(pk: int) -> bool:
    """Compute an index whose scores changed since the last one."""
    with claimed(INDEX, stored.waiting_indexes(), pk) as claim:
        if claim is None:
            return False
        stored.compute(claim.row)
        return True


@shared_task(name="judge.jobs.mark_lines", ignore_result=True)
def mark_lines(pk: int) -> bool:
    """Compute the marks of a rubric whose lines, or task, changed since the last ones."""
    with claimed(LINT, stored_marks.waiting_marks(), pk) as claim:
        if claim is None:
            return False
        stored_marks.compute(claim.row)
        return True


@shared_task(name="judge.jobs.sweep", ignore_result=True)
def sweep() -> int:
    """Run the periodic jobs and queue all waiting work that nobody has claimed.

    Returns the number of jobs queued.
    """
    beat()
    run_periodic_jobs()
    waiting = due()
    for job, pk in waiting:
        send(name_of(job), pk, expires=SWEEP_EXPIRES)
    return len(waiting)


def run_periodic_jobs(report: Callable[[str], None] = lambda line: None) -> int:
    """Close overdue exams, send reminders and e-mails, and so on; return how much was done."""
    with watchdog.watched("a periodic job") as watched:
        return periodic_jobs.run(report, begin=watched.sign_of_life)


def beat(name: str = "worker") -> None:
    """Record the heartbeat that `/readyz` checks."""
    Heartbeat.objects.update_or_create(name=name, defaults={"at": timezone.now()})


register(
    probe_task=probe_task,
    draft_task=draft_task,
    further_draft=further_draft,
    read_lines=read_lines,
    propose_labels=propose_labels,
    propose_error_codes=propose_error_codes,
    answer_anchor=answer_anchor,
    generate_responses=generate_responses,
    work_on_import=work_on_import,
    run_judge=run_judge,
    call_off_batches=call_off_batches,
    read_file=read_file,
    compute_index=compute_index,
    mark_lines=mark_lines,
    sweep=sweep,
)


JOBS = {
    LINT: mark_lines,  # first: its author looks at the page, and it takes a moment
    PROBE: probe_task,
    DRAFT: draft_task,
    FURTHER: further_draft,
    OPINION: read_lines,
    LABELS: propose_labels,
    CODES: propose_error_codes,
    ANSWER: answer_anchor,
    GENERATE: generate_responses,
    IMPORT: work_on_import,
    RUN: run_judge,
    CALL_OFF: call_off_batches,
    READ: read_file,
    INDEX: compute_index,
}
"""Kind of machine work -> its job."""


def name_of(job: Any) -> str:
    """Return the name under which `send` knows a job."""
    return str(job.name.rpartition(".")[2])


# -- what waits -----------------------------------------------------------------------------------


def due() -> list[tuple[Any, int]]:
    """Return (job, primary key) of all machine work that waits and is not claimed."""
    found: list[tuple[Any, int]] = []
    for kind, job in JOBS.items():
        rows = KINDS[kind].takable or KINDS[kind].waiting
        pks = list(rows().order_by("pk").values_list("pk", flat=True))
        unavailable = leases.unavailable(kind) if pks else set()
        found += [(job, pk) for pk in pks if pk not in unavailable]
    return found


def drain(report: Callable[[str], None] = lambda line: None) -> int:
    """Do all waiting work in this process and return how many pieces were done.

    Work that fails is left for a later attempt. Work that appears meanwhile is done too.

    Args:
        report: gets a line about each piece done.
    """
    done = run_periodic_jobs(report)
    while True:
        waiting = due()
        progress = 0
        for job, pk in waiting:
            if job(pk):
                progress += 1
                report(f"{name_of(job)} {pk}")
        done += progress
        if not progress:
            return done
