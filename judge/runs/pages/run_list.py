"""The list of judge runs."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from curation.base.lists.declared import Column, ListSpec, in_order_of, register
from curation.base.lists.page import NO_VALUE
from curation.base.web.dates import day
from curation.base.web.look import count, pill, segbar
from curation.telling.search.search import SearchTerms
from judge.asking.calls.cost import in_dollars
from judge.asking.calls.money import dollars
from judge.runs.engine.models import JudgeRun
from judge.runs.pages.queries import RunRow, list_rows, run_rows, status_of

PLANNED = "planned"  # paused, and never started: see `status_of`


class RunFilter(forms.Form):
    q = forms.CharField(
        required=False,
        max_length=200,
        label=gettext_lazy("Model or number"),
        widget=forms.SearchInput(),
    )
    state = forms.ChoiceField(
        required=False,
        label=gettext_lazy("State"),
        choices=[
            ("", gettext_lazy("All states")),
            (PLANNED, pgettext_lazy("a judge run", "Planned")),
            *JudgeRun.State.choices,
        ],
    )


def find(wanted: Mapping[str, Any]) -> QuerySet[JudgeRun]:
    """Return the runs that match."""
    rows = JudgeRun.objects.all()
    if state := wanted["state"]:
        never_started = Q(state=JudgeRun.State.PAUSED, started_at=None)
        rows = rows.filter(never_started if state == PLANNED else Q(state=state) & ~never_started)
    if wanted["q"].strip():
        terms = SearchTerms.read(wanted["q"])
        rows = rows.filter(terms.in_columns("model", "provider", number="pk"))
    return rows


def load(keys: Sequence[int]) -> Mapping[int, RunRow]:
    """Return the rows with their figures. Four queries, however many runs."""
    return {row.run.pk: row for row in list_rows(list(run_rows().filter(pk__in=keys)))}


def _link(row: RunRow) -> str:
    address = reverse("staff-run", args=[row.run.pk])
    return format_html('<a href="{}" data-open>{}</a>', address, row.run)


def _state(row: RunRow) -> str:
    return pill(*status_of(row.run))


def _judged(row: RunRow) -> str:
    words = _("%(n)s of %(all)s") % {"n": count(row.judged), "all": count(row.responses)}
    if not row.responses:
        return words
    bar = segbar([(row.judged, "ink-2", "")], total=row.responses, size="thin")
    return format_html('<span class="nowrap">{}</span>{}', words, bar)


def _failed(row: RunRow) -> Any:
    if not row.failed:
        return NO_VALUE
    return format_html('<span class="is-no strong">{}</span>', count(row.failed))


def _dollars(value: float | None) -> Any:
    return NO_VALUE if value is None else dollars(value)


def _budget(row: RunRow) -> float | None:
    return in_dollars(row.run.budget_micro)


def _planned(row: RunRow) -> str:
    words = day(row.run.created_at, with_clock=True)
    return f"{words} · {row.run.created_by}" if row.run.created_by else words


RUNS = register(
    ListSpec(
        name="runs",
        route="staff-runs",
        filters=RunFilter,
        find=find,
        load=load,
        order="-planned",
        counted=lambda n: ngettext("%(n)s run", "%(n)s runs", n) % {"n": count(n)},
        title=lambda row: str(row.run),
        columns=(
            Column(
                "number", gettext_lazy("Run"), lambda row: str(row.run), show=_link, sort=("pk",)
            ),
            Column(
                "state",
                gettext_lazy("State"),
                lambda row: str(status_of(row.run)[1]),
                show=_state,
                sort=(in_order_of("state", JudgeRun.State.values),),
            ),
            Column("model", gettext_lazy("Model"), lambda row: row.run.model, sort=("model",)),
            Column(
                "responses",
                gettext_lazy("Responses"),
                lambda row: row.responses,
                number=True,
                only_files=True,
            ),
            Column(
                "judged", gettext_lazy("Judged"), lambda row: row.judged, show=_judged, number=True
            ),
            Column(
                "failed", gettext_lazy("Failed"), lambda row: row.failed, show=_failed, number=True
            ),
            Column(
                "cost",
                gettext_lazy("Cost"),
                lambda row: row.cost,
                show=lambda row: _dollars(row.cost),
                number=True,
            ),
            Column(
                "budget",
                gettext_lazy("Budget"),
                _budget,
                show=lambda row: _dollars(_budget(row)),
                number=True,
                sort=("budget_micro",),
            ),
            Column(
                "planned",
                gettext_lazy("Planned"),
                lambda row: row.run.created_at,
                show=_planned,
                sort=("created_at",),
            ),
        ),
    )
)
