"""A list as a page shows it: filters and order from the address, rows, saved views, steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from curation.base.access.permissions import allows
from curation.base.lists import bulk, files
from curation.base.lists.declared import Column, ListSpec
from curation.base.lists.models import SavedView
from curation.base.web.components import cell, row_head
from curation.base.web.forms import read_filter
from curation.base.web.look import count, when

ROWS_OF_A_PAGE = 50
NOT_OF_A_VIEW = ("page", "format")
NO_VALUE = mark_safe('<span class="quiet">–</span>')  # noqa: S308 - constant


@dataclass(frozen=True)
class Row:
    """A row of the page; `cells` are HTML, the first of them its heading."""

    pk: int
    title: str
    cells: SafeString


@dataclass(frozen=True)
class Head:
    """A head of a column: `query` sorts by it, `sorted` is "ascending", "descending" or ""."""

    column: Column
    query: str
    sorted: str


@dataclass(frozen=True)
class Tab:
    """A saved view above the list."""

    view: SavedView
    current: bool


def query_of_view(form: forms.Form) -> str:
    """Return what a view keeps of a valid address: filters and order, in one writing."""
    data: Any = form.data
    kept = {name: data.get(name, "") for name in form.fields if name not in NOT_OF_A_VIEW}
    return urlencode({name: value for name, value in sorted(kept.items()) if value})


class ListPage:
    """What the template of a list needs. Two queries for the rows, one for the views.

    Raises:
        BadInput: the address asks for what the list does not have.
    """

    def __init__(self, spec: ListSpec, data: QueryDict, user: Any) -> None:
        self.spec = spec
        self.user = user
        self.form = read_filter(spec.form_class, data)
        self.wanted: Mapping[str, Any] = self.form.cleaned_data
        self.query = query_of_view(self.form)

    @cached_property
    def found(self) -> Any:
        """Every row that matches, in order."""
        return self.spec.found_by(self.wanted, self.user)

    @cached_property
    def page(self) -> Any:
        """The page of keys."""
        keys = self.found.values_list("pk", flat=True)
        return Paginator(keys, ROWS_OF_A_PAGE).get_page(self.wanted["page"])

    @property
    def keys(self) -> list[int]:
        """The keys of the rows of this page, in order.

        A database steps over all rows before a page, so the second half is read from the end.
        """
        first, last = self.page.start_index(), self.page.end_index()  # from 1
        if first <= self.total // 2:
            return list(self.page.object_list)
        backwards = self.page.paginator.object_list.reverse()
        return list(backwards[self.total - last : self.total - first + 1])[::-1]

    @cached_property
    def rows(self) -> list[Row]:
        keys = self.keys
        loaded = self.spec.load(keys) if keys else {}
        # Labels are translated once for the page, not for each cell.
        columns = [(column, str(column.label)) for column in self.spec.shown]
        return [
            Row(key, self.spec.title(loaded[key]), _cells(columns, loaded[key]))
            for key in keys
            if key in loaded
        ]

    @property
    def total(self) -> int:
        return int(self.page.paginator.count)

    @property
    def counted(self) -> str:
        return self.spec.counted(self.total)

    @property
    def more_match(self) -> bool:
        """Whether more rows match than stand on this page."""
        return bool(self.page.paginator.num_pages > 1)

    @property
    def narrowed(self) -> bool:
        return any(self.wanted[name] for name in self.spec.filters.base_fields)  # type: ignore[attr-defined]

    @property
    def filters(self) -> list[Any]:
        return list(self.form.visible_fields())

    @property
    def heads(self) -> list[Head]:
        chosen = self.wanted["sort"] or self.spec.order
        return [self._head(column, chosen) for column in self.spec.shown]

    def _head(self, column: Column, chosen: str) -> Head:
        state = {column.key: "ascending", f"-{column.key}": "descending"}.get(chosen, "")
        to = f"-{column.key}" if state == "ascending" else column.key
        return Head(column, self._with(sort=to) if column.sort else "", state)

    @property
    def orders(self) -> list[tuple[Any, str, bool]]:
        """Orders that no column has: label, query, whether it is the current one."""
        chosen = self.wanted["sort"] or self.spec.order
        return [
            (label, self._with(sort=key), key == chosen)
            for key, (label, _by) in self.spec.orders.items()
        ]

    def _with(self, **changed: str) -> str:
        kept = QueryDict(self.query, mutable=True)
        for name, value in changed.items():
            kept[name] = value
        return kept.urlencode()

    @property
    def prefix(self) -> str:
        """The query as the links to other pages begin."""
        return f"{self.query}&" if self.query else ""

    @property
    def address(self) -> str:
        url = reverse(self.spec.route)
        return f"{url}?{self.query}" if self.query else url

    @property
    def as_files(self) -> list[tuple[str, str]]:
        """Kinds of files with the queries that download them."""
        return [("CSV", self._with(format="csv")), ("Excel", self._with(format="xlsx"))]

    @cached_property
    def views(self) -> list[Tab]:
        kept = SavedView.objects.filter(user=self.user, list=self.spec.name).order_by("at", "pk")
        return [Tab(view, view.query == self.query) for view in kept]

    @property
    def view(self) -> SavedView | None:
        """The saved view that is shown; None if this is none."""
        return next((tab.view for tab in self.views if tab.current), None)

    @cached_property  # each row asks whether it can be ticked
    def steps(self) -> list[tuple["bulk.BulkStep", str]]:
        """Steps the person may take on ticked rows, with the addresses of their previews."""
        tail = f"?{self.query}" if self.query else ""
        return [
            (step, reverse("list-step", args=[self.spec.name, step.key]) + tail)
            for step in bulk.steps_of(self.spec.name)
            if allows(self.user, step.permission)
        ]


def _cells(columns: Sequence[tuple[Column, str]], row: Any) -> SafeString:
    """Return the cells of a row as HTML; in Python, as a page has up to a thousand of them."""
    (first, _label), *others = columns
    cells = [row_head(show(first, row), first.css)]
    cells += [cell(show(column, row), label, column.css) for column, label in others]
    return mark_safe("".join(cells))  # noqa: S308 - cells are HTML


def show(column: Column, row: Any) -> Any:
    """Return what a cell of the page shows."""
    if column.show is not None:
        return column.show(row)
    value = column.value(row)
    if value is None or value == "":
        return NO_VALUE
    if isinstance(value, datetime | date):
        return when(value)
    return count(value) if column.number and isinstance(value, int) else value


def list_response(
    request: HttpRequest, spec: ListSpec, template: str, **context: Any
) -> HttpResponseBase:
    """Return a list as a page, or as the file that the address asks for.

    Raises:
        BadInput: the address asks for what the list does not have.
    """
    shown = ListPage(spec, request.GET, request.user)
    if wanted := shown.wanted["format"]:
        return files.download(spec, shown.found, wanted)
    return render(request, template, {"list": shown, **context})


def keys_matching(spec: ListSpec, data: QueryDict, person: Any, *, most: int) -> Sequence[int]:
    """Return the keys of all rows that an address shows a person, in order; at most `most` + 1.

    Raises:
        BadInput: the address asks for what the list does not have.
    """
    form = read_filter(spec.form_class, data)
    found = spec.found_by(form.cleaned_data, person)
    return list(found.values_list("pk", flat=True)[: most + 1])
