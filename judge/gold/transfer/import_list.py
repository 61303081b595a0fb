"""The list of imports."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.declared import Column, ListSpec, in_order_of, register
from curation.base.web.dates import day
from curation.base.web.look import count, pill
from curation.telling.search.search import SearchTerms
from judge.gold.transfer.import_models import DataImport

SHAPES = {  # of the pills
    DataImport.State.OPEN: "open",
    DataImport.State.CHECKING: "machine",
    DataImport.State.CHECKED: "half",
    DataImport.State.WAITING: "machine",
    DataImport.State.DONE: "done",
    DataImport.State.FAILED: "failed",
}


class ImportFilter(forms.Form):
    q = forms.CharField(
        required=False,
        max_length=200,
        label=gettext_lazy("Name of the file"),
        widget=forms.SearchInput(),
    )
    kind = forms.ChoiceField(
        required=False,
        label=gettext_lazy("What it holds"),
        choices=[("", gettext_lazy("Everything")), *DataImport.Kind.choices],
    )
    state = forms.ChoiceField(
        required=False,
        label=gettext_lazy("State"),
        choices=[("", gettext_lazy("All states")), *DataImport.State.choices],
    )


def find(wanted: Mapping[str, Any]) -> QuerySet[DataImport]:
    """Return the imports that match."""
    rows = DataImport.objects.all()
    for name in ("kind", "state"):
        if wanted[name]:
            rows = rows.filter(**{name: wanted[name]})
    if wanted["q"].strip():
        rows = rows.filter(SearchTerms.read(wanted["q"]).in_columns("file_name", number="pk"))
    return rows


def load(keys: Sequence[int]) -> Mapping[int, DataImport]:
    """Return the rows. One query."""
    rows = DataImport.objects.select_related("asked_by", "author").filter(pk__in=keys)
    return {row.pk: row for row in rows.defer("outline", "faults", "first_rows")}


def _link(row: DataImport) -> str:
    address = reverse("staff-import", args=[row.pk])
    return format_html('<a href="{}" data-open class="wrap-anywhere">{}</a>', address, row)


def _state(row: DataImport) -> str:
    return pill(SHAPES[DataImport.State(row.state)], row.get_state_display())


def _number(name: str) -> Any:
    return lambda row: row.counts.get(name) if row.counts else None


def _who(row: DataImport) -> str:
    return row.asked_by.display_name or str(row.asked_by)


def _counted(n: int) -> str:
    return ngettext("%(n)s import", "%(n)s imports", n) % {"n": count(n)}


def _holds(row: DataImport) -> str:
    words = row.get_kind_display()
    if row.author is None:
        return words
    person = row.author.display_name or str(row.author)
    return _("%(what)s: %(who)s") % {"what": words, "who": person}


IMPORTS = register(
    ListSpec(
        name="imports",
        route="staff-imports",
        filters=ImportFilter,
        find=find,
        load=load,
        order="-asked",
        counted=_counted,
        title=str,
        columns=(
            Column("file", gettext_lazy("File"), str, show=_link, sort=("file_name",)),
            Column(
                "kind",
                gettext_lazy("What it holds"),
                _holds,
                sort=(in_order_of("kind", DataImport.Kind.values),),
            ),
            Column(
                "state",
                gettext_lazy("State"),
                lambda row: row.get_state_display(),
                show=_state,
                sort=(in_order_of("state", DataImport.State.values),),
            ),
            Column("added", gettext_lazy("New"), _number("added"), number=True),
            Column("unchanged", gettext_lazy("Already there"), _number("unchanged"), number=True),
            Column(
                "revised",
                gettext_lazy("New versions"),
                _number("revised"),
                number=True,
                only_files=True,
            ),
            Column("faults", gettext_lazy("Faults"), lambda row: row.fault_count, number=True),
            Column("by", gettext_lazy("By"), _who, sort=("asked_by__display_name",)),
            Column(
                "asked",
                gettext_lazy("When"),
                lambda row: row.asked_at,
                show=lambda row: day(row.asked_at, with_clock=True),
                sort=("asked_at",),
            ),
        ),
    )
)
