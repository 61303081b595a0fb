"""Pages of spending: calls of every purpose, and the monthly budgets."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.declared import Column, ListSpec, register
from curation.base.lists.page import NO_VALUE, list_response
from curation.base.text.wording import decimal
from curation.base.web.fields import set_numbers
from curation.base.web.look import count, icon, when
from curation.base.web.once import ReadVersionField, once
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.policies import latest
from judge.asking.calls.budgets import PURPOSES, limits
from judge.asking.calls.cost import in_dollars, in_micro_dollars
from judge.asking.calls.limit_fields import BudgetField
from judge.asking.calls.models import Call, MonthlyBudget
from judge.asking.calls.money import dollars
from judge.asking.providers import labels
from judge.runs.pages import spendings as queries
from judge.runs.pages.spendings import (
    FAILED,
    FURTHER,
    CallRow,
    call_rows,
    models_asked,
    narrowed,
    set_monthly_budget,
)


class CallFilter(forms.Form):
    """Which calls to list; `before` and `after` are numbers of calls, as in kept addresses."""

    purpose = forms.ChoiceField(
        label=gettext_lazy("Purpose"),
        choices=[("", gettext_lazy("All")), *Call.Purpose.choices],
        required=False,
    )
    model = forms.ChoiceField(label=gettext_lazy("Model"), required=False)
    outcome = forms.ChoiceField(
        label=gettext_lazy("Outcome"),
        choices=[
            ("", gettext_lazy("All")),
            (FAILED, gettext_lazy("Failed")),
            (FURTHER, gettext_lazy("Asked again")),
        ],
        required=False,
    )
    run = forms.IntegerField(
        label=gettext_lazy("Run"), min_value=1, max_value=2**63 - 1, required=False
    )
    before = forms.IntegerField(
        min_value=1, max_value=2**63 - 1, required=False, widget=forms.HiddenInput
    )
    after = forms.IntegerField(
        min_value=1, max_value=2**63 - 1, required=False, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        known = labels()
        self.fields["model"].choices = [  # type: ignore[attr-defined]
            ("", gettext_lazy("All")),
            *(
                (f"{provider}:{model}", f"{known.get(provider, provider)}, {model}")
                for provider, model in models_asked()
            ),
        ]


class BudgetForm(forms.Form):
    """Dollars a month for each purpose; empty for no limit."""

    read = ReadVersionField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        now = {purpose: in_dollars(micro) for purpose, micro in limits().items()}
        kwargs.setdefault("initial", {**now, "read": latest(MonthlyBudget)})
        super().__init__(*args, **kwargs)
        for purpose in PURPOSES:
            self.fields[purpose.value] = BudgetField(label=purpose.label)
        set_numbers(self.fields.values())

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action `set_monthly_budget`."""
        data = self.cleaned_data
        micro = {purpose.value: in_micro_dollars(data[purpose.value]) for purpose in PURPOSES}
        return {**micro, "read": data["read"]}


def load(keys: Sequence[int]) -> Mapping[int, CallRow]:
    """Return calls with what they cost. Two queries, however many calls."""
    return {row.call.pk: row for row in call_rows(keys)}


def _link(row: CallRow) -> str:
    address = reverse("staff-call", args=[row.call.pk])
    return format_html('<a href="{}" data-open>{}</a>', address, row.call.pk)


def _purpose_name(row: CallRow) -> str:
    # Django's own method would translate all purposes for each row.
    return str(Call.Purpose(row.call.purpose).label)


def _purpose(row: CallRow) -> str:
    words = _purpose_name(row)
    if row.call.run_id is None:
        return words
    run = _("Run %(n)s") % {"n": row.call.run_id}
    address = reverse("staff-run", args=[row.call.run_id])
    return format_html('{} · <a href="{}">{}</a>', words, address, run)


def _task(row: CallRow) -> Any:
    task, judged = row.call.task, row.call.judgment
    if task is None:
        return NO_VALUE
    return format_html(
        '<a href="{}">{}</a>{}',
        reverse("staff-task", args=[task.pk]),
        Truncator(task.key).chars(32),
        format_html(' <span class="hint">{}</span>', judged.response.candidate.name)
        if judged
        else "",
    )


def _outcome_name(row: CallRow) -> str:
    return row.kind or row.did or _("answered")


def _outcome(row: CallRow) -> str:
    shape = icon("cross", tone="no") if row.kind else _ANSWERED
    again = ""
    if row.call.attempt > 1:
        said = _("attempt %(n)s") % {"n": row.call.attempt}
        again = format_html(' <span class="muted">{}</span>', said)
    return format_html("{} {}{}", shape, _outcome_name(row), again)


def _candidate(row: CallRow) -> str | None:
    return row.call.judgment.response.candidate.name if row.call.judgment else None


def _seconds(row: CallRow) -> str:
    return format_html('<span class="quiet">{} s</span>', decimal(row.call.seconds, 1))


_ANSWERED = icon("check", tone="yes")


CALLS = register(
    ListSpec(
        name="calls",
        route="staff-calls",
        filters=CallFilter,
        find=narrowed,
        load=load,
        order="-number",
        counted=lambda n: ngettext("%(n)s call", "%(n)s calls", n) % {"n": count(n)},
        title=lambda row: str(row.call.pk),
        columns=(
            Column(
                "number", gettext_lazy("Call"), lambda row: row.call.pk, show=_link, sort=("pk",)
            ),
            Column(
                "time",
                gettext_lazy("Time"),
                lambda row: row.call.at,
                show=lambda row: when(row.call.at, clock=True),
            ),
            Column(
                "purpose",
                gettext_lazy("Purpose"),
                _purpose_name,
                show=_purpose,
            ),
            Column("run", gettext_lazy("Run"), lambda row: row.call.run_id, only_files=True),
            Column(
                "provider",
                gettext_lazy("Provider"),
                lambda row: row.call.provider,
                only_files=True,
            ),
            Column(
                "model",
                gettext_lazy("Model"),
                lambda row: row.call.model,
                sort=("provider", "model"),
            ),
            Column(
                "task",
                gettext_lazy("Task"),
                lambda row: row.call.task.key if row.call.task else None,
                show=_task,
            ),
            Column("candidate", gettext_lazy("Candidate"), _candidate, only_files=True),
            Column(
                "outcome",
                gettext_lazy("Outcome"),
                _outcome_name,
                show=_outcome,
            ),
            Column(
                "attempt", gettext_lazy("Attempt"), lambda row: row.call.attempt, only_files=True
            ),
            Column("input", gettext_lazy("Input"), lambda row: row.call.input_tokens, number=True),
            Column(
                "output", gettext_lazy("Output"), lambda row: row.call.output_tokens, number=True
            ),
            Column(
                "cost",
                gettext_lazy("Cost"),
                lambda row: row.cost,
                show=lambda row: NO_VALUE if row.cost is None else dollars(row.cost),
                number=True,
            ),
            Column(
                "took",
                gettext_lazy("Took"),
                lambda row: row.call.seconds,
                show=_seconds,
                number=True,
            ),
        ),
    )
)


def calls(request: HttpRequest) -> HttpResponseBase:
    """List the calls of every purpose with their cost, newest first; also as a file."""
    spent = () if request.GET.get("format") else queries.spent_this_month()
    return list_response(request, CALLS, "runs/spending/calls.html", spent=spent)


@once
def budgets(request: HttpRequest) -> HttpResponse:
    """Show and set what each purpose may cost in a month."""
    form = BudgetForm(request.POST) if request.method == "POST" else BudgetForm()
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            set_monthly_budget(actor=request.user, **form.values())
            return go(request, _("Set. Calls from now on keep within it."), "staff-budgets")
    return render(
        request,
        "runs/spending/budgets.html",
        {
            "form": form,
            "spent": [row for row in queries.spent_this_month() if row.purpose in PURPOSES],
            "history": queries.budget_history(),
        },
        status=status_of(form),
    )
