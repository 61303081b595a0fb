"""Pages of the analysis: all tasks, one task with its lines and a decision, downloads."""

from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.web import csv_export
from curation.base.web.fields import set_numbers
from curation.base.web.forms import PageForm, query_of, read_filter, reason_field
from curation.base.web.once import once
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.forms import domain_filter
from curation.tasks.task.models import Task
from judge.base.figures import item_plot
from judge.base.gold_sets.forms import TaskSetField
from judge.base.gold_sets.retirements import retirements_of
from judge.base.stats.item_analysis import Concern, Limits
from judge.results.alignment.raters import find_judge, judges
from judge.results.difficulty import analyses as queries
from judge.results.difficulty import analysis_actions as actions
from judge.results.difficulty import analysis_tables as tables
from judge.results.difficulty.analyses import Analysis, ProposalOutcome, TaskRow
from judge.results.difficulty.analysis_words import for_the_author
from judge.runs.engine.unfinished_runs import notes_on

_DEFAULT = Limits()


class LimitsFilter(forms.Form):
    """Whose verdicts are analysed, and from where on something is said."""

    # Any name is taken: older runs are not among the choices, and `find_judge` refuses others.
    judge = forms.CharField(label=gettext_lazy("Judge"), required=False, widget=forms.Select)
    tasks = TaskSetField()
    domain = domain_filter(external=True)
    candidates = forms.IntegerField(
        label=gettext_lazy("Fewest candidates"), min_value=3, max_value=10_000, required=False
    )
    responses = forms.IntegerField(
        label=gettext_lazy("Fewest responses"), min_value=3, max_value=10_000, required=False
    )
    saturated = forms.IntegerField(
        label=gettext_lazy("Saturated from (points of 100)"),
        min_value=1,
        max_value=100,
        required=False,
    )

    LIMITS = ("judge", "tasks", "domain", "candidates", "responses", "saturated")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        self.fields["judge"].widget.choices = judges()
        self.fields["tasks"].offer()  # type: ignore[attr-defined]

    def limits(self) -> Limits:
        """Return the limits asked for; the defaults for empty fields."""
        values = self.cleaned_data
        points = values["saturated"]
        return Limits(
            candidates=values["candidates"] or _DEFAULT.candidates,
            responses=values["responses"] or _DEFAULT.responses,
            saturated=points / 100 if points else _DEFAULT.saturated,
        )

    def domain_key(self) -> str:
        """Return the key of the only domain; "" for all."""
        domain = self.cleaned_data["domain"]
        return domain.key if domain else ""

    def of(self, *names: str) -> list[forms.BoundField]:
        """Return some fields for a page, in the order of the names."""
        return [self[name] for name in names]


class AnalysisFilter(LimitsFilter, PageForm):
    """The same, and which tasks are listed in which order."""

    show = forms.ChoiceField(
        label=gettext_lazy("Listed"),
        choices=[
            (queries.OPEN, gettext_lazy("With something to decide")),
            (queries.DECIDED, gettext_lazy("With a decision")),
            (queries.ANY, gettext_lazy("All")),
        ],
        required=False,
    )
    order = forms.ChoiceField(
        label=gettext_lazy("Order"),
        choices=[
            (queries.BY_URGENCY, gettext_lazy("Most to decide first")),
            (queries.HARDEST, gettext_lazy("Hardest first")),
            (queries.EASIEST, gettext_lazy("Easiest first")),
            (queries.WEAKEST, gettext_lazy("Lowest discrimination first")),
        ],
        required=False,
    )

    LIST = (*LimitsFilter.LIMITS, "show", "order")


class ChosenProposals(forms.MultipleChoiceField):
    """Takes any value: what is no longer proposed is a conflict, which the action reports."""

    widget = forms.CheckboxSelectMultiple

    def validate(self, value: Any) -> None:
        """Leave the check to the action."""


class DecisionForm(forms.Form):
    """What to do about some proposals; the action checks proposals and reason."""

    proposals = ChosenProposals(label=gettext_lazy("About"), required=False)
    words = reason_field(gettext_lazy("What the author is to look at"))
    reason = reason_field(gettext_lazy("Why it stays as it is"), rows=2)
    outcome = forms.ChoiceField(choices=ProposalOutcome.Outcome.choices)

    def __init__(self, *args: Any, offered: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["proposals"].choices = offered  # type: ignore[attr-defined]


ON_A_PAGE = 50
ABOUT_TASKS = (Concern.SATURATED, Concern.NO_POINTS)


def task_analysis(request: HttpRequest) -> HttpResponse:
    """Show how tasks and lines do over the candidates, those to decide on first."""
    form = read_filter(AnalysisFilter, request.GET)
    found = _analysis(form)
    if found is None:
        return render(request, "results/task_analysis/empty.html")
    wanted = form.cleaned_data
    rows = queries.listed(found, show=wanted["show"], order=wanted["order"])
    given = {**request.GET.dict(), "judge": found.judge.name}
    form.data = given  # the form shows the judge that was taken by default
    return render(
        request,
        "results/task_analysis/list.html",
        {
            "found": found,
            "headline": queries.headline(found),
            "fields": form.of(*AnalysisFilter.LIST),
            "page": Paginator(rows, ON_A_PAGE).get_page(wanted["page"]),
            "plot": item_plot.difficulty_and_discrimination(
                [_point(row) for row in found.rows if row.figures.discrimination is not None],
                title=_plotted(found),
                x_label=_("Difficulty"),
                y_label=_("Discrimination"),
            ),
            "plotted": sum(row.figures.discrimination is not None for row in found.rows),
            "counts": [(concern, found.count(concern)) for concern in Concern],
            "unfinished": notes_on([found.judge.run]),
            "query": query_of(given),
            "limits_query": _limits_query(given),
        },
    )


@once
def one_task(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a task with its lines; decide on proposals."""
    task = get_object_or_404(Task.objects.select_related("domain"), pk=pk)
    filters = read_filter(LimitsFilter, request.GET)
    found = _required(filters)
    row = queries.row_of(found, pk)
    offered = [(proposal.value, proposal.sentence) for proposal in row.all_proposals]
    sent = request.POST if request.method == "POST" else None
    form = DecisionForm(sent, offered=offered, initial={"words": _to_the_author(row)})
    if sent is not None and form.is_valid():
        values = form.cleaned_data
        asked = values["outcome"] == ProposalOutcome.Outcome.ASKED
        # The author reads other words than those for which something stays.
        field = "words" if asked else "reason"
        with refused_at(form, names={"reason": field}):
            decide = actions.ask_author if asked else actions.keep
            made = decide(
                actor=request.user,
                analysis=found,
                task=task,
                proposals=values["proposals"],
                reason=values[field],
            )
            return go(request, _said(len(made), asked=asked), request.get_full_path())
    given = {**request.GET.dict(), "judge": found.judge.name}
    return render(
        request,
        "results/task_analysis/task.html",
        {
            "found": found,
            "headline": queries.task_headline(row),
            "row": row,
            "task": task,
            "form": form,
            "why_not_ask": actions.why_not_ask(task, row),
            "retirements": retirements_of(task),
            "history": ProposalOutcome.objects.filter(task=task).select_related("by", "criterion"),
            "limits_query": _limits_query(given),
        },
        status=status_of(form),
    )


def tasks_csv(request: HttpRequest) -> HttpResponseBase:
    """Download the tasks as a table."""
    found = _required(read_filter(LimitsFilter, request.GET))
    name = f"tasks-{found.judge.file_name}.csv"
    return csv_export.download(name, tables.TASK_HEAD, tables.task_rows(found))


def lines_csv(request: HttpRequest) -> HttpResponseBase:
    """Download the lines of all tasks as a table."""
    found = _required(read_filter(LimitsFilter, request.GET))
    name = f"lines-{found.judge.file_name}.csv"
    return csv_export.download(name, tables.LINE_HEAD, tables.line_rows(found))


def _analysis(form: LimitsFilter) -> Analysis | None:
    """Return the analysis asked for; None if no judge is named and no run has finished."""
    judge = find_judge(form.cleaned_data["judge"])
    if judge is None:
        return None
    return queries.analyse(
        judge, form.limits(), tasks=form.cleaned_data["tasks"], domain=form.domain_key()
    )


def _required(form: LimitsFilter) -> Analysis:
    found = _analysis(form)
    if found is None:
        raise NotFound(_("There is no finished run yet, so there is nothing to analyse."))
    return found


def _point(row: TaskRow) -> item_plot.TaskPoint:
    figures = row.figures
    assert figures.difficulty is not None
    assert figures.discrimination is not None
    return item_plot.TaskPoint(figures.difficulty, figures.discrimination, bool(row.proposals))


def _plotted(found: Analysis) -> str:
    """Return the sentence that says what the plot shows."""
    values = [row.figures.discrimination for row in found.rows]
    known = [value for value in values if value is not None]
    below = sum(value < 0 for value in known)
    return ngettext(
        "On %(n)s of %(all)s task weaker candidates do better than stronger ones.",
        "On %(n)s of %(all)s tasks weaker candidates do better than stronger ones.",
        len(known),
    ) % {"n": below, "all": len(known)}


def _to_the_author(row: TaskRow) -> str:
    """Return the proposed words to the author: one sentence for each open proposal."""
    twins = {entry.line.pk: [twin.number for twin in entry.twins] for entry in row.lines}
    return "\n".join(
        for_the_author(
            proposal.concern,
            proposal.line.number if proposal.line else None,
            twins.get(proposal.line.pk, []) if proposal.line else [],
        )
        for proposal in row.open
    )


def _said(number: int, *, asked: bool) -> str:
    if asked:
        return _("The rubric is with its author again, with your words. No score has changed.")
    return ngettext(
        "Kept. %(n)s proposal is decided.", "Kept. %(n)s proposals are decided.", number
    ) % {"n": number}


def _limits_query(given: dict[str, Any]) -> str:
    return query_of({name: given.get(name) for name in LimitsFilter.LIMITS}).rstrip("&")
