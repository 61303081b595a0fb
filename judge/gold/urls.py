"""Pages of gold."""

from curation.access.page import page
from judge.gold import views

urlpatterns = [
    page("staff/gold/", views.gold, "gold", menu="gold", GET="staff"),
    page("staff/gold/draw/", views.gold_draw, "gold-draw", menu="gold", GET="staff", POST="staff"),
    page(
        "staff/gold/releases/new/",
        views.gold_release_new,
        "gold-release-new",
        menu="gold",
        GET="staff",
        POST="staff",
    ),
    page(
        "staff/gold/releases/<int:number>/",
        views.gold_release,
        "gold-release",
        menu="gold",
        GET="staff",
    ),
    page(
        "staff/gold/releases/<int:number>/<slug:file>/",
        views.gold_download,
        "gold-download",
        menu="gold",
        GET="staff",
    ),
]
