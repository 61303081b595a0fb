"""Staff's pages of anchors: their stages, the policy of scoring, another baseline."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from curation.base.web.once import once
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.policies import latest
from judge.scoring.anchors import queries
from judge.scoring.anchors.actions import set_anchor_policy
from judge.scoring.anchors.forms import BaselineForm, PolicyForm
from judge.scoring.anchors.models import Anchor, AnchorPolicy
from judge.scoring.anchors.replace import replace_baseline

PER_PAGE = 50


@once
def staff_anchors(request: HttpRequest) -> HttpResponse:
    """Show all anchors or only the poor examples, and set the policy of scoring."""
    form = PolicyForm(
        request.POST if request.method == "POST" else None,
        instance=AnchorPolicy(scorers=AnchorPolicy.current()),
        initial={"read": latest(AnchorPolicy)},
    )
    if request.method == "POST" and form.is_valid():
        set_anchor_policy(actor=request.user, **form.cleaned_data)
        return go(
            request,
            _(
                "Saved. It applies to anchors drawn from now on; those under way continue as they "
                "began."
            ),
            "gold-anchors",
        )
    poor = request.GET.get("show") == "poor"
    page = Paginator(queries.anchors(one_sided=poor), PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "scoring/anchors/anchors.html",
        {
            "page": page,
            "rows": queries.anchor_rows(page.object_list),
            "poor": poor,
            "all_poor": queries.anchors(one_sided=True).count(),
            "form": form,
            "query": "show=poor&" if poor else "",
        },
        status=status_of(form),
    )


def replace(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for another baseline of one anchor."""
    anchor = get_object_or_404(Anchor.objects.select_related("task", "response__candidate"), pk=pk)
    form = BaselineForm(request.POST if request.method == "POST" else None, anchor=anchor)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            replace_baseline(actor=request.user, anchor=anchor, **form.values())
            return go(
                request,
                _("Another baseline is on its way. The old one, its sheets and checks are kept."),
                "gold-anchors",
            )
    rows = queries.anchor_rows(queries.anchors().filter(pk=pk))
    return render(
        request,
        "scoring/anchors/baseline.html",
        {"row": rows[0], "form": form, "task": anchor.task},
        status=status_of(form),
    )
