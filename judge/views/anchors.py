"""Staff see where anchors stand, how they are scored, and ask for another baseline."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from curation.errors import BadInput
from curation.once import once
from curation.rulebook import latest
from judge.actions.gold import set_anchor_policy
from judge.actions.replacing import replace_baseline
from judge.forms.anchors import BaselineForm, PolicyForm
from judge.models import Anchor, AnchorPolicy
from judge.queries import anchors as queries

PER_PAGE = 50


@once
def staff_anchors(request: HttpRequest) -> HttpResponse:
    """Every anchor, or those that make a poor example; and the policy of their scoring."""
    form = PolicyForm(
        request.POST if request.method == "POST" else None,
        instance=AnchorPolicy(scorers=AnchorPolicy.current()),
        initial={"read": latest(AnchorPolicy)},
    )
    if request.method == "POST" and form.is_valid():
        set_anchor_policy(actor=request.user, **form.cleaned_data)
        messages.success(
            request,
            _("Kept. It holds for anchors drawn from now on; those under way go on as they began."),
        )
        return redirect("gold-anchors")
    poor = request.GET.get("show") == "poor"
    page = Paginator(queries.anchors(one_sided=poor), PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "gold/anchors.html",
        {
            "page": page,
            "rows": queries.anchor_rows(page.object_list),
            "poor": poor,
            "all_poor": queries.anchors(one_sided=True).count(),
            "form": form,
            "query": "show=poor&" if poor else "",
        },
        status=400 if form.errors else 200,
    )


def replace(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for another baseline of one anchor."""
    anchor = get_object_or_404(Anchor.objects.select_related("task", "response__candidate"), pk=pk)
    form = BaselineForm(request.POST if request.method == "POST" else None, anchor=anchor)
    if request.method == "POST" and form.is_valid():
        try:
            replace_baseline(actor=request.user, anchor=anchor, **form.cleaned_data)
        except BadInput as refused:
            form.blame(refused)
        else:
            messages.success(
                request,
                _("Another baseline is on its way. The old one, its sheets and checks are kept."),
            )
            return redirect("gold-anchors")
    rows = queries.anchor_rows(queries.anchors().filter(pk=pk))
    return render(
        request,
        "gold/baseline.html",
        {"row": rows[0], "form": form, "task": anchor.task},
        status=400 if form.errors else 200,
    )
