"""A scorer's pages: the queue and the sheets."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.lifecycle import AnchorStage
from curation.base.text import storable
from curation.base.web.forms import reason_field
from curation.base.web.refusals import BadInput, Conflict
from curation.base.web.step import go, refused_at, status_of
from judge.scoring.anchors.actions import take_anchor
from judge.scoring.anchors.hand_back import hand_back_sheet
from judge.scoring.anchors.models import Anchor
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.graded_sheets.queries import own_graded_sheets
from judge.scoring.pages.access import access_anchor, access_line, access_sheet
from judge.scoring.pages.queue import anchor_rows, checks_to_take, my_checks, own_sheets, pool
from judge.scoring.pages.sheet_page import SheetPage, sheet_page
from judge.scoring.sheets import actions, rules
from judge.scoring.sheets.models import Sheet

_MOST_PENDING = 2_000_000  # characters of unsaved lines sent with a submission


def _as_met(value: str) -> bool:
    return value == "true"


class LineForm(forms.Form):
    """One line of a sheet: verdict, rationale, and the version of the line the page showed."""

    met = forms.TypedChoiceField(
        choices=[("true", gettext_lazy("TRUE")), ("false", gettext_lazy("FALSE"))],
        required=False,
        coerce=_as_met,
        empty_value=None,
    )
    rationale = forms.Field(required=False)
    version = forms.IntegerField(required=False, min_value=0)

    def values(self) -> dict[str, Any]:
        """Return the arguments of the actions.

        Raises:
            BadInput: the verdict or the version is not valid.
        """
        if not self.is_valid():
            raise BadInput(fields={name: list(texts) for name, texts in self.errors.items()})
        data = self.cleaned_data
        return {
            "met": data["met"],
            "rationale": data["rationale"] or "",
            "version": data["version"],
        }


class HandBackForm(forms.Form):
    """The reason for handing a sheet back."""

    reason = reason_field(
        gettext_lazy("Why do you hand it back?"),
        help_text=gettext_lazy("A sentence for the staff."),
    )


def pending_lines(sent: str) -> Iterator[tuple[int, LineForm]]:
    """Yield (id of the line, form) for the lines that were unsaved when a sheet was submitted.

    The page's script wrote the field, so malformed entries are skipped without a message; the
    submission itself reports lines that are missing.
    """
    if not sent or len(sent) > _MOST_PENDING:
        return
    try:
        rows = json.loads(sent)
    except (ValueError, RecursionError):
        return
    for row in rows if isinstance(rows, list) else []:
        line = storable.whole_number(row.get("line", "")) if isinstance(row, Mapping) else None
        if line is not None:
            yield line, LineForm({str(k): str(v) for k, v in row.items()})


PER_PAGE = 20
SUBMITTED_SHOWN = 10


def queue(request: HttpRequest) -> HttpResponse:
    """Show a person's sheets, what they can take, and for seniors what they can check."""
    user = request.user
    pool_page = Paginator(pool(user), PER_PAGE).get_page(request.GET.get("page"))
    checks = checks_to_take(user)
    return render(
        request,
        "scoring/pages/queue.html",
        {
            "open": own_sheets(user),
            "graded": own_graded_sheets(user),
            "graded_submitted": own_graded_sheets(
                user, GradedSheet.State.SUBMITTED, limit=SUBMITTED_SHOWN
            ),
            "my_checks": anchor_rows(my_checks(user)),
            "senior": bool(user.senior_domain_ids()),  # type: ignore[union-attr]
            "submitted": own_sheets(user, Sheet.State.SUBMITTED, limit=SUBMITTED_SHOWN),
            "pool": pool_page,
            "pool_rows": anchor_rows(pool_page.object_list),  # type: ignore[arg-type]
            "checks_rows": anchor_rows(checks[:PER_PAGE]),
            "checks_count": checks.count(),
        },
    )


def take(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a response from the pool."""
    anchor = access_anchor(request.user.qualified_domain_ids(), pk)  # type: ignore[union-attr]
    sheet = take_anchor(actor=request.user, anchor=anchor)
    return go(request, _("The response is yours. You have seven days."), "sheet", sheet.pk)


def sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the response beside its lines, at the first line that is not done."""
    found = access_sheet(request.user, pk)
    return _show(request, sheet_page(found))


def _show(
    request: HttpRequest,
    page: SheetPage,
    *,
    line: int | None = None,
    refusal: Any = "",
    status: int = 200,
) -> HttpResponse:
    wanted = line or storable.whole_number(request.GET.get("line", ""))
    current = page.current(wanted)
    tab = request.GET.get("tab", "")
    return render(
        request,
        "scoring/pages/sheet.html",
        {
            "page": page,
            "current": current,
            "first_open": page.current(),
            "tab": tab if tab in ("task", "answer") else "response",
            "refusal": refusal,
            "blind": _("Candidate and others' scores are hidden"),
            "saved": saved(page.saved_at) if page.saved_at else "",
        },
        status=status,
    )


def saved(at: Any) -> str:
    """Return the text that says when something was saved."""
    return _("Saved %(time)s") % {"time": clock(at)}


def clock(at: Any) -> str:
    """Format the local time of day with seconds."""
    return f"{timezone.localtime(at):%H:%M:%S}"


def line(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Save one line.

    With the header X-Autosave it is kept as typed so far and the reply is JSON; else it has to be
    finished, and the next open line is shown.
    """
    found = access_sheet(request.user, pk)
    criterion = access_line(found, line)
    form = LineForm(request.POST)
    if "X-Autosave" in request.headers:
        kept = actions.keep_line(
            actor=request.user, sheet=found, criterion=criterion, **form.values()
        )
        return JsonResponse({"saved_at": clock(kept.at), "version": rules.stamp(kept.at)})
    try:
        actions.score_line(actor=request.user, sheet=found, criterion=criterion, **form.values())
    except BadInput as refusal:
        page = sheet_page(found)
        typed = {
            "met": {"true": True, "false": False}.get(request.POST.get("met", "")),
            "rationale": request.POST.get("rationale", ""),
        }
        page = page.with_errors(criterion, refusal.fields, typed)
        return _show(request, page, line=criterion, refusal=refusal.detail, status=400)
    left = actions.lines_open(found)
    after = next((pk for pk in left if pk != criterion), None)
    return redirect(
        f"{reverse('sheet', args=[pk])}?line={after}#line-{after}"
        if after
        else f"{reverse('sheet', args=[pk])}#submit"
    )


def submit(request: HttpRequest, pk: int) -> HttpResponse:
    """Submit a complete sheet, or show the first line that is not done."""
    found = access_sheet(request.user, pk)
    for number, form in pending_lines(request.POST.get("pending", "")):
        actions.keep_line(
            actor=request.user,
            sheet=found,
            criterion=access_line(found, number),
            **form.values(),
        )
    try:
        actions.submit_sheet(actor=request.user, sheet=found)
    except BadInput as refusal:
        first = next(iter(refusal.data.get("lines", [])), None)
        return _show(
            request, sheet_page(found), line=first, refusal=refusal.detail, status=refusal.status
        )
    if found.kind == Sheet.Kind.PRACTICE:
        said = _("Handed in. Here is what was agreed, line by line.")
        return go(request, said, "practice-result", pk)
    return go(request, _what_comes_next(found), "scoring")


def _what_comes_next(sheet: Sheet) -> str:
    if sheet.purpose != rules.ANCHOR:
        return _("Submitted. It counts in the comparison of judge and experts.")
    if Anchor.objects.get(response=sheet.response_id).stage == AnchorStage.SCORING:
        return _(
            "Submitted. A second expert scores it too; then a senior checks both, and you will "
            "see the result here."
        )
    return _("Submitted. A senior checks it next; the result appears here.")


def hand_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Hand an open sheet back, with a reason."""
    found = access_sheet(request.user, pk, "sheet.view")
    if found.state != Sheet.State.OPEN:
        raise Conflict(
            _("There is no open sheet to hand back."),
            code="wrong_stage",
            page=reverse("sheet", args=[pk]),
        )
    form = HandBackForm(request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            hand_back_sheet(actor=request.user, sheet=found, reason=form.cleaned_data["reason"])
            return go(
                request,
                _("Handed back. A colleague can take the response now.")
                if found.purpose == rules.ANCHOR
                else _("Handed back.")
                if found.kind == Sheet.Kind.PRACTICE
                else _("Handed back. The staff see that the response needs a scorer."),
                "scoring",
            )
    page = sheet_page(found)
    return render(
        request,
        "scoring/pages/hand_back.html",
        {"form": form, "page": page},
        status=status_of(form),
    )
