"""Pages on which staff import tasks, responses and scores."""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from curation.base.access.permissions import authorize
from curation.base.lists.page import list_response
from curation.base.records.files import JSON_LINES, LABELS
from curation.base.text import storable
from curation.base.web.once import once
from curation.base.web.parts import to_reload
from curation.base.web.refusals import BadInput, Conflict
from curation.base.web.step import go, refused_at, status_of
from judge.base.queue.locks import Lock, is_taken
from judge.gold.transfer import import_actions as actions
from judge.gold.transfer.carry_out import labelled
from judge.gold.transfer.import_fields import why_not
from judge.gold.transfer.import_forms import (
    EncodingForm,
    MappingForm,
    OptionsForm,
    RevisionForm,
    SheetsForm,
    UploadForm,
)
from judge.gold.transfer.import_list import IMPORTS
from judge.gold.transfer.import_mapping import ColumnMapping, from_heads, guess
from judge.gold.transfer.import_models import DataImport, KeptMapping
from judge.gold.transfer.import_work import is_small, work_on

State = DataImport.State


def staff_imports(request: HttpRequest) -> HttpResponseBase:
    """Show what was uploaded and imported."""
    return list_response(request, IMPORTS, "gold/imports/list.html")


# --- upload ---------------------------------------------------------------------------------------
def staff_import_new(request: HttpRequest) -> HttpResponse:
    """Take a file. It is read before the step that keeps it, which is one transaction."""
    if request.method != "POST":
        return _upload_page(request, UploadForm(request.user))
    form = UploadForm(request.user, request.POST, request.FILES)
    if form.is_valid():
        given = form.cleaned_data
        with refused_at(form):
            files = actions.read_files(
                file=given["file"], rubrics=given["rubrics"], archive=given["archive"]
            )
            return _checked_if_small(_keep_upload(request, form, files))
    return _upload_page(request, form)


@once
def _keep_upload(request: HttpRequest, form: UploadForm, files: actions.ReadFiles) -> HttpResponse:
    given = form.cleaned_data
    with refused_at(form), transaction.atomic():
        row = actions.upload(
            actor=request.user, kind=given["kind"], author=given["author"], files=files
        )
        if row.shape != JSON_LINES:
            return redirect("staff-import-columns", row.pk)
        with actions.without_leftovers(row):
            actions.ask_for_check(actor=request.user, row=row, revision=row.revision)
        return redirect("staff-import", row.pk)
    return _upload_page(request, form)


def _upload_page(request: HttpRequest, form: UploadForm) -> HttpResponse:
    context = {"form": form, "most": settings.IMPORT_MAX_MB, "days": actions.KEPT.days}
    return render(request, "gold/imports/new.html", context, status=status_of(form))


def _checked_if_small(response: HttpResponse) -> HttpResponse:
    """Check the uploads that a page checks itself, when its own step is stored; return the answer.

    A larger one is checked by the worker, which also takes over what breaks here, and what would
    wait for an import under way.
    """
    _left, _mark, tail = response.get("Location", "").rpartition("/staff/imports/")
    pk = tail.strip("/")
    row = DataImport.objects.filter(pk=pk, state=State.CHECKING).first() if pk.isdigit() else None
    if row is not None and is_small(row) and not is_taken(Lock.IMPORT):
        try:
            work_on(row)
        except Conflict:  # somebody changed it at this moment; its page shows how it stands
            return response
    return response


# --- what the columns are -------------------------------------------------------------------------
def staff_import_columns(request: HttpRequest, pk: int) -> HttpResponse:
    """Say which column of a table is which field."""
    row = _table(request, pk)
    if request.method == "POST":
        return _checked_if_small(_keep_columns(request, row))
    if why_not(request.user, row):
        return redirect("staff-import", row.pk)
    mapping = _mapping_asked_for(request, row)
    return _columns_page(request, row, MappingForm(row=row, mapping=mapping))


@once
def _keep_columns(request: HttpRequest, row: DataImport) -> HttpResponse:
    form = MappingForm(request.POST, row=row, mapping=_mapping_asked_for(request, row))
    if form.is_valid():
        with refused_at(form, names=form.fixed_names()):
            complete = actions.set_mapping(
                actor=request.user,
                row=row,
                mapping=form.mapping(),
                revision=form.cleaned_data["revision"],
                keep_as=form.cleaned_data["keep_as"],
            )
            if not complete:
                said = _("Kept. Some values are not known here: say what they mean.")
                return go(request, said, "staff-import-columns", row.pk)
            actions.ask_for_check(actor=request.user, row=row, revision=row.revision)
            return redirect("staff-import", row.pk)
    return _columns_page(request, row, form)


def _mapping_asked_for(request: HttpRequest, row: DataImport) -> ColumnMapping:
    """Return the mapping to begin with: kept, of other sheets, stored, or guessed."""
    kept = storable.whole_number(request.GET.get("kept", ""))
    if kept is not None:
        found = KeptMapping.objects.filter(pk=kept, kind=row.kind).first()
        return from_heads(row, found.heads) if found else guess(row)
    stored = ColumnMapping.of(row.mapping) if row.mapping else guess(row)
    if "main" not in request.GET:
        return stored
    form = SheetsForm(row, stored, request.GET)
    if not form.is_valid():
        return stored
    main, rubric = form.cleaned_data["main"], int(form.cleaned_data.get("rubric", -1))
    if (main, rubric) == (stored.main, -1 if stored.rubric is None else stored.rubric):
        return stored
    return guess(row, main=main, rubric=rubric)


def _columns_page(request: HttpRequest, row: DataImport, form: MappingForm) -> HttpResponse:
    mapping = form.start
    sheets = SheetsForm(row, mapping) if len(row.outline) > 1 else None
    context = {
        "row": row,
        "form": form,
        "sheets": sheets,
        "sheet": row.outline[mapping.main],
        "rubric_sheet": None if mapping.rubric is None else row.outline[mapping.rubric],
        "kept": list(KeptMapping.objects.filter(kind=row.kind)),
        "encoding": EncodingForm(initial={"encoding": row.encoding, "revision": row.revision}),
        "encoding_name": LABELS.get(row.encoding, ""),
        "query": request.GET.urlencode(),
    }
    return render(request, "gold/imports/columns.html", context, status=status_of(form))


def staff_import_encoding(request: HttpRequest, pk: int) -> HttpResponse:
    """Read a text file again in another encoding."""
    row = _unfinished(request, pk)
    form = EncodingForm(request.POST)
    if not form.is_valid():
        raise BadInput(_("Choose one of the encodings."))
    actions.set_encoding(actor=request.user, row=row, **form.cleaned_data)
    if row.shape == JSON_LINES:
        actions.ask_for_check(actor=request.user, row=row, revision=row.revision)
        return _checked_if_small(go(request, _("Read again."), "staff-import", row.pk))
    return go(request, _("Read again."), "staff-import-columns", row.pk)


def kept_mapping_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a kept mapping."""
    actions.forget_mapping(actor=request.user, kept=get_object_or_404(KeptMapping, pk=pk))
    return go(request, _("The mapping is removed."), "staff-imports")


# --- preview and import ---------------------------------------------------------------------------
def staff_import(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what an import would do, does or did."""
    row = _row(pk)
    context = _context(request, row)
    is_new = row.state == State.OPEN and row.shape != JSON_LINES and row.mapping is None
    if is_new and not context["why_not"]:
        return redirect("staff-import-columns", row.pk)
    return render(request, "gold/imports/import.html", context)


def _context(request: HttpRequest, row: DataImport) -> dict[str, Any]:
    options = {fault["option"] for fault in row.faults} - {""}
    return {
        "row": row,
        "is_table": row.shape != JSON_LINES,
        "has_files": bool(row.file),
        "more_faults": max(0, row.fault_count - len(row.faults)),
        "in_sheets": any(fault["sheet"] for fault in row.faults),
        "options": options,
        "reason_form": OptionsForm(initial={"revision": row.revision}),
        "encoding_name": LABELS.get(row.encoding, ""),
        "all_rows": sum(sheet["rows"] for sheet in row.outline[:1]),
        "counts": row.counts,
        "first_rows": labelled(row),
        "why_not": why_not(request.user, row),
        "under_way": row.state in (State.CHECKING, State.WAITING),
    }


def staff_import_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Refresh what is under way, or the whole page when it has ended."""
    row = _row(pk)
    response = render(request, "gold/imports/progress.html", _context(request, row))
    return response if request.GET.get("state") == row.state else to_reload(response)


def staff_import_options(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose an option that settles some of the faults, and check again."""
    return _checked_if_small(_keep_options(request, _unfinished(request, pk)))


@once
def _keep_options(request: HttpRequest, row: DataImport) -> HttpResponse:
    form = OptionsForm(request.POST)
    if not form.is_valid():
        raise BadInput(_("This page is out of date. Load it again and repeat the step."))
    revision = form.cleaned_data["revision"]
    actions.set_options(actor=request.user, row=row, options=form.chosen(), revision=revision)
    actions.ask_for_check(actor=request.user, row=row, revision=row.revision)
    return redirect("staff-import", row.pk)


def staff_import_check(request: HttpRequest, pk: int) -> HttpResponse:
    """Check an upload again, against what is stored now."""
    row = _unfinished(request, pk)
    actions.ask_for_check(actor=request.user, row=row, revision=_revision(request))
    return _checked_if_small(redirect("staff-import", row.pk))


@once
def staff_import_start(request: HttpRequest, pk: int) -> HttpResponse:
    """Import a checked upload, once."""
    row = _row_to_change(request, pk)
    actions.start_import(actor=request.user, row=row, revision=_revision(request))
    return go(request, _("The import has begun. You may leave this page."), "staff-import", row.pk)


@once
def staff_import_discard(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete an upload."""
    row = _row_to_change(request, pk)
    actions.discard(actor=request.user, row=row, revision=_revision(request))
    return go(request, _("The upload is deleted. Nothing of it was stored."), "staff-imports")


def _revision(request: HttpRequest) -> int:
    form = RevisionForm(request.POST)
    if not form.is_valid():
        raise BadInput(_("This page is out of date. Load it again and repeat the step."))
    return int(form.cleaned_data["revision"])


def _row(pk: int) -> DataImport:
    return get_object_or_404(DataImport.objects.select_related("author", "by", "asked_by"), pk=pk)


def _row_to_change(request: HttpRequest, pk: int) -> DataImport:
    """Return an upload. A person who may not change it is refused before the form is looked at."""
    row = _row(pk)
    if request.method == "POST":
        authorize(request.user, "import.change", row)
    return row


def _unfinished(request: HttpRequest, pk: int) -> DataImport:
    """Return an upload that can still be changed.

    Raises:
        Conflict: it is imported, or its files have expired.
    """
    row = _row_to_change(request, pk)
    if not row.file or row.state in (State.WAITING, State.DONE):
        raise Conflict(_("This import is under way or has ended."), code="moved_on")
    return row


def _table(request: HttpRequest, pk: int) -> DataImport:
    row = _unfinished(request, pk)
    if row.shape == JSON_LINES:
        raise Conflict(_("JSON lines name their fields themselves."), code="no_columns")
    return row
