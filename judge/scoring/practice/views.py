"""Practice: a scorer's steps and result, and staff's pages of practice sheets."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.text import storable
from curation.base.web.once import once
from curation.base.web.refusals import BadInput, NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Domain
from judge.asking.candidates.models import Response
from judge.scoring.pages.access import access_sheet
from judge.scoring.pages.sheet_page import sheet_page
from judge.scoring.practice import actions, choosing, queries
from judge.scoring.scorers.practice_models import PracticeAttempt, PracticeLine, PracticeSheet
from judge.scoring.sheets.models import Sheet


class ExplanationsForm(forms.Form):
    """One text for each line, by the line's id, and the revision the page showed."""

    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def __init__(self, *args: Any, lines: Sequence[PracticeLine], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lines = lines
        for line in lines:
            self.fields[f"line-{line.pk}"] = forms.CharField(
                label=gettext_lazy("Why it is so"),
                required=False,
                initial=line.explanation,
                strip=False,
                widget=forms.Textarea(attrs={"rows": 2}),
            )

    def values(self) -> dict[str, Any]:
        """Return the arguments of `choosing.explain_lines`."""
        said = {line.pk: self.cleaned_data[f"line-{line.pk}"] or "" for line in self.lines}
        return {"explanations": said, "revision": self.cleaned_data["revision"]}


def start(request: HttpRequest, key: str) -> HttpResponse:
    """Open the next practice sheet of a domain, or the one that is open."""
    domain = get_object_or_404(Domain, key=key)
    sheet = actions.start_practice(actor=request.user, domain=domain)
    if sheet is None:
        messages.warning(
            request,
            _(
                "There is no practice sheet left for you in this domain. The staff know, and "
                "decide how you go on."
            ),
        )
        return redirect("scoring")
    return redirect("sheet", sheet.pk)


def result(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a submitted practice sheet line by line, beside what was agreed."""
    found = access_sheet(request.user, pk, "sheet.view")
    attempt = PracticeAttempt.objects.select_related("practice_sheet__domain").filter(sheet=found)
    mine = attempt.first()
    if mine is None:
        raise NotFound()
    if found.state != Sheet.State.SUBMITTED:
        return redirect("sheet", pk)
    page = sheet_page(found)
    tab = request.GET.get("tab", "")
    offer = next(
        (one for one in queries.offers(request.user) if one.domain == mine.practice_sheet.domain),
        None,
    )
    return render(
        request,
        "scoring/practice/result.html",
        {
            "page": page,
            "attempt": mine,
            "lines": queries.practiced_lines(page, mine),
            "offer": offer,
            "domain": mine.practice_sheet.domain,
            "tab": tab if tab in ("task", "answer") else "response",
        },
    )


# --- staff ----------------------------------------------------------------------------------------
@once
def add(request: HttpRequest, key: str) -> HttpResponse:
    """Show the responses of a domain whose verdicts are known, and make one a practice sheet."""
    domain = get_object_or_404(Domain, key=key, external=False)
    if request.method == "POST":
        wanted = storable.whole_number(request.POST.get("response", ""))
        response = Response.objects.filter(pk=wanted or 0, task__domain=domain).first()
        if response is None:
            raise BadInput(_("Choose a response of this domain."))
        made = choosing.add_practice_sheet(actor=request.user, response=response)
        return go(
            request,
            _("It is a practice sheet now. Explain the lines where it helps."),
            "practice-sheet",
            made.pk,
        )
    rows = queries.choices(domain.pk)
    return render(request, "scoring/practice/add.html", {"domain": domain, "rows": rows})


def practice_sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a practice sheet's lines with their agreed verdicts; explain them."""
    found = get_object_or_404(
        PracticeSheet.objects.select_related("domain", "response__task", "response__candidate"),
        pk=pk,
    )
    lines = list(found.lines.select_related("criterion"))
    form = ExplanationsForm(
        request.POST if request.method == "POST" else None,
        lines=lines,
        initial={"revision": found.revision},
    )
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            choosing.explain_lines(actor=request.user, practice_sheet=found, **form.values())
            return go(request, _("Saved. Scorers read it after their practice."),
                      "practice-sheet", pk)  # fmt: skip
    hidden = choosing.may_be_given(request.user, found)
    said = queries.said_on(found)
    rows = [
        {"n": n, "line": line, "field": form[f"line-{line.pk}"], "said": said[line.pk]}
        for n, line in enumerate(lines, start=1)
    ]
    return render(
        request,
        "scoring/practice/practice_sheet.html",
        {"practice_sheet": found, "rows": rows, "form": form, "hidden": hidden},
        status=status_of(form),
    )


def use(request: HttpRequest, pk: int) -> HttpResponse:
    """Retire a practice sheet, or take it into use again."""
    found = get_object_or_404(PracticeSheet, pk=pk)
    in_use = request.POST.get("in_use") == "1"
    choosing.set_practice_use(actor=request.user, practice_sheet=found, in_use=in_use)
    said = (
        _("The practice sheet is in use again.")
        if in_use
        else _("Retired. Nobody is given it any more; what was practised stays.")
    )
    return go(request, said, "practice-sheet", pk)
