"""Staff's lists of the experts' sheets: who scores what, since when, until when."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import Count, F, QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.declared import Column, ListSpec, in_order_of, register
from curation.base.lists.page import list_response
from curation.base.web.look import count, pill
from curation.joining.domains.forms import domain_filter
from curation.telling.search.search import SearchTerms
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion

OPEN, LATE, SUBMITTED = "open", "late", "submitted"
STATES = {
    OPEN: gettext_lazy("Open"),
    LATE: gettext_lazy("Late"),
    SUBMITTED: gettext_lazy("Submitted"),
}
_LONG = ("scenario", "materials", "requirements", "reference_answer")


class GradedSheetFilter(forms.Form):
    q = forms.CharField(
        required=False,
        max_length=200,
        label=gettext_lazy("Task, scorer or candidate"),
        widget=forms.SearchInput(),
    )
    state = forms.ChoiceField(
        required=False,
        label=gettext_lazy("State"),
        choices=[("", gettext_lazy("All states")), *STATES.items()],
    )
    domain = domain_filter(external=True)


class SheetFilter(GradedSheetFilter):
    """The filter of the list of sheets of lines."""

    purpose = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Purpose"),
        choices=[
            ("", gettext_lazy("All")),
            (Sheet.Purpose.ANCHOR, Sheet.Purpose.ANCHOR.label),
            (Sheet.Purpose.ALIGNMENT, Sheet.Purpose.ALIGNMENT.label),
        ],
    )


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A sheet as a row of a list; `scored` and `lines` are None where one grade is given."""

    sheet: Any
    scored: int | None = None
    lines: int | None = None

    @property
    def state(self) -> str:
        due = self.sheet.due_at
        if self.sheet.state == OPEN and due is not None and due < timezone.now():
            return LATE
        return str(self.sheet.state)

    @property
    def task(self) -> Any:
        return self.sheet.response.task


def own_sheets(model: Any) -> QuerySet[Any]:
    """Select the sheets that experts of this programme fill in here.

    Known sheets are among them: a step that left them out would tell the scorer which they are.
    """
    rows = model.objects.filter(user__isnull=False)
    if model is not Sheet:
        return rows.filter(kind=model.Kind.EXPERT)
    kinds = (Sheet.Kind.EXPERT, Sheet.Kind.KNOWN)
    return rows.filter(kind__in=kinds).exclude(purpose=Sheet.Purpose.SETTLED)


def _of_others(rows: QuerySet[Any], person: Any) -> QuerySet[Any]:
    """Leave out a reader's own sheets, because the list tells which are known."""
    return rows.exclude(user=person)


def _find(model: Any) -> Callable[[Mapping[str, Any]], QuerySet[Any]]:
    def find(wanted: Mapping[str, Any]) -> QuerySet[Any]:
        rows = own_sheets(model)
        if wanted["state"] == LATE:
            rows = rows.filter(state=OPEN, due_at__lt=timezone.now())
        elif wanted["state"]:
            rows = rows.filter(state=wanted["state"])
        if wanted["domain"] is not None:
            rows = rows.filter(response__task__domain=wanted["domain"])
        if wanted.get("purpose"):
            rows = rows.filter(purpose=wanted["purpose"])
        if wanted["q"].strip():
            terms = SearchTerms.read(wanted["q"])
            rows = rows.filter(
                terms.in_columns(
                    *("response__task__title", "response__task__key"),
                    *("user__display_name", "user__email", "response__candidate__name"),
                    number="user_id",
                )
            )
        return rows

    return find


def _loaded(model: Any, keys: Sequence[int]) -> list[Any]:
    rows = model.objects.filter(pk__in=keys)
    return list(
        rows.select_related("user", "response__candidate", "response__task__domain").defer(
            "response__text", *(f"response__task__{name}" for name in _LONG)
        )
    )


def _load_sheets(keys: Sequence[int]) -> Mapping[int, SheetRow]:
    """Return sheets of lines with their lines counted. Three queries."""
    rows = _loaded(Sheet, keys)
    scored = SheetLine.objects.filter(sheet__in=keys, met__isnull=False).order_by()
    done = dict(scored.values_list("sheet").annotate(n=Count("id")))
    asked = Criterion.objects.filter(version__in={row.version_id for row in rows}).order_by()
    lines = dict(asked.values_list("version").annotate(n=Count("id")))
    return {
        row.pk: SheetRow(row, done.get(row.pk, 0), lines.get(row.version_id, 0)) for row in rows
    }


def _load_graded(keys: Sequence[int]) -> Mapping[int, SheetRow]:
    """Return graded sheets. One query."""
    return {row.pk: SheetRow(row) for row in _loaded(GradedSheet, keys)}


def _title(row: SheetRow) -> str:
    return str(row.task.title or row.task.key)


def _link(row: SheetRow) -> str:
    return format_html(
        '<span><a href="{}" lang="{}" data-open>{}</a><span class="task-key">{}</span></span>',
        reverse("staff-task", args=[row.task.pk]),
        row.task.language,
        _title(row),
        row.task.key,
    )


def _scorer(row: SheetRow) -> str:
    address = reverse("staff-person", args=[row.sheet.user_id])
    return format_html('<a href="{}">{}</a>', address, row.sheet.user.name_for_staff)


def _state(row: SheetRow) -> str:
    shape = {OPEN: "half", LATE: "late", SUBMITTED: "done"}[row.state]
    return pill(shape, STATES[row.state])


def _scored(row: SheetRow) -> str:
    return _("%(n)s of %(all)s") % {"n": count(row.scored), "all": count(row.lines)}


def _first(row: SheetRow) -> str:
    return f"{_title(row)} · {row.sheet.user.name_for_staff}"


def _columns(*own: Column) -> tuple[Column, ...]:
    return (
        Column(
            "task",
            gettext_lazy("Task"),
            _title,
            show=_link,
            sort=(Lower("response__task__title"), "response__task__key"),
        ),
        Column("key", gettext_lazy("Key"), lambda row: row.task.key, only_files=True),
        Column(
            "domain",
            gettext_lazy("Domain"),
            lambda row: str(row.task.domain),
            sort=("response__task__domain__name",),
        ),
        Column(
            "candidate",
            gettext_lazy("Response of"),
            lambda row: row.sheet.response.candidate.name,
            sort=("response__candidate__name",),
        ),
        *own[:1],
        Column(
            "scorer",
            gettext_lazy("Scorer"),
            lambda row: row.sheet.user.name_for_staff,
            show=_scorer,
            sort=(Lower("user__display_name"), "user__email"),
        ),
        Column(
            "state",
            gettext_lazy("State"),
            lambda row: str(STATES[row.state]),
            show=_state,
            sort=(in_order_of("state", [OPEN, SUBMITTED]), F("due_at")),
        ),
        *own[1:],
        Column(
            "since", gettext_lazy("Since"), lambda row: row.sheet.opened_at, sort=("opened_at",)
        ),
        Column("due", gettext_lazy("Due"), lambda row: row.sheet.due_at, sort=("due_at",)),
        Column(
            "submitted",
            gettext_lazy("Submitted"),
            lambda row: row.sheet.submitted_at,
            sort=("submitted_at",),
        ),
        Column(
            "worked",
            gettext_lazy("Minutes of work"),
            lambda row: round(row.sheet.worked_seconds / 60, 1),
            number=True,
            only_files=True,
        ),
    )


def _words(n: int) -> str:
    return ngettext("%(n)s sheet", "%(n)s sheets", n) % {"n": count(n)}


SHEETS = register(
    ListSpec(
        name="sheets",
        route="staff-sheet-list",
        filters=SheetFilter,
        find=_find(Sheet),
        load=_load_sheets,
        order="state",
        counted=_words,
        title=_first,
        readable=_of_others,
        columns=_columns(
            Column(
                "purpose",
                gettext_lazy("Purpose"),
                lambda row: str(Sheet.Purpose(row.sheet.purpose).label),
                sort=("purpose",),
            ),
            Column(
                "kind",
                gettext_lazy("Kind"),
                lambda row: str(Sheet.Kind(row.sheet.kind).label),
                sort=("kind",),
            ),
            Column(
                "scored",
                gettext_lazy("Lines scored"),
                lambda row: row.scored,
                show=_scored,
                number=True,
            ),
            Column(
                "lines",
                gettext_lazy("Lines"),
                lambda row: row.lines,
                number=True,
                only_files=True,
            ),
        ),
    )
)
GRADED_SHEETS = register(
    ListSpec(
        name="graded-sheets",
        route="staff-graded-sheet-list",
        filters=GradedSheetFilter,
        find=_find(GradedSheet),
        load=_load_graded,
        order="state",
        counted=_words,
        title=_first,
        columns=_columns(),
    )
)


TEMPLATE = "scoring/assignments/sheet_list.html"


def sheet_list(request: HttpRequest) -> HttpResponseBase:
    """List the sheets of lines, filtered and sorted; also as a file."""
    return list_response(request, SHEETS, TEMPLATE, title=_("Sheets of experts"))


def graded_sheet_list(request: HttpRequest) -> HttpResponseBase:
    """List the sheets with one grade, filtered and sorted; also as a file."""
    title = _("Sheets of experts with one grade")
    return list_response(request, GRADED_SHEETS, TEMPLATE, title=title)
