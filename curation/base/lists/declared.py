"""What a list is made of: columns, filters, orders. `page.py` shows it, `files.py` exports it.

TASKS = ListSpec(
    name="tasks", route="staff-tasks", filters=TaskFilter, find=tasks_like, load=task_rows,
    columns=(Column("number", _("Number"), value=lambda row: row["id"], sort=("pk",)), …),
    order="-number", counted=…,
)
register(TASKS)
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django import forms
from django.db.models import Case, F, IntegerField, QuerySet, Value, When

from curation.base.web.forms import PageForm

FORMATS = ("csv", "xlsx")


@dataclass(frozen=True)
class Column:
    """A column of a list.

    Attributes:
        key: its name in addresses.
        value: row -> what files hold: text, number, moment or None.
        show: row -> what the page shows, as HTML; without it the value, a dash for None.
        sort: names or expressions to sort by, ascending; empty where nobody can sort by it.
        number: whether it is set as numbers are.
        only_files: whether the page goes without it.
    """

    key: str
    label: Any
    value: Callable[[Any], Any]
    show: Callable[[Any], Any] | None = None
    sort: tuple[Any, ...] = ()
    number: bool = False
    only_files: bool = False

    @property
    def css(self) -> str:
        return "num" if self.number else ""


@dataclass(frozen=True)
class ListSpec:
    """A list as it is declared by its noun.

    Attributes:
        name: of the list in addresses, and of its files.
        route: the page that shows it.
        filters: a form whose fields are the parameters of the address.
        find: cleaned filters -> the rows that match, in any order.
        load: primary keys -> key -> row, in a fixed number of queries.
        order: the order without a choice: a key of `orders`, or of a column, with "-" descending.
        counted: number of rows -> "12 tasks".
        title: row -> its name, for the tick beside it.
        orders: further orders that no column has: key -> (label, expressions).
        readable: (rows, person) -> those that this member of staff may see; all by default.
    """

    name: str
    route: str
    filters: type[forms.Form]
    find: Callable[[Mapping[str, Any]], "QuerySet[Any]"]
    load: Callable[[Sequence[int]], Mapping[int, Any]]
    columns: tuple[Column, ...]
    order: str
    counted: Callable[[int], str]
    title: Callable[[Any], str]
    orders: Mapping[str, tuple[Any, tuple[Any, ...]]] = field(default_factory=dict)
    readable: Callable[["QuerySet[Any]", Any], "QuerySet[Any]"] | None = None

    @cached_property
    def form_class(self) -> type[forms.Form]:
        """The filters with page, order and format of a file."""
        allowed = [*self.orders]
        for column in self.columns:
            allowed += [column.key, f"-{column.key}"] if column.sort else []
        fields = {"sort": _hidden(allowed), "format": _hidden(FORMATS)}
        return type(f"{self.filters.__name__}Page", (self.filters, PageForm), fields)

    @property
    def shown(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if not column.only_files)

    def found_by(self, wanted: Mapping[str, Any], person: Any) -> "QuerySet[Any]":
        """Return the rows that match cleaned filters and that a person may see, in order."""
        rows = self.find(wanted)
        return self.in_order(self.readable(rows, person) if self.readable else rows, wanted["sort"])

    def readable_keys(self, keys: Collection[int], person: Any) -> Collection[int]:
        """Return those of some rows that a person may see. A query where the list hides any."""
        if self.readable is None:
            return keys
        everything = self.form_class({})
        everything.is_valid()
        rows = self.readable(self.find(everything.cleaned_data), person)
        return set(rows.filter(pk__in=keys).values_list("pk", flat=True))

    def in_order(self, rows: "QuerySet[Any]", sort: str) -> "QuerySet[Any]":
        """Return the rows sorted, those without a value last, ties by key.

        Args:
            sort: a key that `form_class` accepts; "" for the list's own order.
        """
        sort = sort or self.order
        if sort in self.orders:
            return rows.order_by(*self.orders[sort][1])
        down, key = sort.startswith("-"), sort.removeprefix("-")
        column = next(column for column in self.columns if column.key == key)
        by = [_directed(expression, down, rows.model) for expression in column.sort]
        ties = [] if column.sort == ("pk",) else ["-pk" if down else "pk"]
        return rows.order_by(*by, *ties)


def _hidden(values: Sequence[str]) -> forms.ChoiceField:
    choices = [(value, value) for value in values]
    return forms.ChoiceField(choices=choices, required=False, widget=forms.HiddenInput)


def _directed(expression: Any, down: bool, model: Any) -> Any:
    if isinstance(expression, str) and not _may_be_null(model, expression):
        # Without "nulls last", which PostgreSQL's indexes do not serve from high to low.
        return f"-{expression}" if down else expression
    made = F(expression) if isinstance(expression, str) else expression
    return made.desc(nulls_last=True) if down else made.asc(nulls_last=True)


def _may_be_null(model: Any, path: str) -> bool:
    """Return whether a path of fields can lead to no value."""
    for name in path.split("__"):
        field = model._meta.pk if name == "pk" else model._meta.get_field(name)
        if field.null:
            return True
        model = field.related_model
    return False


_lists: dict[str, ListSpec] = {}


def register(spec: ListSpec) -> ListSpec:
    """Register a list and return it, so that saved views and bulk steps find it by its name.

    Raises:
        ValueError: another list has the name.
    """
    if _lists.setdefault(spec.name, spec) is not spec:
        raise ValueError(f"the list {spec.name} is registered twice")
    return spec


def list_named(name: str) -> ListSpec | None:
    """Return the list of this name; None if there is none."""
    return _lists.get(name)


def all_lists() -> list[ListSpec]:
    """Return every list, by name."""
    return [_lists[name] for name in sorted(_lists)]


def in_order_of(field: str, values: Sequence[str]) -> Case:
    """Return an expression that sorts by the places of a field's values."""
    places = [When(**{field: value}, then=Value(n)) for n, value in enumerate(values)]
    return Case(*places, default=Value(len(values)), output_field=IntegerField())
