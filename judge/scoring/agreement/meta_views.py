"""Pages of a senior's check of a scored anchor."""

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text import storable
from curation.base.web.refusals import BadInput
from curation.base.web.step import go
from judge.scoring.agreement import meta_actions as actions
from judge.scoring.agreement.meta_queries import CheckPage, check_page
from judge.scoring.anchors.models import MetaEvaluation
from judge.scoring.pages.access import access_anchor, access_check
from judge.scoring.pages.views import clock, saved
from judge.scoring.sheets.models import SheetLine


def read_check(sent: Mapping[str, str], lines: list[int]) -> dict[str, str]:
    """Return the fields of a check for these lines: agrees-ID, remark-ID and remarks.

    agrees-ID is "true", "false", or the verdict that counts instead, "met" or "unmet"; any other
    value becomes "".
    """
    names = [f"{name}-{pk}" for pk in lines for name in ("agrees", "remark")] + ["remarks"]
    read = {name: sent.get(name, "").replace("\r\n", "\n") for name in names}
    for pk in lines:
        if read[f"agrees-{pk}"] not in ("true", "false", "met", "unmet"):
            read[f"agrees-{pk}"] = ""
    return read


def take(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a check from the pool."""
    anchor = access_anchor(request.user.senior_domain_ids(), pk)  # type: ignore[union-attr]
    actions.take_meta(actor=request.user, anchor=anchor)
    return go(request, _("The check is yours."), "meta", pk)


def check(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a check; save its draft (header X-Autosave) or decide it."""
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
    errors = fields or {}
    undecided = sum(name.startswith("line-") for name in errors)
    unexplained = sum(name.startswith("remark-") for name in errors)
    problems = [
        (str(sentence), "remarks" if name == "remarks" else "decision")
        for name in ("verdict", "remarks", "model")
        for sentence in errors.get(name, [])
    ]
    if undecided:
        message = ngettext(
            "You have not agreed or disagreed with %(n)s line yet.",
            "You have not agreed or disagreed with %(n)s lines yet.",
            undecided,
        ) % {"n": undecided}
        problems.append((message, _first(page, errors, "line")))
    if unexplained:
        message = ngettext(
            "%(n)s disagreement needs its reason.",
            "%(n)s disagreements need their reasons.",
            unexplained,
        ) % {"n": unexplained}
        problems.append((message, _first(page, errors, "remark")))
    tab = request.GET.get("tab", "")
    return render(
        request,
        "scoring/meta_evaluation/meta.html",
        {
            "page": page,
            "current": page.current,
            "problems": problems,
            "remarks_error": next(iter(errors.get("remarks", [])), ""),
            "tab": tab if tab in ("task", "answer") else "response",
            "blind": _("Which candidate wrote this, and who scored it, is hidden"),
            "saved": saved(page.saved_at) if page.revision > 1 else "",
        },
        status=status,
    )


def _first(page: CheckPage, errors: dict, field: str) -> str:
    """Return the id of the page's first line with an error in this field; "" without one."""
    return next((f"line-{line.pk}" for line in page.lines if f"{field}-{line.pk}" in errors), "")


def _tell(request: HttpRequest, decided: MetaEvaluation) -> None:
    texts: dict[str, str] = {
        MetaEvaluation.Verdict.VALIDATED: _(
            "Validated. The response and its scores are the task's anchor now."
        ),
        MetaEvaluation.Verdict.REPLACED: _(
            "Another response is requested. You check it once it has been scored."
        ),
    }
    messages.success(
        request,
        texts.get(
            decided.verdict, _("Returned. The scorer reads your remarks and has seven days.")
        ),
    )
