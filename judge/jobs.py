"""Background jobs. The row is the truth: a lost or doubled message does no harm.

Each job claims its row before it works; the sweep finds whatever waits without being claimed. A
machine stage never blocks people: what fails repeatedly is skipped or done by the offline rules,
with the reason on record.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from celery import shared_task
from django.db import OperationalError
from django.utils import timezone

from curation.actions import exams
from curation.errors import Conflict
from curation.lifecycle import AnchorStage, Stage
from curation.models import Task
from judge import answers, drafts, leases, machine, probes, runs
from judge.models import Anchor, Heartbeat, JudgeRun, MachineWork
from judge.providers import ProviderError
from rubrics.actions import record_draft

log = logging.getLogger(__name__)

MOST_ATTEMPTS = 3  # of probes and drafts that break; a provider's errors are handled at once
SWEEP_EXPIRES = 90  # seconds after which a sweep's message is pointless: there was another sweep

_NO_DRAFT = "No draft could be made (%s). Start from an empty rubric."

PROBE, DRAFT, ANSWER = "probe", "draft", "answer"


def send(job: Any, *args: Any, **options: Any) -> bool:
    """Queue a job; False if the broker cannot be reached.

    That is no error for whoever caused it: the row waits, and the sweep will find it.
    """
    try:
        job.apply_async(args=args, retry=False, **options)
    except Exception:
        log.warning("%s%s could not be queued; the sweep will start it", job.name, args)
        return False
    return True


# -- the jobs -------------------------------------------------------------------------------------


@shared_task(ignore_result=True)
def probe_task(pk: int) -> bool:
    """Check a submitted task for duplicates, probe models with it, and pass it to its panel."""
    with _claimed(PROBE, pk) as work:
        task = Task.objects.select_related("domain").filter(pk=pk, stage=Stage.SUBMITTED).first()
        if work is None or task is None:
            return False
        skip = ""
        if work.attempts > MOST_ATTEMPTS:
            skip = f"Probing skipped: it broke {work.attempts - 1} times. {work.problem}".strip()
        probes.screen(task, skip=skip)
        return True


@shared_task(ignore_result=True)
def draft_task(pk: int) -> bool:
    """Draft the rubric of a task that waits for it."""
    with _claimed(DRAFT, pk) as work:
        task = drafts.waiting().filter(pk=pk).first()
        if work is None or task is None:
            return False
        if work.attempts > 2 * MOST_ATTEMPTS and not task.external:
            # Even the rules broke on it: the author is better off with an empty page.
            record_draft(task=task, lines=[], drafted_by="", reason=_NO_DRAFT % work.problem)
        else:
            who = machine.offline() if work.attempts > MOST_ATTEMPTS else None
            drafts.draft_for(task, who)
        return True


@shared_task(ignore_result=True)
def answer_anchor(pk: int) -> bool:
    """Write (or find) the baseline response of an anchor."""
    with _claimed(ANSWER, pk) as work:
        anchor = Anchor.objects.filter(pk=pk, stage=AnchorStage.ANSWERING).first()
        if work is None or anchor is None:
            return False
        answers.answer(anchor)
        return True


@shared_task(ignore_result=True)
def run_judge(pk: int) -> bool:
    """Work on a judge run until it is through, stopped, paused or cancelled."""
    run = JudgeRun.objects.filter(pk=pk, state__in=(JudgeRun.State.WAITING, JudgeRun.State.RUNNING))
    found = run.first()
    if found is None:
        return False
    try:
        return runs.work_on_run(found, pulse=beat)
    except OperationalError:
        log.exception("The database failed run %s; the sweep will go on with it", pk)
    except Exception as problem:
        log.exception("Run %s broke", pk)
        JudgeRun.objects.filter(pk=pk, state=JudgeRun.State.RUNNING).update(
            state=JudgeRun.State.PAUSED, reason=f"Paused: {machine.reason_of(problem)}"
        )
    return False


@shared_task(ignore_result=True)
def heartbeat() -> None:
    """Show that a worker lives."""
    beat()


@shared_task(ignore_result=True)
def sweep() -> int:
    """Close exams whose time is over, and queue everything that waits and nobody works on.

    Returns how much was queued.
    """
    beat()
    close_exams()
    waiting = due()
    for job, pk in waiting:
        send(job, pk, expires=SWEEP_EXPIRES)
    return len(waiting)


def close_exams() -> int:
    """Mark the exams nobody came back to. Returns how many; one that breaks stops no sweep."""
    try:
        return exams.close_overdue()
    except Exception:
        log.exception("Exams whose time is over could not be closed")
        return 0


def beat(name: str = "worker") -> None:
    """Store the pulse `/readyz` looks for."""
    Heartbeat.objects.update_or_create(name=name, defaults={"at": timezone.now()})


@contextmanager
def _claimed(kind: str, pk: int) -> Iterator[MachineWork | None]:
    """Hold the claim on one piece of work; None if another worker has it.

    What goes wrong is recorded on the claim and ends here: the next attempt comes after a rest.
    """
    work = leases.claim_work(kind, pk, leases.new_token())
    if work is None:
        yield None
        return
    try:
        yield work
    except Conflict:
        leases.finish_work(work)  # somebody moved it on: nothing left to do
    except Exception as problem:
        if not isinstance(problem, ProviderError | machine.UnusableReplyError):
            log.exception("%s %s broke", kind, pk)
        leases.finish_work(work, problem=machine.reason_of(problem), done=False)
    except BaseException:
        leases.finish_work(work, problem="interrupted", done=False)
        raise
    else:
        leases.finish_work(work)


# -- what waits -----------------------------------------------------------------------------------


def due() -> list[tuple[Any, int]]:
    """(job, primary key) of everything that waits for a machine and is not being worked on."""
    found: list[tuple[Any, int]] = []
    stages: tuple[tuple[str, Any, Callable[[], Any]], ...] = (
        (PROBE, probe_task, lambda: Task.objects.filter(stage=Stage.SUBMITTED)),
        (DRAFT, draft_task, lambda: Task.objects.filter(stage=Stage.DRAFTING)),
        (ANSWER, answer_anchor, lambda: Anchor.objects.filter(stage=AnchorStage.ANSWERING)),
    )
    for kind, job, rows in stages:
        pks = list(rows().order_by("pk").values_list("pk", flat=True))
        resting = leases.resting(kind) if pks else set()
        found += [(job, pk) for pk in pks if pk not in resting]
    waiting = JudgeRun.objects.filter(state__in=(JudgeRun.State.WAITING, JudgeRun.State.RUNNING))
    found += [
        (run_judge, pk)
        for pk, lease, until in waiting.order_by("pk").values_list("pk", "lease", "lease_until")
        if leases.is_free(lease, until)
    ]
    return found


def drain(told: Callable[[str], None] = lambda line: None) -> int:
    """Do everything that waits, here and now. Returns how many pieces were done.

    A piece that fails rests and is left for later. Work that appears meanwhile is done too.
    """
    done = close_exams()
    if done:
        told(f"close_exams {done}")
    while True:
        waiting = due()
        progress = 0
        for job, pk in waiting:
            if job(pk):
                progress += 1
                told(f"{job.name.rpartition('.')[2]} {pk}")
        done += progress
        if not progress:
            return done
