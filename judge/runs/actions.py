"""What staff do with judge runs from the browser: plan, start, pause, cancel, plan the twin."""

from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.access.action import action
from curation.process.states import move
from curation.web.refusals import BadInput, Conflict
from judge.engine.models import JudgeRun, RunItem
from judge.engine.planning import plan
from judge.queue import leases
from judge.queue.send import send
from judge.runs import lifecycle
from judge.runs.repeats import lock_repeats, next_repeat

State = JudgeRun.State
# Stored in English; whoever reads of the run reads it in their language.
PLANNED = gettext_noop("Planned. Nothing has been asked yet.")


@action("staff")
@transaction.atomic
def plan_run(*, actor: Any, **wish: Any) -> JudgeRun:
    """Plan a run and leave it resting, so that its estimate can be read before it costs anything.

    Takes what `judge.engine.planning.plan.plan_run` takes. Raises BadInput with nothing created.
    """
    # Created as held, so that no sweep starts it before it rests.
    run = plan.plan_run(actor=actor, hold=leases.new_token(), **wish)
    mine = JudgeRun.objects.filter(pk=run.pk)
    move(mine, State.PAUSED, reason=PLANNED, lease="", lease_until=None)
    run.refresh_from_db()
    return run


@action("staff")
@transaction.atomic
def start_run(*, actor: Any, run: JudgeRun, **limits: int | None) -> JudgeRun:
    """Put a run into the queue, first or again; failed responses are asked once more.

    Raises:
        Conflict: it is under way, or was cancelled.
        BadInput: a limit that cannot be kept, or one with which it would stop again at once.
    """
    if run.state in (State.WAITING, State.RUNNING):
        raise Conflict(_("This run is under way already."), code="wrong_stage")
    before = run.state
    run = lifecycle.continue_run(actor=actor, run=run, **limits)
    if before == State.STOPPED and (problem := lifecycle.why_it_would_stop(run)):
        raise BadInput(problem)
    transaction.on_commit(partial(send, "run_judge", run.pk))
    return run


@action("staff")
def plan_twin(*, actor: Any, run: JudgeRun) -> JudgeRun:
    """Plan the same run by the other method, on the same tasks and candidates.

    Raises BadInput as planning does.
    """
    method = (
        JudgeRun.Method.ZERO_SHOT
        if run.method == JudgeRun.Method.ONE_SHOT
        else JudgeRun.Method.ONE_SHOT
    )
    experts = run.experts if method == JudgeRun.Method.ONE_SHOT else ""
    return plan_run(actor=actor, **_wish(run) | {"method": method, "experts": experts})


@action("staff")
@transaction.atomic
def plan_repeat(*, actor: Any, run: JudgeRun, number: int | None = None) -> JudgeRun:
    """Plan the same run once more; it asks anew, so that the judge can be compared with itself.

    Args:
        number: which repeat it is, as the page was read; None for the next one.

    Raises:
        BadInput: as planning does.
        Conflict: `changed_meanwhile`, this repeat was planned already.
    """
    lock_repeats(run)
    following = next_repeat(run)
    if number not in (None, following):
        raise Conflict(
            _("A repeat was planned after you opened the page. Look at it under Runs."),
            code="changed_meanwhile",
        )
    return plan_run(actor=actor, **_wish(run) | {"repeat": following})


def _wish(run: JudgeRun) -> dict[str, Any]:
    """What planned this run, on the tasks and candidates it holds."""
    items = RunItem.objects.filter(run=run).order_by()
    return {
        "method": run.method,
        "provider": run.provider,
        "model": run.model,
        "parameters": run.parameters,
        "calls_mode": run.calls_mode,
        "concurrency": run.concurrency,
        "budget_micro": run.budget_micro,
        "max_calls": run.max_calls,
        "experts": run.experts,
        "allow_same_family": run.allow_same_family,
        "batch": run.batch,
        "repeat": run.repeat,
        "task_keys": sorted(set(items.values_list("response__task__key", flat=True))),
        "candidates": sorted(set(items.values_list("response__candidate__name", flat=True))),
    }
