"""Pages of the workshop: variants, what new runs begin with, and two variants compared."""

from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from curation.base.web.forms import PageForm, read_filter, reason_field
from curation.base.web.once import ReadVersionField, once
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.policies import latest
from judge.asking.calls.cost import in_micro_dollars
from judge.asking.calls.limit_fields import BudgetField, MaxCallsField
from judge.methods.variants.actions import choose_default
from judge.methods.variants.models import JudgeDefault, JudgeVariant
from judge.methods.variants.queries import current_default, differences
from judge.results.alignment_sets.models import AlignmentSet
from judge.results.workshop import actions, queries, words
from judge.results.workshop.models import JudgeExperiment
from judge.runs.engine.planning.limits import MAX_CONCURRENCY

ON_A_PAGE = 30
CHANGES_ON_A_PAGE = 50


class ExperimentForm(forms.Form):
    """Two variants, the responses they judge, and what decides."""

    question = reason_field(_("What do you want to find out?"), rows=2)
    first = forms.ModelChoiceField(
        JudgeVariant.objects.all(),
        label=_("First variant"),
        help_text=_("What is in use, or what you begin from."),
        empty_label=None,
    )
    second = forms.ModelChoiceField(
        JudgeVariant.objects.all(),
        label=_("Second variant"),
        help_text=_("What might be better. Best change one thing at a time."),
        empty_label=None,
    )
    set = forms.ModelChoiceField(
        AlignmentSet.objects.all(),
        label=_("Alignment set"),
        help_text=_(
            "Both judge its responses that experts have scored. Tasks of a held-out half are left "
            "out."
        ),
        empty_label=None,
    )
    measure = forms.ChoiceField(
        label=_("What decides"),
        choices=JudgeExperiment.Measure.choices,
        initial=JudgeExperiment.Measure.AGREEMENT,
        help_text=_("Settled now, so that nobody picks the figure that happened to come out well."),
        widget=forms.RadioSelect,
    )
    budget_usd = BudgetField(
        label=_("Budget of each run in dollars"),
        help_text=_("A run stops before it would cost more. Empty: no limit in money."),
    )
    max_calls = MaxCallsField(label=_("Most calls of each run"))
    concurrency = forms.IntegerField(
        label=_("Calls at once"), min_value=1, max_value=MAX_CONCURRENCY, initial=8
    )
    batch = forms.BooleanField(
        label=_("Send in the provider's batches"),
        required=False,
        help_text=_("Half the price, within a day."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        self.fields["set"].choices = queries.sets_offered()  # type: ignore[attr-defined]

    def settings(self) -> dict[str, Any]:
        """Return the arguments of the action `plan_experiment`."""
        values = self.cleaned_data
        return {
            "alignment_set": values["set"],
            "first": values["first"],
            "second": values["second"],
            "measure": values["measure"],
            "question": values["question"],
            "concurrency": values["concurrency"],
            "max_calls": values["max_calls"],
            "batch": values["batch"],
            "budget_micro": in_micro_dollars(values["budget_usd"]),
        }


class DefaultForm(forms.Form):
    """What new runs begin with, and why."""

    variant = forms.ModelChoiceField(
        JudgeVariant.objects.all(),
        label=_("New runs begin with"),
        required=False,
        empty_label=_("Settings by hand"),
    )
    experiment = forms.ModelChoiceField(
        JudgeExperiment.objects.all(), required=False, widget=forms.HiddenInput
    )
    reason = reason_field(_("Why"), rows=2)
    read = ReadVersionField()


def workshop(request: HttpRequest) -> HttpResponse:
    """Show experiments, variants and prompts, and what new runs begin with."""
    return _workshop(request, _default_form())


@once
def default(request: HttpRequest) -> HttpResponse:
    """Choose what new runs begin with."""
    form = DefaultForm(request.POST)
    with refused_at(form):
        if form.is_valid():
            choose_default(actor=request.user, **form.cleaned_data)
            return go(request, gettext("New runs begin with it from now on."), "judge-workshop")
    return _workshop(request, form)


def _default_form(experiment: JudgeExperiment | None = None) -> DefaultForm:
    chosen = experiment.second if experiment else current_default()
    initial = {"variant": chosen, "experiment": experiment, "read": latest(JudgeDefault)}
    return DefaultForm(initial=initial)


def _workshop(request: HttpRequest, form: DefaultForm) -> HttpResponse:
    page: Any = Paginator(queries.experiments(), ON_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = queries.experiment_rows(list(page.object_list))
    shown = {
        "page": page,
        "variants": list(queries.variants()),
        "prompts": queries.prompts(),
        "sets": queries.sets_offered(),
        "current": current_default(),
        "form": form,
        "history": queries.defaults(),
    }
    return render(request, "results/workshop/workshop.html", shown, status=status_of(form))


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
                gettext("Planned. Read what it will cost, then start it."),
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
    number = read_filter(PageForm, request.GET).cleaned_data["page"]
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
    }
    if estimate is None:
        result = compare(found)
        page: Any = Paginator(result.changes, CHANGES_ON_A_PAGE).get_page(number)
        page.object_list = queries.change_rows(result, list(page.object_list))
        context |= {
            "result": result,
            "headline": words.headline(result),
            "more": words.more_tasks(result, found.measure),
            "changed": words.changed(result),
            "figures": queries.figure_rows(result),
            "page": page,
            "default_form": _default_form(found),
        }
    return render(request, "results/workshop/experiment.html", context)


def start(request: HttpRequest, pk: int) -> HttpResponse:
    """Start both runs of an experiment, or continue those that paused."""
    found = get_object_or_404(JudgeExperiment, pk=pk)
    actions.start_experiment(actor=request.user, experiment=found)
    return go(
        request,
        gettext("Both runs are in the queue. This page shows what they have found so far."),
        "judge-experiment",
        pk,
    )
