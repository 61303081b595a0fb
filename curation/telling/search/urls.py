"""Pages of the search."""

from curation.base.access.page import page
from curation.telling.search import views

urlpatterns = [
    page("search/", views.search_page, "search", GET="signed_in"),
    page("search/found/", views.search_found, "search-found", GET="signed_in"),
]
