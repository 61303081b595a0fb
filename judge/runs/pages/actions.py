"""Staff's actions on judge runs that only pages offer: plan, start, repeat."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.base.access.action import action
from curation.base.process.states import move
from curation.base.web.refusals import BadInput, Conflict
from judge.base.gold_sets import task_sets
from judge.base.gold_sets.task_sets import EVERY_OPEN_TASK, EVERY_TASK
from judge.base.queue import leases
from judge.base.queue.send import send
from judge.methods.base import registry
from judge.runs.engine.models import JudgeRun, RunItem
from judge.runs.engine.planning import plan
from judge.runs.pages import lifecycle
from judge.runs.pages.repeats import lock_repeats, next_repeat

State = JudgeRun.State
# Stored in English, shown in the reader's language.
PLANNED = gettext_noop("Planned. Nothing has been asked yet.")


@action("staff.scoring")
@transaction.atomic
def plan_run(*, actor: Any, **settings: Any) -> JudgeRun:
    """Plan a run and leave it paused, so that its estimate is read before it costs anything.

    Takes the arguments of `judge.runs.engine.planning.plan.plan_run`. Raises BadInput and then
    creates nothing.
    """
    # Created as claimed, so that no sweep starts it before it is paused.
    run = plan.plan_run(actor=actor, hold=leases.new_token(), **settings)
    mine = JudgeRun.objects.filter(pk=run.pk)
    move(mine, State.PAUSED, reason=PLANNED, lease="", lease_until=None)
    run.refresh_from_db()
    return run


@action("staff.scoring")
@transaction.atomic
def start_run(
    *, actor: Any, run: JudgeRun, failed_again: bool = False, **limits: int | None
) -> JudgeRun:
    """Put a run into the queue for the first time or again; failed responses are asked once more.

    Args:
        failed_again: whether a run that has finished is to ask its failed responses once more.

    Raises:
        Conflict: the run is under way, has finished, or was cancelled.
        BadInput: a limit cannot be kept, or would stop the run again at once.
    """
    before = JudgeRun.objects.select_for_update().get(pk=run.pk).state
    if before in (State.WAITING, State.RUNNING):
        raise Conflict(_("This run is under way already."), code="wrong_stage")
    if before == State.FINISHED and not failed_again:
        raise Conflict(
            _("This run has finished. Its page says whether a response is left to ask again."),
            code="wrong_stage",
        )
    run = lifecycle.continue_run(actor=actor, run=run, **limits)
    if before == State.STOPPED and (problem := lifecycle.why_it_would_stop(run)):
        raise BadInput(problem)
    transaction.on_commit(partial(send, "run_judge", run.pk))
    return run


def start_again(actor: Any, pk: int) -> None:
    """Start a run that was put aside; refuses as `start_run` does."""
    start_run(actor=actor, run=JudgeRun.objects.get(pk=pk))


@action("staff.scoring")
def plan_by_other_method(*, actor: Any, run: JudgeRun, held_out_reason: str = "") -> JudgeRun:
    """Plan the same run by the other method, on the same tasks and candidates.

    The other method is the one that differs only in the example. On held-out tasks it is another
    look. Raises BadInput as `plan_run` does, Conflict for a run with a variant, which settles the
    method, and for a method without a counterpart.
    """
    if run.variant is not None:
        raise Conflict(
            _("“%(name)s” settles the method. Make a variant with another example instead.")
            % {"name": run.variant.name},
            code="settled_by_variant",
        )
    method = registry.get(run.method).counterpart
    if not method:
        raise Conflict(
            _("“%(name)s” is no method with and without an example, so there is no twin.")
            % {"name": registry.label_of(run.method)},
            code="no_counterpart",
        )
    experts = run.experts if registry.get(method).needs_example else ""
    settings = _settings_of(run, held_out_reason)
    return plan_run(actor=actor, **settings | {"method": method, "experts": experts})


@action("staff.scoring")
@transaction.atomic
def plan_repeat(
    *, actor: Any, run: JudgeRun, number: int | None = None, held_out_reason: str = ""
) -> JudgeRun:
    """Plan a repeat, which asks everything again, so that the judge can be compared with itself.

    Args:
        number: the number of the repeat that the page offered; None for the next one.

    Raises:
        BadInput: as `plan_run` does.
        Conflict: `changed_meanwhile`, this repeat was planned already.
    """
    lock_repeats(run)
    following = next_repeat(run)
    if number not in (None, following):
        raise Conflict(
            _("A repeat was planned after you opened the page. Look at it under Runs."),
            code="changed_meanwhile",
        )
    return plan_run(actor=actor, **_settings_of(run, held_out_reason) | {"repeat": following})


@action("staff.scoring")
def plan_again(
    *,
    actor: Any,
    run: JudgeRun,
    task_keys: Sequence[str] | None = None,
    candidates: Sequence[str] | None = None,
    budget_micro: int | None = None,
    max_calls: int | None = None,
    held_out_reason: str = "",
) -> JudgeRun:
    """Plan a run with the judge of another one, over other tasks or candidates.

    What that judge has judged already, and nobody has changed since, is not asked again.

    Args:
        task_keys, candidates: only these keys and names; None means all. Held-out tasks are among
            them only if `held_out_reason` says why.
        budget_micro, max_calls: the limits of the new run; None for none.

    Raises BadInput as `plan_run` does.
    """
    return plan_run(
        actor=actor,
        **_judge_of(run),
        task_keys=task_keys,
        candidates=candidates,
        budget_micro=budget_micro,
        max_calls=max_calls,
        tasks=EVERY_TASK if held_out_reason.strip() else EVERY_OPEN_TASK,
        held_out_reason=held_out_reason,
    )


def _settings_of(run: JudgeRun, held_out_reason: str) -> dict[str, Any]:
    """Return the arguments that plan a run like this one, on its tasks and candidates."""
    tasks = task_sets.parse(run.task_set)
    if not tasks.fixed and held_out_reason:
        tasks = EVERY_TASK  # some of its tasks may have been held out since
    items = RunItem.objects.filter(run=run).order_by()
    return _judge_of(run) | {
        "budget_micro": run.budget_micro,
        "max_calls": run.max_calls,
        "repeat": run.repeat,
        # A variant's run holds chosen responses, which its repeat asks again.
        "responses": list(items.values_list("response", flat=True)) if run.variant else None,
        "task_keys": sorted(set(items.values_list("response__task__key", flat=True))),
        "candidates": sorted(set(items.values_list("response__candidate__name", flat=True))),
        "tasks": tasks,
        "held_out_reason": held_out_reason,
    }


def _judge_of(run: JudgeRun) -> dict[str, Any]:
    """Return the arguments that plan a run with the judge of this one."""
    return {
        "method": run.method,
        "provider": run.provider,
        "model": run.model,
        "parameters": run.parameters,
        "further": {
            role: (asked["provider"], asked["model"]) for role, asked in run.further_models.items()
        },
        "further_parameters": {
            role: asked["parameters"] for role, asked in run.further_models.items()
        },
        "search": run.search,
        "calls_mode": run.calls_mode,
        "concurrency": run.concurrency,
        "experts": run.experts,
        "allow_same_family": run.allow_same_family,
        "batch": run.batch,
        "variant": run.variant,
    }
