"""Pages of the shares of models that are right: all tasks, one task with a decision, the rules."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from curation.base.web import csv_export
from curation.base.web.fields import set_numbers
from curation.base.web.forms import PageForm, query_of, read_filter, reason_field
from curation.base.web.once import once
from curation.base.web.optional_urls import url_or_empty
from curation.base.web.refusals import BadInput, NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.forms import domain_filter
from curation.screening.solving.second_looks import why_no_look
from curation.tasks.task.exact_queries import exact_page
from curation.tasks.task.queries import access_task
from judge.base.figures import histogram
from judge.base.gold_sets.forms import TaskSetField
from judge.base.products import EvaluationPeriod
from judge.base.stats.model_shares import Finding
from judge.results.alignment.raters import find_judge, judges
from judge.results.difficulty import actions, queries
from judge.results.difficulty.actions import RANGES
from judge.results.difficulty.models import ShareDecision, ShareRules
from judge.results.difficulty.queries import Shares
from judge.runs.engine.unfinished_runs import notes_on

KEEP, LOOK = "keep", "look"


class SharesFilter(forms.Form):
    """Whose scores are counted, and of which tasks and answers."""

    # Any name is taken: older runs are not among the choices, and `find_judge` refuses others.
    judge = forms.CharField(label=gettext_lazy("Judge"), required=False, widget=forms.Select)
    tasks = TaskSetField()
    domain = domain_filter(external=True)
    period = forms.ModelChoiceField(
        queryset=EvaluationPeriod.objects.all(),
        to_field_name="key",
        required=False,
        label=pgettext_lazy("of evaluation", "Period"),
        empty_label=gettext_lazy("All answers"),
    )

    SHARED = ("judge", "tasks", "domain", "period")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["judge"].widget.choices = judges()
        self.fields["tasks"].offer()  # type: ignore[attr-defined]

    def wanted(self) -> dict[str, Any]:
        """Return the arguments of `queries.shares` besides the judge."""
        domain, period = self.cleaned_data["domain"], self.cleaned_data["period"]
        return {
            "tasks": self.cleaned_data["tasks"],
            "domain": domain.key if domain else "",
            "period": period.key if period else "",
        }

    def of(self, *names: str) -> list[forms.BoundField]:
        """Return some fields for a page, in the order of the names."""
        return [self[name] for name in names]


class ListFilter(SharesFilter, PageForm):
    """The same, and which tasks are listed."""

    show = forms.ChoiceField(
        label=gettext_lazy("Listed"),
        choices=[
            (queries.OPEN, gettext_lazy("With something to decide")),
            (queries.ANY, gettext_lazy("All")),
        ],
        required=False,
    )

    LIST = (*SharesFilter.SHARED, "show")


class DecisionForm(forms.Form):
    """What staff do about a finding."""

    finding = forms.CharField(widget=forms.HiddenInput, required=False)
    decision = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Decision"),
        choices=[
            (KEEP, gettext_lazy("Keep the task as it is")),
            (LOOK, gettext_lazy("Ask author and solvers for a second look")),
        ],
        widget=forms.RadioSelect,
    )
    reason = reason_field(
        help_text=gettext_lazy(
            "For a second look: what author and solvers are to look at. They read it."
        )
    )


class RulesForm(forms.Form):
    """When something is said of a task."""

    fewest = forms.IntegerField(
        label=gettext_lazy("Fewest models with a scored answer"),
        help_text=gettext_lazy("With fewer nothing is said of a task."),
    )
    drop = forms.IntegerField(
        label=gettext_lazy("Too easy above (per cent of models that are right)"),
        help_text=gettext_lazy("Such a task is proposed to be dropped."),
    )
    look = forms.IntegerField(
        label=gettext_lazy("A second look below (per cent of models that are right)"),
    )
    agree = forms.IntegerField(
        label=gettext_lazy("A second look above (per cent of models with one other answer)"),
    )
    read = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31 - 1)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())

    def limits(self) -> dict[str, int]:
        """Return the arguments of `actions.set_rules`."""
        return {name: self.cleaned_data[name] for name in RANGES}


ON_A_PAGE = 50
CSV_HEAD = (
    *("task", "domain", "models", "right_share", "other_answer", "other_share", "finding"),
    "decision",
)


def difficulty(request: HttpRequest) -> HttpResponse:
    """Show how large a share of the models is right on each task, as a histogram and over time."""
    form = read_filter(ListFilter, request.GET)
    found = _shares(form)
    if found is None:
        return render(request, "results/difficulty/empty.html")
    given = {**request.GET.dict(), "judge": found.judge.name}
    form.data = given  # the form shows the judge that was taken by default
    rows = queries.listed(found, show=form.cleaned_data["show"])
    return render(
        request,
        "results/difficulty/list.html",
        {
            "found": found,
            "headline": queries.headline(found),
            "fields": form.of(*ListFilter.LIST),
            "page": Paginator(rows, ON_A_PAGE).get_page(form.cleaned_data["page"]),
            "plot": histogram.shares(
                found.bins,
                title=_plotted(found),
                x_label=_("Share of models that are right"),
                y_label=_("Tasks"),
                marked=found.marked,
            ),
            "bins": list(_bins(found)),
            "course": histogram.course(
                [(row.key, float(row.mean), row.tasks) for row in found.periods],
                title=_course(found),
                y_label=_("Mean share of models that are right"),
            ),
            "unfinished": notes_on([found.judge.run]),
            "query": query_of(given),
            "shared_query": _shared_query(given),
        },
    )


@once
def one_task(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what models made of a task, and decide on the finding."""
    task = access_task(request.user, pk, "task.oversee")
    filters = read_filter(SharesFilter, request.GET)
    found = _shares(filters)
    if found is None:
        raise NotFound(_("There is no finished run yet, so no share is known."))
    row = queries.row_of(found, task.pk)
    form = DecisionForm(
        request.POST if request.method == "POST" else None,
        initial={"finding": row.share.finding.value},
    )
    if request.method == "POST":
        form.is_valid()
        said = form.cleaned_data
        given: dict[str, Any] = {
            "actor": request.user,
            "task": task,
            "found": found,
            "finding": said.get("finding", ""),
            "reason": said.get("reason", ""),
        }
        with refused_at(form):
            if said.get("decision") == KEEP:
                actions.keep(**given)
                return go(request, _("Kept. The task stays as it is."), request.get_full_path())
            if said.get("decision") == LOOK:
                look = actions.look_again(**given)
                return go(
                    request,
                    _("Asked. Author and solvers find it on their home page."),
                    "staff-second-look",
                    look.pk,
                )
            raise BadInput(fields={"decision": [_("Choose what to do.")]})
    return render(
        request,
        "results/difficulty/task.html",
        {
            "found": found,
            "row": row,
            "task": task,
            "exact": exact_page(task),
            "form": form,
            "to_decide": row.share.finding in queries.TO_DECIDE,
            "easy": row.share.finding is Finding.EASY,
            "why_no_look": why_no_look(task),
            "discard": url_or_empty("staff-task-discard", task.pk)
            if task.stage == "approved"
            else "",
            "decisions": ShareDecision.objects.filter(task=task).select_related("by"),
            "looks": task.second_looks.all(),
            "shared_query": _shared_query({**request.GET.dict(), "judge": found.judge.name}),
        },
        status=status_of(form),
    )


def difficulty_csv(request: HttpRequest) -> HttpResponseBase:
    """Download the tasks as a table."""
    found = _shares(read_filter(SharesFilter, request.GET))
    if found is None:
        raise NotFound(_("There is no finished run yet, so no share is known."))
    return csv_export.download(
        f"shares-{found.judge.file_name}.csv",
        CSV_HEAD,
        (
            (
                row.key,
                row.domain,
                row.share.models,
                "" if row.share.right is None else f"{float(row.share.right):.4f}",
                row.share.other,
                f"{float(row.share.other_share):.4f}" if row.share.other else "",
                row.share.finding.value,
                "kept" if row.decision else row.look,
            )
            for row in found.rows
        ),
    )


def rules(request: HttpRequest) -> HttpResponse:
    """Show and change when something is said of a task."""
    limits, number = queries.rules_in_force()
    form = RulesForm(
        request.POST if request.method == "POST" else None,
        initial={
            "fewest": limits.models,
            "drop": limits.drop,
            "look": limits.look,
            "agree": limits.agree,
            "read": number,
        },
    )
    if request.method == "POST":
        with refused_at(form):
            if form.is_valid():
                actions.set_rules(
                    actor=request.user, read=form.cleaned_data["read"], **form.limits()
                )
                return go(request, _("Set. The shares are read by these rules now."), "difficulty")
    return render(
        request,
        "results/difficulty/rules.html",
        {"form": form, "history": ShareRules.objects.select_related("set_by")[:50]},
        status=status_of(form),
    )


def _shares(form: SharesFilter) -> Shares | None:
    """Return the shares asked for; None if no judge is named and no run has finished."""
    named = form.cleaned_data["judge"]
    judge = find_judge(named) if named else queries.default_judge()
    return None if judge is None else queries.shares(judge, **form.wanted())


def _shared_query(given: dict[str, Any]) -> str:
    return query_of({name: given.get(name) for name in SharesFilter.SHARED}).rstrip("&")


def _bins(found: Shares) -> Iterator[tuple[str, int, bool]]:
    width = 100 // len(found.bins)
    for n, (count, marked) in enumerate(zip(found.bins, found.marked, strict=True)):
        yield f"{n * width}–{(n + 1) * width}\u00a0%", count, marked


def _plotted(found: Shares) -> str:
    """Return the sentence that says what the histogram shows."""
    n = len(found.counted)
    half = sum(2 * share < 1 for share in found.counted)
    return ngettext(
        "On %(half)s of %(n)s task fewer than half of the models are right.",
        "On %(half)s of %(n)s tasks fewer than half of the models are right.",
        n,
    ) % {"half": half, "n": n}


def _course(found: Shares) -> str:
    """Return the sentence that says how the mean share went over time."""
    if len(found.periods) < 2:
        return ""
    first, last = found.periods[0], found.periods[-1]
    return _("From %(first)s to %(last)s the mean share went from %(before)s to %(after)s.") % {
        "first": first.key,
        "last": last.key,
        "before": first.percent,
        "after": last.percent,
    }
