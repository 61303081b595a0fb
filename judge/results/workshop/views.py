"""Pages of the workshop: what there is, an experiment change by change, the default of new runs."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from curation.base.web import csv_export
from curation.base.web.forms import query_of, read_filter
from curation.base.web.once import once
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.policies import latest
from judge.methods.variants.actions import choose_default
from judge.methods.variants.models import JudgeDefault, JudgeVariant
from judge.methods.variants.queries import differences
from judge.results.workshop import actions, queries, words
from judge.results.workshop.forms import ChangeFilter, DefaultForm, ExperimentForm
from judge.results.workshop.models import JudgeExperiment

ON_A_PAGE = 30
CHANGES_ON_A_PAGE = 50


def workshop(request: HttpRequest) -> HttpResponse:
    """Show experiments, variants and prompts, and what new runs begin with."""
    page: Any = Paginator(queries.experiments(), ON_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = queries.experiment_rows(list(page.object_list))
    variants = queries.variant_rows()
    return render(
        request,
        "results/workshop/workshop.html",
        {
            "page": page,
            "variants": variants,
            "prompts": queries.prompts(),
            "sets": queries.sets_offered(),
            "current": next((row.variant for row in variants if row.is_default), None),
        },
    )


@once
def experiment_new(request: HttpRequest) -> HttpResponse:
    """Plan an experiment; both runs stay paused until staff read the estimate and start them."""
    form = ExperimentForm(
        request.POST if request.method == "POST" else None, initial=queries.proposed()
    )
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            made = actions.plan_experiment(actor=request.user, **form.settings())
            return go(
                request,
                _("Planned. Read what it will cost, then start it."),
                "judge-experiment",
                made.pk,
            )
    return render(
        request,
        "results/workshop/experiment_new.html",
        {
            "form": form,
            "enough": JudgeVariant.objects.count() > 1,
            "sets": bool(queries.sets_offered()),
        },
        status=status_of(form),
    )


def experiment(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an experiment: its plan, its runs, then which variant is better, change by change."""
    # Imported here because it loads numpy, which takes 10 MB in every process.
    from judge.results.workshop.compare import compare

    found = get_object_or_404(queries.experiments(), pk=pk)
    form = read_filter(ChangeFilter, request.GET)
    estimate = queries.estimate(found)
    context: dict[str, Any] = {
        "experiment": found,
        "state": queries.state_of(found),
        "differences": differences(found.first, found.second),
        "estimate": estimate,
        "runs": queries.run_rows(found),
        "startable": any(
            run.state in ("paused", "stopped") for run in (found.first_run, found.second_run)
        ),
        "tried": queries.tried_on(found),
        "query": query_of(request.GET.dict()),
    }
    if estimate is None:
        result = compare(found)
        page: Any = Paginator(queries.narrowed(result, form.wanted()), CHANGES_ON_A_PAGE).get_page(
            form.cleaned_data["page"]
        )
        page.object_list = queries.change_rows(result, list(page.object_list))
        context |= {
            "result": result,
            "headline": words.headline(result),
            "more": words.more_tasks(result, found.measure),
            "changed": words.changed(result),
            "figures": queries.figure_rows(result),
            "dimensions": queries.by_dimension(result),
            "page": page,
            "form": form,
            "fields": [form[name] for name in ChangeFilter.LIST],
            "default_form": DefaultForm(
                initial={
                    "variant": found.second_id,
                    "experiment": found.pk,
                    "read": latest(JudgeDefault),
                }
            ),
        }
    return render(request, "results/workshop/experiment.html", context)


def start(request: HttpRequest, pk: int) -> HttpResponse:
    """Start both runs of an experiment, or continue those that paused."""
    found = get_object_or_404(JudgeExperiment, pk=pk)
    actions.start_experiment(actor=request.user, experiment=found)
    return go(
        request,
        _("Both runs are in the queue. This page shows what they have found so far."),
        "judge-experiment",
        pk,
    )


def changes_csv(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Download the changes that fit the filter."""
    from judge.results.workshop.compare import compare

    found = get_object_or_404(queries.experiments(), pk=pk)
    form = read_filter(ChangeFilter, request.GET)
    result = compare(found)
    rows = queries.change_table(result, queries.narrowed(result, form.wanted()))
    return csv_export.download(f"experiment-{found.pk}-changes.csv", queries.CHANGE_HEAD, rows)


@once
def default(request: HttpRequest) -> HttpResponse:
    """Show and choose what new runs begin with."""
    newest = JudgeDefault.objects.first()
    form = DefaultForm(
        request.POST if request.method == "POST" else None,
        initial={
            "variant": newest.variant_id if newest else None,
            "read": latest(JudgeDefault),
        },
    )
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            choose_default(actor=request.user, **form.cleaned_data)
            return go(request, _("New runs begin with it from now on."), "judge-default")
    return render(
        request,
        "results/workshop/default.html",
        {"form": form, "history": queries.defaults()},
        status=status_of(form),
    )
