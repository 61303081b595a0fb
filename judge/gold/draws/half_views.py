"""The step that opens a held-out half, on the page of its draw or release."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from curation.base.web.step import go, refused_at
from judge.base.gold_sets.models import GoldSplit
from judge.gold.draws import actions
from judge.gold.draws.draw_views import show_draw
from judge.gold.draws.forms import OpenForm, SplitForm
from judge.gold.draws.release_views import show_release


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
