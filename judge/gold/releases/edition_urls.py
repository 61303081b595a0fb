"""Pages of editions."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.gold.releases import edition_views as views

page = Pages("staff/editions/", menu="gold", GET="staff")

urlpatterns = [
    page("", views.editions, "editions", "GET", label=_("Editions"), tab="gold"),
    page("new/", views.edition_new, "edition-new", "GET", POST="staff.gold",
         label=_("New edition")),
    page("<slug:key>/", views.edition, "edition", "GET"),
    page("<slug:key>/json/", views.edition_json, "edition-json", "GET"),
    page("<slug:key>/markdown/", views.edition_markdown, "edition-markdown", "GET"),
]  # fmt: skip
