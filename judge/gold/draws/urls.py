"""Pages of gold."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.gold.draws import draw_views, release_views, views

page = Pages("staff/gold/", menu="gold", GET="staff", POST="staff.gold")

urlpatterns = [
    page("", views.gold, "gold", "GET", label=_("Gold"), go="g"),
    page("draw/", views.gold_draw, "gold-draw", "GET POST", label=_("Draw for anchors")),
    page("draws/<int:pk>/", draw_views.gold_draw_page, "gold-draw-page", "GET",
         label=_("Draw %(n)s"), of="n"),
    page("draws/<int:pk>/split/", draw_views.gold_draw_split, "gold-draw-split", "POST"),
    page("draws/<int:pk>/freeze/", draw_views.gold_draw_freeze, "gold-draw-freeze", "GET POST"),
    page("halves/<int:pk>/open/", draw_views.gold_half_open, "gold-half-open", "POST"),
    page("releases/new/", views.gold_release_new, "gold-release-new", "GET POST",
         label=_("New release")),
    page("releases/<int:number>/", release_views.gold_release, "gold-release", "GET"),
    page("releases/<int:number>/split/", release_views.gold_release_split, "gold-release-split",
         "POST"),
    page("releases/<int:number>/<slug:file>/", release_views.gold_download, "gold-download", "GET"),
]  # fmt: skip
