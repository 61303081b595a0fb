"""Pages of one draw: where its tasks stand, its halves, and freezing it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from curation.base.web.once import once
from curation.base.web.step import go, refused_at, status_of
from judge.base.gold_sets.models import GoldDraw, GoldSplit
from judge.gold.draws import actions
from judge.gold.draws.draw_page import draw_page
from judge.gold.draws.forms import FreezeForm, OpenForm, SplitForm, proposal
from judge.gold.draws.release_views import show_release


def gold_draw_page(request: HttpRequest, pk: int) -> HttpResponse:
    return show_draw(request, pk, SplitForm(initial=proposal()), OpenForm())


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
    return show_draw(request, pk, form, OpenForm())


@once
def gold_draw_freeze(request: HttpRequest, pk: int) -> HttpResponse:
    """Freeze the tasks of a draw, all but those that staff name."""
    draw = get_object_or_404(GoldDraw, pk=pk)
    page = draw_page(draw)
    form = FreezeForm(request.POST or None, waiting=page.not_ready)
    if request.method == "POST" and form.is_valid():
        with refused_at(form, names={"exceptions": "for_all", "unknown": "others"}):
            release = actions.release_draw(
                actor=request.user,
                draw=draw,
                exceptions=form.exceptions(),
                formats=form.cleaned_data["formats"],
                with_responses=form.cleaned_data["with_responses"],
                with_composition=form.cleaned_data["with_composition"],
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
        "gold/releases/freeze.html",
        {"form": form, "p": page, "rows": form.rows()},
        status=status_of(form),
    )


def show_draw(request: HttpRequest, pk: int, form: SplitForm, open_form: OpenForm) -> HttpResponse:
    """Return the page of a draw with its forms, as they were filled in."""
    draw = get_object_or_404(GoldDraw.objects.select_related("created_by"), pk=pk)
    return render(
        request,
        "gold/draws/draw_page.html",
        {"p": draw_page(draw), "form": form, "open_form": open_form},
        status=400 if form.errors or open_form.errors else 200,
    )


def gold_half_open(request: HttpRequest, pk: int) -> HttpResponse:
    """Open the held-out half of a split, so that its verdicts can be read."""
    split = get_object_or_404(GoldSplit.objects.select_related("release"), pk=pk)
    form = OpenForm(request.POST)
    if form.is_valid():
        with refused_at(form):
            actions.open_held_out_half(
                actor=request.user, split=split, reason=form.cleaned_data["reason"]
            )
            said = _("Opened. The verdicts on these tasks can be read now.")
            if split.release is not None:
                return go(request, said, "gold-release", split.release.number)
            return go(request, said, "gold-draw-page", split.draw_id)
    if split.release is not None:
        return show_release(request, split.release.number, SplitForm(), form)
    assert split.draw_id is not None, "a split is of a draw or a release"
    return show_draw(request, split.draw_id, SplitForm(), form)
