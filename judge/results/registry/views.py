"""Pages of candidates, of orders of their answers and of responses."""

from collections import Counter
from typing import Any

from django.db.models import Count, QuerySet, Sum, Value
from django.db.models.functions import Length
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.page import list_response
from curation.base.text import storable
from curation.base.text.wording import translate_stored
from curation.base.web.once import once
from curation.base.web.parts import to_reload, wants_parts
from curation.base.web.refusals import BadInput
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.task.fields import TEXT_PARTS
from curation.tasks.task.models import Task
from judge.asking import providers
from judge.asking.calls import cost
from judge.asking.calls.cost import in_dollars
from judge.asking.calls.error_words import facts_in_words
from judge.asking.calls.models import Call
from judge.asking.candidates import steering_rules
from judge.asking.candidates.generation_models import Generation
from judge.asking.candidates.models import Candidate, Response
from judge.asking.endpoints import file_rules
from judge.asking.endpoints import queries as endpoints
from judge.asking.endpoints.queries import setup_in_words
from judge.asking.providers.base import MAX_OUTPUT_TOKENS
from judge.base.gold_sets.task_sets import label_of
from judge.results.registry import actions, queries
from judge.results.registry.candidate_list import CANDIDATES
from judge.results.registry.forms import CandidateForm, OrderForm, OrderLimitsForm
from judge.runs.engine.models import JudgeRun

_FRAME_TOKENS = 500  # of the prompt around a task's texts
_LENGTH: Any = sum((Length(name) for name in TEXT_PARTS), Value(0))


def cost_bound(
    candidate: Candidate, tasks: "QuerySet[Task]", samples: int, *, file_tokens: int = 0
) -> int | None:
    """Return the most an order could cost in micro-dollars; None if the price is unknown.

    Args:
        file_tokens: of the files of all these tasks together.
    """
    rates = cost.rates_for(candidate.provider, candidate.model) if candidate.provider else None
    if rates is None:
        return None
    given = endpoints.parameters_for(candidate.provider, candidate.model, Call.Purpose.ANSWER)
    longest = given.get("max_tokens") or MAX_OUTPUT_TOKENS
    number, characters = 0, 0
    by_language = tasks.order_by().values_list("language")
    for language, n, texts in by_language.annotate(n=Count("pk"), texts=Sum(_LENGTH)):
        number += n
        characters += texts * (3 if language.startswith("zh") else 1)
    # At most half a token a character, three times that in Chinese, and the prompt around them.
    read = characters // 2 + number * _FRAME_TOKENS + file_tokens
    return samples * (rates.bound(read, 0) + number * rates.bound(0, longest))


PER_PAGE = 50
FAILURES_SHOWN = 20
KINDS = {
    steering_rules.INSTRUCTION: gettext_lazy("an instruction to its reader"),
    steering_rules.VERDICT: gettext_lazy("something like a verdict of our own"),
    steering_rules.FENCE: gettext_lazy("an end mark or a change of role"),
    steering_rules.INVISIBLE: gettext_lazy("invisible characters"),
    steering_rules.DIRECTION: gettext_lazy("characters that change the reading direction"),
}


def staff_candidates(request: HttpRequest) -> HttpResponseBase:
    """List the candidates, filtered and sorted; also as a file."""
    marked = queries.marked_among(candidate=None, run=None)
    return list_response(request, CANDIDATES, "results/registry/list.html", marked=marked)


@once
def new(request: HttpRequest) -> HttpResponse:
    """Enter a candidate."""
    form = CandidateForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            made = actions.add_candidate(actor=request.user, **form.values())
            return go(
                request,
                _("Entered. Import its responses, or have it answer here."),
                "staff-candidate",
                made.pk,
            )
    context = {"form": form}
    return render(request, "results/registry/new.html", context, status=status_of(form))


def one(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and change a candidate, with its orders and its history."""
    candidate = get_object_or_404(Candidate, pk=pk)
    form = CandidateForm(request.POST if request.method == "POST" else None, instance=candidate)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            actions.change_candidate(
                actor=request.user,
                candidate=candidate,
                revision=form.cleaned_data["revision"],
                **form.values(),
            )
            return go(
                request,
                _("Saved. The earlier text is in the history below."),
                "staff-candidate",
                pk,
            )
    return render(
        request,
        "results/registry/one.html",
        {
            "form": form,
            "candidate": Candidate.objects.get(pk=pk),
            "row": queries.candidate_rows([pk])[0],
            "orders": queries.orders(Generation.objects.filter(candidate=pk)[:20]),
            "history": _history(candidate),
        },
        status=status_of(form),
    )


def _history(candidate: Candidate) -> list[dict[str, Any]]:
    labels = {field.name: str(field.verbose_name) for field in Candidate._meta.concrete_fields}
    words: dict[str, dict[Any, Any]] = {
        "provider": providers.labels(),
        "kind": dict(Candidate.Kind.choices),
    }
    return [
        {
            "at": event.at,
            "who": event.actor,
            "changes": [
                (
                    labels.get(name, name),
                    words.get(name, {}).get(before, before),
                    words.get(name, {}).get(after, after),
                )
                for name, (before, after) in event.changes.items()
            ],
        }
        for event in candidate.history.select_related("actor")[:PER_PAGE]
    ]


def retire(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark a candidate as no longer offered."""
    candidate = get_object_or_404(Candidate, pk=pk)
    actions.retire_candidate(actor=request.user, candidate=candidate)
    return go(request, _("Retired. Its responses and scores stay."), "staff-candidate", pk)


@once
def order(request: HttpRequest, pk: int) -> HttpResponse:
    """Order answers from a candidate."""
    candidate = get_object_or_404(Candidate, pk=pk)
    form = OrderForm(
        request.POST if request.method == "POST" else None,
        initial={"tasks": request.GET.get("tasks", "")},
    )
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            made = actions.order_responses(actor=request.user, candidate=candidate, **form.values())
            return go(
                request,
                _("Under way. The answers appear here as they come."),
                "staff-generation",
                made.pk,
            )
    all_tasks = list(actions.tasks_to_answer().values_list("pk", flat=True))
    skipped = file_rules.skipped_tasks(all_tasks, candidate.provider, candidate.model)
    tasks = len(all_tasks) - len(skipped)
    asked = [pk for pk in all_tasks if pk not in skipped]
    most = cost_bound(
        candidate,
        actions.tasks_to_answer().exclude(pk__in=skipped),
        1,
        file_tokens=file_rules.file_tokens(asked),
    )
    return render(
        request,
        "results/registry/order.html",
        {
            "form": form,
            "candidate": candidate,
            "provider": providers.label_of(candidate.provider),
            "tasks": tasks,
            "skipped": [
                (count, file_rules.SKIPPED[code])
                for code, count in sorted(Counter(skipped.values()).items())
            ],
            "most": in_dollars(most),
            "why_not": actions.why_not_asked(candidate),
        },
        status=status_of(form),
    )


def generation(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an order with its progress; pause, resume or cancel it."""
    row = get_object_or_404(Generation, pk=pk)
    limits = OrderLimitsForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        step = request.POST.get("step", "")
        if step not in ("pause", "resume", "cancel"):
            raise BadInput(_("Choose: pause, go on, or cancel."))
        if step != "resume" or limits.is_valid():
            with refused_at(limits):
                actions.control_generation(
                    actor=request.user,
                    generation=row,
                    step=step,
                    limits=limits.limits() if step == "resume" else None,
                )
                return redirect("staff-generation", pk)
    moving = wants_parts(request)
    response = render(
        request,
        "results/registry/_generation_progress.html"
        if moving
        else "results/registry/generation.html",
        {
            "order": queries.orders(Generation.objects.filter(pk=pk))[0],
            "provider": providers.label_of(row.provider),
            "setup": setup_in_words(row.setup, row.parameters),
            "task_set": label_of(row.task_set),
            "why": translate_stored(
                row.reason, facts_in_words(row.facts) if "%(problem)s" in row.reason else None
            ),
            "failed": queries.failures_of(pk, size=FAILURES_SHOWN),
            "rows": queries.responses_of(pk, size=PER_PAGE),
            "limits": limits,
        },
        status=400 if limits.is_bound and limits.errors else 200,
    )
    # The page polls an open order; reload it when the state changes, as its buttons do.
    if request.GET.get("state", row.state) != row.state:
        return to_reload(response)
    return response


def responses(request: HttpRequest) -> HttpResponse:
    """List responses, all or those marked for people to look at."""
    given = {
        name: number
        for name in ("candidate", "run", "before", "after")
        if (number := storable.whole_number(request.GET.get(name, ""))) is not None
    }
    wanted = {name: given[name] for name in ("candidate", "run") if name in given}
    marked = bool(request.GET.get("marked"))
    of = {"candidate": given.get("candidate"), "run": given.get("run")}
    page = queries.responses_between(
        **of, marked=marked, before=given.get("before"), after=given.get("after"), size=PER_PAGE
    )
    keep = "".join(f"{name}={value}&" for name, value in wanted.items())
    up = "staff-candidate" if "candidate" in wanted else "staff-candidates"
    return render(
        request,
        "results/registry/responses.html",
        {
            "page": page,
            "rows": [
                (row, sorted({KINDS.get(m["kind"], "") for m in row.marks})) for row in page.rows
            ],
            "marked": marked,
            "all_marked": queries.marked_among(**of),
            "keep": keep,
            "query": keep + ("marked=1&" if marked else ""),
            "candidate": Candidate.objects.filter(pk=wanted.get("candidate", 0)).first(),
            "run": JudgeRun.objects.filter(pk=wanted.get("run", 0)).first(),
            "up": f"{up} staff-run" if "run" in wanted else up,
        },
    )


def response(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a response with its invisible characters spelt out."""
    row = get_object_or_404(Response.objects.select_related("candidate", "task__domain"), pk=pk)
    page = queries.response_page(row)
    if page.signs or page.marks:
        summary = ngettext("%(n)s place to look at", "%(n)s places to look at", len(page.marks)) % {
            "n": len(page.marks)
        }
    else:
        summary = ""
    return render(
        request,
        "results/registry/response.html",
        {
            "page": page,
            "summary": summary,
            "marks": [(mark, KINDS[mark.kind]) for mark in page.marks],
        },
    )
