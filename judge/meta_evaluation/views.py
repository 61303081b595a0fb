"""A senior's check of a scored anchor."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.text import storable
from curation.web.refusals import BadInput
from curation.web.step import go
from judge.anchors import actions
from judge.anchors.models import MetaEvaluation
from judge.meta_evaluation.forms import read_check
from judge.meta_evaluation.queries import CheckPage, check_page
from judge.scoring.access import access_anchor, access_check
from judge.scoring.views import clock, saved
from judge.sheets.models import SheetLine


def take(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a check from the pool."""
    anchor = access_anchor(request.user.senior_domain_ids(), pk)  # type: ignore[union-attr]
    actions.take_meta(actor=request.user, anchor=anchor)
    return go(request, _("The check is yours."), "meta", pk)


def check(request: HttpRequest, pk: int) -> HttpResponse:
    """The response beside the scorer's lines; a word on each, then the decision."""
    evaluation = access_check(request.user, pk)
    if request.method == "GET":
        return _show(request, check_page(evaluation))
    lines = list(
        SheetLine.objects.filter(sheet=evaluation.sheet_id).values_list("criterion_id", flat=True)
    )
    typed = read_check(request.POST, lines)
    if "X-Autosave" in request.headers:
        kept = actions.keep_check(
            actor=request.user,
            evaluation=evaluation,
            draft=typed,
            revision=_revision(request.POST.get("version", "")),
        )
        return JsonResponse({"saved_at": clock(kept.at), "version": kept.revision})
    try:
        decided = actions.decide_anchor(
            actor=request.user,
            evaluation=evaluation,
            verdict=request.POST.get("verdict", ""),
            remarks=typed["remarks"],
            lines={
                line: (typed[f"agrees-{line}"] == "true", typed[f"remark-{line}"])
                for line in lines
                if typed[f"agrees-{line}"]
            },
            corrections={
                line: typed[f"agrees-{line}"] == "met"
                for line in lines
                if typed[f"agrees-{line}"] in ("met", "unmet")
            },
        )
    except BadInput as refusal:
        page = check_page(evaluation, typed=typed, fields=refusal.fields)
        return _show(request, page, fields=refusal.fields, status=refusal.status)
    _tell(request, decided)
    return redirect("scoring")


def _revision(sent: str) -> int:
    return storable.whole_number(sent, digits=9) or 0


def _show(
    request: HttpRequest, page: CheckPage, *, fields: dict | None = None, status: int = 200
) -> HttpResponse:
    faults = fields or {}
    undecided = sum(name.startswith("line-") for name in faults)
    unexplained = sum(name.startswith("remark-") for name in faults)
    problems = [
        (str(sentence), "remarks" if name == "remarks" else "decision")
        for name in ("verdict", "remarks", "model")
        for sentence in faults.get(name, [])
    ]
    if undecided:
        told = ngettext(
            "%(n)s line has no word of yours yet.",
            "%(n)s lines have no word of yours yet.",
            undecided,
        ) % {"n": undecided}
        problems.append((told, _first(page, faults, "line")))
    if unexplained:
        told = ngettext(
            "%(n)s disagreement needs its reason.",
            "%(n)s disagreements need their reasons.",
            unexplained,
        ) % {"n": unexplained}
        problems.append((told, _first(page, faults, "remark")))
    tab = request.GET.get("tab", "")
    return render(
        request,
        "meta_evaluation/meta.html",
        {
            "page": page,
            "current": page.current,
            "problems": problems,
            "remarks_error": next(iter(faults.get("remarks", [])), ""),
            "tab": tab if tab in ("task", "answer") else "response",
            "blind": _("Which system wrote this, and who scored it, is hidden"),
            "saved": saved(page.saved_at) if page.revision > 1 else "",
        },
        status=status,
    )


def _first(page: CheckPage, faults: dict, field: str) -> str:
    """The id of the first line with a fault in a field, in the order of the page."""
    return next((f"line-{line.pk}" for line in page.lines if f"{field}-{line.pk}" in faults), "")


def _tell(request: HttpRequest, decided: MetaEvaluation) -> None:
    said: dict[str, str] = {
        MetaEvaluation.Verdict.VALIDATED: _(
            "Validated. The response and its scores are the task's anchor now."
        ),
        MetaEvaluation.Verdict.REPLACED: _(
            "Another response is asked for. You get its check when it is scored."
        ),
    }
    messages.success(
        request,
        said.get(
            decided.verdict, _("Sent back. The scorer reads your remarks and has seven days.")
        ),
    )
