"""Pages of the search."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from curation.telling.search import views

page = Pages("search/", GET="signed_in")

urlpatterns = [
    page("", views.search_page, "search", "GET", label=_("Search"), alone="in the top bar"),
    page("found/", views.search_found, "search-found", "GET"),
]
