"""Pages of judge runs: plan one, watch it, stop it, read its calls."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from curation.base.lists.page import list_response
from curation.base.text import storable
from curation.base.web.once import ReadVersionField, once
from curation.base.web.parts import to_reload
from curation.base.web.refusals import BadInput, NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Domain
from judge.asking import providers
from judge.asking.calls.cost import all_schedules, cost_of, in_dollars, schedule_for
from judge.asking.calls.models import Call
from judge.asking.candidates.models import Response
from judge.asking.endpoints.queries import setup_in_words
from judge.base.gold_sets import task_sets
from judge.base.gold_sets.task_sets import DRAW, RELEASE, is_closed, why_closed
from judge.methods.base import registry
from judge.methods.variants.models import JudgeVariant
from judge.methods.variants.queries import current_default, settings_in_words
from judge.runs.engine import pause_reasons
from judge.runs.engine.asking import asks_one_by_one
from judge.runs.engine.batches.batches import batch_counts
from judge.runs.engine.batches.models import Batch
from judge.runs.engine.held_out import Looks, looks_of_run
from judge.runs.engine.models import HeldOutLook, JudgeRun, RunItem
from judge.runs.pages import actions, failure_kinds, lifecycle, queries
from judge.runs.pages.call_page import call_page
from judge.runs.pages.estimate import estimate_of
from judge.runs.pages.forms import LimitsForm, RunForm
from judge.runs.pages.method_report import method_report
from judge.runs.pages.repeats import agreement_of_runs, next_repeat, repeats_of
from judge.runs.pages.role_costs import role_rows
from judge.runs.pages.run_list import RUNS


@dataclass(frozen=True, slots=True)
class SetOfRun:
    """What a run judges, and the looks at its held-out tasks.

    Attributes:
        label: the set in words; "" for runs from before sets had names.
        tasks: the number of tasks.
        domains: names of their domains.
        candidates: names of the candidates.
        draw, release: the number of the draw or release, 0 where it is none.
        look: why this run looks at held-out tasks; None where it holds none, or was planned before.
    """

    label: str
    tasks: int
    domains: tuple[str, ...]
    candidates: tuple[str, ...]
    draw: int
    release: int
    look: HeldOutLook | None
    looks: Looks


def set_of_run(run: JudgeRun) -> SetOfRun:
    """Return what a run judges. At most nine queries."""
    label, draw, release = "", 0, 0
    if run.task_set:
        try:
            tasks = task_sets.parse(run.task_set)
        except BadInput:  # no longer in this database, as in a copy without its draws
            label = run.task_set
        else:
            label = tasks.label
            draw = tasks.number if tasks.kind == DRAW else 0
            release = tasks.number if tasks.kind == RELEASE else 0
    looks = looks_of_run(run)
    look = None
    if looks.tasks:
        look = HeldOutLook.objects.filter(run=run).first()
    items = RunItem.objects.filter(run=run, response__baseline=False).order_by()
    domains = Domain.objects.filter(pk__in=items.values("response__task__domain"))
    candidates = items.order_by("response__candidate__name").distinct()
    return SetOfRun(
        label=label,
        tasks=items.aggregate(n=Count("response__task", distinct=True))["n"],
        domains=tuple(map(str, domains.order_by("key"))),
        candidates=tuple(candidates.values_list("response__candidate__name", flat=True)),
        draw=draw,
        release=release,
        look=look,
        looks=looks,
    )


def staff_runs(request: HttpRequest) -> HttpResponseBase:
    """List the runs, filtered and sorted; also as a file."""
    judgeable = Response.objects.filter(baseline=False).exists()
    return list_response(request, RUNS, "runs/pages/list.html", has_responses=judgeable)


@once
def staff_run_new(request: HttpRequest) -> HttpResponse:
    """Plan a run; it stays paused until staff read its estimate and start it.

    It begins with the variant that staff chose for new runs, if any; `variant=` in the address
    names another one, and nothing settings by hand.
    """
    variant = _variant(request)
    asked = {"task_set": request.GET.get("task_set", "")}
    form = RunForm(request.POST or None, initial=asked, variant=variant)
    if request.method == "POST" and form.is_valid():
        with refused_at(form, names={"calls": "calls_mode"}):
            run = actions.plan_run(actor=request.user, **form.settings())
            return go(
                request, _("Planned. Read the estimate, then start the run."), "staff-run", run.pk
            )
    return render(
        request,
        "runs/pages/new.html",
        {
            "form": form,
            "variant": variant,
            "settings": settings_in_words(variant) if variant else [],
            "variants": JudgeVariant.objects.values_list("pk", "name"),
        },
        status=status_of(form),
    )


def _variant(request: HttpRequest) -> JudgeVariant | None:
    wanted = request.GET.get("variant")
    if wanted is None:
        # What was sent without naming one was filled in by hand.
        return current_default() if request.method == "GET" else None
    if not wanted:
        return None
    number = storable.whole_number(wanted)
    found = None if number is None else JudgeVariant.objects.filter(pk=number).first()
    if found is None:
        raise NotFound()
    return found


def staff_run(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a run: progress, cost, failures and latest calls."""
    run = get_object_or_404(JudgeRun.objects.select_related("created_by", "variant__prompt"), pk=pk)
    return _page(request, run, LimitsForm(initial={"concurrency": run.concurrency}))


def _page(request: HttpRequest, run: JudgeRun, limits: LimitsForm) -> HttpResponse:
    context = _progress(request, run)
    if run.started_at is None and not context["p"].open and run.state == JudgeRun.State.PAUSED:
        context["estimate"] = _estimate(run)
    context["setup"] = setup_in_words(run.setup, run.parameters)
    context["refused_us"] = (
        run.state == JudgeRun.State.PAUSED and run.reason in pause_reasons.OF_REFUSAL.values()
    )
    context["limits"] = limits
    context["budget"] = in_dollars(run.budget_micro)
    if run.state == JudgeRun.State.STOPPED and not limits.errors:
        context["needs"] = lifecycle.why_it_would_stop(run)
    context["marked"] = queries.marked_in(run.pk)
    context["sets"] = set_of_run(run)
    method = registry.get(run.method)
    context["sees"] = method.sees
    context["several"] = asks_one_by_one(run)
    context["report"] = method_report(run)
    context["roles"] = role_rows(run)
    if run.variant is None and method.counterpart:
        context["twin"] = registry.short_of(method.counterpart)
    context["next_repeat"] = next_repeat(run)
    siblings = repeats_of(run)
    if not context["p"].open and len(siblings) > 1:
        context["consistency"] = agreement_of_runs(siblings)
    return render(request, "runs/pages/run.html", context, status=400 if limits.errors else 200)


def staff_run_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Refresh the progress on a run's page, or the whole page if the state has changed."""
    run = get_object_or_404(JudgeRun, pk=pk)
    response = render(request, "runs/pages/progress.html", _progress(request, run))
    if request.GET.get("state") != run.state:
        return to_reload(response)
    return response


def staff_run_pause(request: HttpRequest, pk: int) -> HttpResponse:
    """Let the calls under way end and begin no others."""
    run = get_object_or_404(JudgeRun, pk=pk)
    lifecycle.pause_run(actor=request.user, run=run)
    return go(
        request,
        _("Paused. The calls under way still end; nothing is judged twice."),
        "staff-run",
        pk,
    )


def staff_run_resume(request: HttpRequest, pk: int) -> HttpResponse:
    """Start a planned run, or continue a paused or stopped one."""
    run = get_object_or_404(JudgeRun.objects.select_related("created_by"), pk=pk)
    form = LimitsForm(request.POST)
    if not form.is_valid():
        return _page(request, run, form)
    try:
        actions.start_run(
            actor=request.user,
            run=run,
            failed_again="failed_again" in request.POST,
            **form.limits(),
        )
    except BadInput as refusal:
        form.add_error(None, str(refusal.detail))
        run.refresh_from_db()
        return _page(request, run, form)
    return go(request, _("The run is in the queue. This page follows it."), "staff-run", pk)


def staff_run_cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """End a run for good; its judgments stay."""
    run = get_object_or_404(JudgeRun, pk=pk)
    lifecycle.cancel_run(actor=request.user, run=run, reason=lifecycle.CANCELLED)
    return go(
        request, _("Cancelled. What was judged stays and is never asked again."), "staff-run", pk
    )


@once
def staff_run_twin(request: HttpRequest, pk: int) -> HttpResponse:
    """Plan the same run by the other method, or a repeat of it (`kind=repeat`)."""
    run = get_object_or_404(JudgeRun, pk=pk)
    why = request.POST.get("held_out_reason", "")
    if request.POST.get("kind") == "repeat":
        number = ReadVersionField().clean(request.POST.get("number"))
        again = actions.plan_repeat(actor=request.user, run=run, number=number, held_out_reason=why)
        return go(
            request,
            _("The repeat is planned. Read its estimate, then start it."),
            "staff-run",
            again.pk,
        )
    planned = actions.plan_by_other_method(actor=request.user, run=run, held_out_reason=why)
    return go(
        request,
        _("The twin is planned. Read its estimate, then start it."),
        "staff-run",
        planned.pk,
    )


def staff_call(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one call: the parts of the request, and what the reply says."""
    call = get_object_or_404(
        Call.objects.select_related(
            "run", "task", "judgment__response__candidate", "judgment__response__task"
        ),
        pk=pk,
    )
    cost = cost_of(call, schedule_for(call.provider, call.model))
    return render(
        request,
        "runs/pages/call.html",
        {
            "call": call,
            "page": call_page(call),
            "cost": in_dollars(cost),
            "closed": why_closed()
            if call.judgment_id and call.task_id and is_closed(call.task_id)
            else "",
        },
    )


def _progress(request: HttpRequest, run: JudgeRun) -> dict[str, Any]:
    wanted = request.GET.get("calls", "")
    calls = list(queries.calls_of(run, wanted))
    prices = all_schedules((call.provider, call.model) for call in calls)
    rows = [
        {
            "call": call,
            "cost": in_dollars(cost_of(call, prices[call.provider, call.model])),
            "kind": failure_kinds.name_of(call.error) if call.error else "",
            "did": registry.done_in(run.method, call.role),
        }
        for call in calls
    ]
    batches = batch_counts(run) if run.batch else []
    progress = queries.progress(run)
    shape, status = queries.status_of(run, starting=progress.starting)
    return {
        "run": run,
        "provider": providers.label_of(run.provider),
        "shape": shape,
        "status": status,
        "p": progress,
        "calls": rows,
        "wanted": wanted,
        "has_lines": registry.get(run.method).has_lines,
        "batches": batches,
        "refused": sum(row["batch"].state == Batch.State.FAILED for row in batches),
    }


def _estimate(run: JudgeRun) -> dict[str, Any]:
    found = estimate_of(run)
    return {
        "responses": found.responses,
        "calls": found.calls,
        "tokens": found.input_tokens + found.output_tokens,
        "cost": in_dollars(found.cost_micro),
        "why": found.why,
        "known": found.known,
        "over": found.cost_micro is not None
        and found.known < found.responses
        and run.budget_micro is not None
        and found.cost_micro > run.budget_micro,
    }
