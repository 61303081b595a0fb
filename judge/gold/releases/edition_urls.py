"""Pages of editions."""

from curation.base.access.page import Pages
from judge.gold.releases import edition_views as views

page = Pages("staff/editions/", menu="gold", GET="staff")

urlpatterns = [
    page("", views.editions, "editions", "GET"),
    page("new/", views.edition_new, "edition-new", "GET", POST="staff.gold"),
    page("<slug:key>/", views.edition, "edition", "GET"),
    page("<slug:key>/json/", views.edition_json, "edition-json", "GET"),
    page("<slug:key>/markdown/", views.edition_markdown, "edition-markdown", "GET"),
]
