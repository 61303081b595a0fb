"""Pages of one draw: where its tasks stand, its halves, and freezing it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from curation.web.once import once
from curation.web.step import go, refused_at, status_of
from judge.gold import actions
from judge.gold.draw_page import draw_page
from judge.gold.forms import FreezeForm, OpenForm, SplitForm, proposal
from judge.gold_sets.models import GoldDraw, GoldSplit


def gold_draw_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a draw."""
    return _draw(request, pk, SplitForm(initial=proposal()), OpenForm())


def gold_draw_split(request: HttpRequest, pk: int) -> HttpResponse:
    """Split a draw into a development and a held-out half."""
    draw = get_object_or_404(GoldDraw, pk=pk)
    form = SplitForm(request.POST)
    if form.is_valid():
        with refused_at(form):
            actions.split_in_halves(actor=request.user, gold_draw=draw, **form.cleaned_data)
            return go(
                request,
                _("Split. Tune judges on the development half; the held-out half stays closed."),
                "gold-draw-page",
                pk,
            )
    return _draw(request, pk, form, OpenForm())


def gold_half_open(request: HttpRequest, pk: int) -> HttpResponse:
    """Open the held-out half of a split, so that its verdicts can be read."""
    split = get_object_or_404(GoldSplit.objects.select_related("release"), pk=pk)
    form = OpenForm(request.POST)
    form.is_valid()
    with refused_at(form):
        actions.open_held_out_half(
            actor=request.user, split=split, reason=form.cleaned_data.get("reason", "")
        )
        page = ("gold-draw-page", split.draw_id)
        if split.release is not None:
            page = ("gold-release", split.release.number)
        return go(request, _("Opened. The verdicts on these tasks can be read now."), *page)
    if split.draw_id is None:
        return redirect("gold-release", split.release.number)  # type: ignore[union-attr]
    return _draw(request, split.draw_id, SplitForm(), form)


@once
def gold_draw_freeze(request: HttpRequest, pk: int) -> HttpResponse:
    """Freeze the tasks of a draw, all but those that staff name."""
    draw = get_object_or_404(GoldDraw, pk=pk)
    page = draw_page(draw)
    form = FreezeForm(request.POST or None, waiting=page.not_ready)
    if request.method == "POST" and form.is_valid():
        with refused_at(form, names={"exceptions": "for_all"}):
            release = actions.release_draw(
                actor=request.user,
                draw=draw,
                exceptions=form.exceptions(),
                formats=form.cleaned_data["formats"],
                with_responses=form.cleaned_data["with_responses"],
            )
            return go(
                request,
                _("Release %(n)s is frozen. Its files can be downloaded here.")
                % {"n": release.number},
                "gold-release",
                release.number,
            )
    return render(
        request,
        "releases/freeze.html",
        {"form": form, "p": page, "rows": form.rows(page.not_ready)},
        status=status_of(form),
    )


def _draw(request: HttpRequest, pk: int, form: SplitForm, open_form: OpenForm) -> HttpResponse:
    draw = get_object_or_404(GoldDraw.objects.select_related("created_by"), pk=pk)
    return render(
        request,
        "gold/draw_page.html",
        {"p": draw_page(draw), "halves": None, "form": form, "open_form": open_form},
        status=400 if form.errors or open_form.errors else 200,
    )
