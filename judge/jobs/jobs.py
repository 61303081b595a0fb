"""Background jobs. The row is the truth: a lost or doubled message does no harm.

Each job claims its row before it works; the sweep finds whatever waits without being claimed. A
machine stage never blocks people: what fails repeatedly is skipped or done by the offline rules,
with the reason on record.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from celery import shared_task
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone
from django.utils.translation import gettext_noop

from curation.process import periodic_tasks
from curation.process.lifecycle import AnchorStage, Stage
from curation.process.states import move
from curation.tasks.models import Task
from curation.web.refusals import Conflict
from judge import providers
from judge.anchors import baseline
from judge.anchors.models import Anchor
from judge.calls import model_client, record
from judge.drafts import generate as drafts
from judge.drafts.models import DraftRequest
from judge.engine import work as runs
from judge.engine.batches.cancel import call_off
from judge.engine.batches.models import Batch
from judge.engine.models import JudgeRun
from judge.engine.planning.blocked_runs import forlorn
from judge.generation import generate as generating
from judge.generation.models import Generation
from judge.line_reviews import generate as opinions
from judge.line_reviews.models import OpinionRequest
from judge.probes import probe
from judge.providers.base import ProviderError
from judge.queue import leases
from judge.queue.models import Heartbeat, MachineWork
from judge.queue.send import ANSWER, DRAFT, FURTHER, GENERATE, OPINION, PROBE, register, send
from rubrics.versions.actions import record_draft

log = logging.getLogger(__name__)

MOST_ATTEMPTS = 3  # of probes and drafts that break; a provider's errors are handled at once
SWEEP_EXPIRES = 90  # seconds after which a sweep's message is pointless: there was another sweep

# Seconds before a run is taken up again; then the sweep does it.
RECONNECT = (0.0, 0.0, 0.2, 1.0, 5.0)

BROKE = gettext_noop("Paused: %(problem)s")  # stored in English, told in the reader's language


# -- the jobs -------------------------------------------------------------------------------------


@shared_task(name="judge.jobs.probe_task", ignore_result=True)
def probe_task(pk: int) -> bool:
    """Check a submitted task for duplicates, probe models with it, and pass it to its panel."""
    with _claimed(PROBE, pk) as work:
        task = Task.objects.select_related("domain").filter(pk=pk, stage=Stage.SUBMITTED).first()
        if work is None or task is None:
            return False
        skip = ""
        if work.attempts > MOST_ATTEMPTS:
            skip = f"Probing skipped: it broke {work.attempts - 1} times. {work.problem}".strip()

        def pulse() -> None:
            if not leases.renew_work(work):
                raise Conflict("Another worker goes on with this.", code="lease_lost")

        probe.screen(task, skip=skip, pulse=pulse)
        return True


@shared_task(name="judge.jobs.draft_task", ignore_result=True)
def draft_task(pk: int) -> bool:
    """Draft the rubric of a task that waits for it."""
    with _claimed(DRAFT, pk) as work:
        task = drafts.waiting().filter(pk=pk).first()
        if work is None or task is None:
            return False
        if work.attempts > 2 * MOST_ATTEMPTS and not task.external:
            # Even the rules broke on it: the author is better off with an empty page.
            record_draft(
                task=task, lines=[], drafted_by="", reason=drafts.NO_LINES, problem=work.problem
            )
        else:
            who = model_client.offline() if work.attempts > MOST_ATTEMPTS else None
            drafts.draft_for(task, who)
        return True


@shared_task(name="judge.jobs.further_draft", ignore_result=True)
def further_draft(pk: int) -> bool:
    """Write a draft that an author asked for."""
    with _claimed(FURTHER, pk) as work:
        request = DraftRequest.objects.filter(pk=pk, state=DraftRequest.State.WAITING).first()
        if work is None or request is None:
            return False
        if work.attempts > MOST_ATTEMPTS:
            drafts.end_request(request, failure=DraftRequest.Failure.BROKE, problem=work.problem)
        else:
            drafts.further_draft(request)
        return True


@shared_task(name="judge.jobs.read_lines", ignore_result=True)
def read_lines(pk: int) -> bool:
    """Have a model read the lines of a rubric whose author asked for it."""
    with _claimed(OPINION, pk) as work:
        request = OpinionRequest.objects.filter(pk=pk, state=OpinionRequest.State.WAITING).first()
        if work is None or request is None:
            return False
        if work.attempts > MOST_ATTEMPTS:
            opinions.fail(request, work.problem or "it broke")
        else:
            opinions.read(request)
        return True


@shared_task(name="judge.jobs.answer_anchor", ignore_result=True)
def answer_anchor(pk: int) -> bool:
    """Write (or find) the baseline response of an anchor."""
    with _claimed(ANSWER, pk) as work:
        anchor = Anchor.objects.filter(pk=pk, stage=AnchorStage.ANSWERING).first()
        if work is None or anchor is None:
            return False
        baseline.answer(anchor)
        return True


@shared_task(name="judge.jobs.generate_responses", ignore_result=True)
def generate_responses(pk: int) -> bool:
    """Have a candidate answer tasks until nothing waits, the budget is spent, or it is stopped."""
    with _claimed(GENERATE, pk) as work:
        found = Generation.objects.filter(pk=pk, state=Generation.State.WAITING).first()
        if work is None or found is None:
            return False
        if work.attempts > MOST_ATTEMPTS:
            generating.give_up(found, work.problem)
            return False

        def pulse(handled: int) -> None:
            # Attempts that made progress do not count; work that never advances is given up.
            if not leases.renew_work(work, progress=handled > 0):
                raise Conflict("Another worker goes on with this.", code="lease_lost")

        return generating.generate(found, pulse=pulse) > 0


@shared_task(name="judge.jobs.run_judge", ignore_result=True)
def run_judge(pk: int) -> bool:
    """Work on a judge run until it is through, stopped, paused or cancelled."""
    for rest in RECONNECT:
        try:
            found = JudgeRun.objects.filter(pk=pk, state__in=runs.WORKABLE).first()
            if found is None:
                return False
            # A run that waits for a batch is looked at again by the next sweep.
            return runs.work_on_run(found, pulse=beat) and found.state not in runs.WORKABLE
        except (OperationalError, InterfaceError):
            # The session has given the run back, if it could; what was under way is asked again.
            log.warning("The database failed run %s; trying again", pk, exc_info=True)
            connection.close()
            time.sleep(rest)
        except Exception as problem:
            log.exception("Run %s broke", pk)
            move(
                JudgeRun.objects.filter(pk=pk, state=JudgeRun.State.RUNNING),
                JudgeRun.State.PAUSED,
                reason=BROKE,
                facts={"problem": record.reason_of(problem)},
            )
            break
    return False


@shared_task(name="judge.jobs.call_off_batches", ignore_result=True)
def call_off_batches(pk: int) -> bool:
    """End the batches of a run that staff cancelled."""
    run = JudgeRun.objects.filter(pk=pk, state=JudgeRun.State.CANCELLED).first()
    door = providers.get(run.provider).batches if run else None
    if run is None or door is None:
        return False
    try:
        call_off(run, door)
    except ProviderError as error:
        log.warning("The batches of run %s could not be called off: %s", pk, error)
        return False
    return True


@shared_task(name="judge.jobs.sweep", ignore_result=True)
def sweep() -> int:
    """Do the chores (overdue exams, reminders, e-mails), and queue everything that waits and
    nobody works on.

    Returns how much was queued.
    """
    beat()
    do_chores()
    waiting = due()
    for job, pk in waiting:
        send(name_of(job), pk, expires=SWEEP_EXPIRES)
    return len(waiting)


def do_chores(told: Callable[[str], None] = lambda line: None) -> int:
    """Do what comes round without being asked for, such as reminders. Returns how much was done."""
    return periodic_tasks.run(told)


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
        _give_back(work)  # somebody moved it on: nothing left to do
    except Exception as problem:
        if not isinstance(problem, ProviderError | model_client.UnusableReplyError):
            log.exception("%s %s broke", kind, pk)
        _give_back(work, problem=record.reason_of(problem), done=False)
    except BaseException:
        _give_back(work, problem="interrupted", done=False)
        raise
    else:
        _give_back(work)


def _give_back(work: MachineWork, *, problem: str = "", done: bool = True) -> None:
    """End a claim, also over a connection that has just broken: this process lives on, so the
    claim would else hold until its time has passed."""
    for rest in RECONNECT[:4]:
        try:
            leases.finish_work(work, problem=problem, done=done)
            return
        except (OperationalError, InterfaceError):
            if connection.in_atomic_block:
                raise
            connection.close()
            time.sleep(rest)
    leases.finish_work(work, problem=problem, done=done)


register(
    probe_task=probe_task,
    draft_task=draft_task,
    further_draft=further_draft,
    read_lines=read_lines,
    answer_anchor=answer_anchor,
    generate_responses=generate_responses,
    run_judge=run_judge,
    call_off_batches=call_off_batches,
    sweep=sweep,
)


def name_of(job: Any) -> str:
    """The name a job is sent by."""
    return str(job.name.rpartition(".")[2])


# -- what waits -----------------------------------------------------------------------------------


def due() -> list[tuple[Any, int]]:
    """(job, primary key) of everything that waits for a machine and is not being worked on."""
    found: list[tuple[Any, int]] = []
    stages: tuple[tuple[str, Any, Callable[[], Any]], ...] = (
        (PROBE, probe_task, lambda: Task.objects.filter(stage=Stage.SUBMITTED)),
        (DRAFT, draft_task, lambda: Task.objects.filter(stage=Stage.DRAFTING)),
        (
            FURTHER,
            further_draft,
            lambda: DraftRequest.objects.filter(state=DraftRequest.State.WAITING),
        ),
        (
            OPINION,
            read_lines,
            lambda: OpinionRequest.objects.filter(state=OpinionRequest.State.WAITING),
        ),
        (ANSWER, answer_anchor, lambda: Anchor.objects.filter(stage=AnchorStage.ANSWERING)),
        (GENERATE, generate_responses, generating.waiting),
    )
    for kind, job, rows in stages:
        pks = list(rows().order_by("pk").values_list("pk", flat=True))
        resting = leases.resting(kind) if pks else set()
        found += [(job, pk) for pk in pks if pk not in resting]
    waiting = JudgeRun.objects.filter(state__in=(JudgeRun.State.WAITING, JudgeRun.State.RUNNING))
    held = waiting.order_by("pk").values_list("pk", "state", "lease", "lease_until")
    free = {pk: state for pk, state, lease, until in held if leases.is_free(lease, until)}
    # Leave out runs that wait until staff act.
    vain = forlorn(pk for pk, state in free.items() if state == JudgeRun.State.WAITING)
    found += [(run_judge, pk) for pk in free if pk not in vain]
    open_ = Batch.objects.filter(
        run__state=JudgeRun.State.CANCELLED, state__in=(Batch.State.PREPARED, Batch.State.SENT)
    )
    found += [(call_off_batches, pk) for pk in sorted(set(open_.values_list("run", flat=True)))]
    return found


def drain(told: Callable[[str], None] = lambda line: None) -> int:
    """Do everything that waits, here and now. Returns how many pieces were done.

    A piece that fails rests and is left for later. Work that appears meanwhile is done too.
    """
    done = do_chores(told)
    while True:
        waiting = due()
        progress = 0
        for job, pk in waiting:
            if job(pk):
                progress += 1
                told(f"{name_of(job)} {pk}")
        done += progress
        if not progress:
            return done
