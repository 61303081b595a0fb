"""Pages of gold."""

from curation.base.access.page import page
from judge.gold.draws import draw_views, half_views, release_views, views

urlpatterns = [
    page("staff/gold/", views.gold, "gold", menu="gold", GET="staff"),
    page(
        "staff/gold/draw/",
        views.gold_draw,
        "gold-draw",
        menu="gold",
        GET="staff",
        POST="staff.gold",
    ),
    page(
        "staff/gold/draws/<int:pk>/",
        draw_views.gold_draw_page,
        "gold-draw-page",
        menu="gold",
        GET="staff",
    ),
    page(
        "staff/gold/draws/<int:pk>/split/",
        draw_views.gold_draw_split,
        "gold-draw-split",
        menu="gold",
        POST="staff.gold",
    ),
    page(
        "staff/gold/draws/<int:pk>/freeze/",
        draw_views.gold_draw_freeze,
        "gold-draw-freeze",
        menu="gold",
        GET="staff",
        POST="staff.gold",
    ),
    page(
        "staff/gold/halves/<int:pk>/open/",
        half_views.gold_half_open,
        "gold-half-open",
        menu="gold",
        POST="staff.gold",
    ),
    page(
        "staff/gold/releases/new/",
        views.gold_release_new,
        "gold-release-new",
        menu="gold",
        GET="staff",
        POST="staff.gold",
    ),
    page(
        "staff/gold/releases/<int:number>/",
        release_views.gold_release,
        "gold-release",
        menu="gold",
        GET="staff",
    ),
    page(
        "staff/gold/releases/<int:number>/split/",
        release_views.gold_release_split,
        "gold-release-split",
        menu="gold",
        POST="staff.gold",
    ),
    page(
        "staff/gold/releases/<int:number>/<slug:file>/",
        release_views.gold_download,
        "gold-download",
        menu="gold",
        GET="staff",
    ),
]
