"""A scorer's pages of a graded sheet: read the response, write the reasons, choose the grade."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.web.forms import ReasonForm, show_refusal
from curation.base.web.refusals import BadInput, Conflict, Stale
from curation.base.web.step import go, refused_at, status_of
from judge.methods.graded.scale import HIGHEST, LOWEST
from judge.scoring.graded_sheets import actions
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.graded_sheets.queries import access_graded_sheet, graded_sheet_page


class GradeForm(forms.Form):
    """Analysis, grade, and the revision of the sheet that the page showed."""

    analysis = forms.CharField(
        required=False,
        label=gettext_lazy("What is right, what is wrong"),
        help_text=gettext_lazy(
            "First the reasons, then the grade: it is fairer, and easier to check."
        ),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10}),
    )
    grade = forms.TypedChoiceField(
        required=False,
        label=gettext_lazy("Grade"),
        choices=[(str(step), str(step)) for step in range(HIGHEST, LOWEST - 1, -1)],
        coerce=int,
        empty_value=None,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": gettext_lazy("Choose a grade from 1 to 5.")},
    )
    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    def values(self) -> dict[str, Any]:
        """Return the arguments of the actions. Raises BadInput: a value is not valid."""
        if not self.is_valid():
            raise BadInput(fields={name: list(texts) for name, texts in self.errors.items()})
        data = self.cleaned_data
        return {"grade": data["grade"], "analysis": data["analysis"], "revision": data["version"]}


def sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the response beside the form; a POST submits the sheet."""
    found = access_graded_sheet(request.user, pk)
    if request.method != "POST":
        return _page(request, found)
    form = GradeForm(request.POST)
    try:
        actions.submit_graded_sheet(actor=request.user, graded_sheet=found, **form.values())
    except BadInput as refusal:
        if not form.errors:
            show_refusal(form, refusal)
        return _page(request, found, form=form, status=400)
    except Stale as stale:
        return _page(request, found, form=form, stale=stale, status=stale.status)
    return go(request, _("Submitted. It counts in the comparison of judge and experts."), "scoring")


def save(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the sheet as typed so far, for the page's script or by its button."""
    found = access_graded_sheet(request.user, pk)
    form = GradeForm(request.POST)
    try:
        kept = actions.keep_grade(actor=request.user, graded_sheet=found, **form.values())
    except (BadInput, Stale) as refusal:
        if "X-Autosave" in request.headers:
            raise
        stale = refusal if isinstance(refusal, Stale) else None
        if isinstance(refusal, BadInput) and not form.errors:
            show_refusal(form, refusal)
        return _page(request, found, form=form, stale=stale, status=refusal.status)
    saved = kept.saved_at or timezone.now()
    if "X-Autosave" in request.headers:
        return JsonResponse({"saved_at": saved.isoformat(), "version": kept.revision})
    return go(request, _("Saved."), "graded-sheet", found.pk)


def _page(
    request: HttpRequest,
    found: GradedSheet,
    *,
    form: GradeForm | None = None,
    stale: Conflict | None = None,
    status: int = 200,
) -> HttpResponse:
    if form is not None:
        found = access_graded_sheet(request.user, found.pk)
    page = graded_sheet_page(found)
    if stale is not None and form is not None:
        sent = request.POST.copy()
        sent["version"] = str(page.revision)
        form = GradeForm(sent)
    initial = {"analysis": page.analysis, "grade": page.grade, "version": page.revision}
    tab = request.GET.get("tab", "")
    return render(
        request,
        "scoring/graded_sheets/sheet.html",
        {
            "page": page,
            "form": form or GradeForm(initial=initial),
            "stale": stale,
            "tab": tab if tab in ("task", "answer") else "response",
        },
        status=status,
    )


def hand_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Hand an open graded sheet back, with a reason."""
    found = access_graded_sheet(request.user, pk, "sheet.view")
    if found.state != GradedSheet.State.OPEN:
        raise Conflict(
            _("There is no open sheet to hand back."),
            code="wrong_stage",
            page=reverse("graded-sheet", args=[pk]),
        )
    form = ReasonForm(request.POST if request.method == "POST" else None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            actions.hand_back_graded_sheet(
                actor=request.user, graded_sheet=found, reason=form.cleaned_data["reason"]
            )
            return go(
                request,
                _("Handed back. The staff see that the response needs a scorer."),
                "scoring",
            )
    return render(
        request,
        "scoring/graded_sheets/hand_back.html",
        {"form": form, "page": graded_sheet_page(found)},
        status=status_of(form),
    )


def release(request: HttpRequest, pk: int) -> HttpResponse:
    """Take an open graded sheet back from its scorer, with a reason; for staff."""
    found = get_object_or_404(
        GradedSheet.objects.select_related("response__task", "user"), pk=pk, user__isnull=False
    )
    task: Any = found.response.task
    back = reverse("staff-task", args=[task.pk])
    if found.state != GradedSheet.State.OPEN:
        raise Conflict(_("There is no open sheet to hand back."), code="wrong_stage", page=back)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            actions.hand_back_graded_sheet(
                actor=request.user, graded_sheet=found, reason=form.cleaned_data["reason"]
            )
            return go(
                request,
                _("Taken back. Assign the response to a colleague when you are ready."),
                back,
            )
    return render(
        request,
        "review/staff_step.html",
        {
            "task": task,
            "form": form,
            "title": _("Take this sheet back"),
            "text": _(
                "What was written stays on the record. The response can then be assigned to a "
                "colleague."
            ),
            "button": _("Take the sheet back"),
        },
        status=status_of(form),
    )
