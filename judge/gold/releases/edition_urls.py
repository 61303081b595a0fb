"""Pages of editions."""

from curation.base.access.page import page
from judge.gold.releases import edition_views as views

urlpatterns = [
    page("staff/editions/", views.editions, "editions", menu="gold", GET="staff"),
    page(
        "staff/editions/new/",
        views.edition_new,
        "edition-new",
        menu="gold",
        GET="staff",
        POST="staff.gold",
    ),
    page("staff/editions/<slug:key>/", views.edition, "edition", menu="gold", GET="staff"),
    page(
        "staff/editions/<slug:key>/json/",
        views.edition_json,
        "edition-json",
        menu="gold",
        GET="staff",
    ),
    page(
        "staff/editions/<slug:key>/markdown/",
        views.edition_markdown,
        "edition-markdown",
        menu="gold",
        GET="staff",
    ),
]
