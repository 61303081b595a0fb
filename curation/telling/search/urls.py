"""Pages of the search."""

from curation.base.access.page import Pages
from curation.telling.search import views

page = Pages("search/", GET="signed_in")

urlpatterns = [
    page("", views.search_page, "search", "GET"),
    page("found/", views.search_found, "search-found", "GET"),
]
